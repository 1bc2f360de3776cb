// What this worker can evaluate. Each evaluation runs in a process of its own, which is this program again.
#pragma once

#include "messages.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace native
{

// Reports partial quantities: a step that counts up, and numbers by name, be they NaN or infinite.
using Report = std::function<void(int step, const Json& values)>;

struct Workload
{
    std::string evaluator; // its name on the wire
    std::vector<std::string> options;
    // Returns an object with `value`. Throws std::invalid_argument for parameters or options that cannot be.
    Json (*evaluate)(const Json& parameters, const Json& options, std::uint64_t seed, const Report& report);
};

const std::vector<Workload>& workloads();
// Null if there is none of the name.
const Workload* find_workload(const std::string& evaluator);

// The evaluating process: a task, {"parameters", "options", "seed"}, from standard input; lines of JSON to
// standard output: any number of {"step", "values"}, then {"value", ...} or {"failure": kind, "message"}.
// Returns its exit code.
int evaluate_once(const std::string& evaluator);

} // namespace native
