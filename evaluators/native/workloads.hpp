// What this worker can evaluate. Each evaluation runs in a process of its own, which is this program again.
#pragma once

#include "messages.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace native
{

// Reports partial quantities: a step that counts up, and numbers by name, be they NaN or infinite.
using Report = std::function<void(int step, const Json& values)>;

struct Task
{
    Json parameters;
    Json options;
    std::uint64_t seed;
    std::filesystem::path directory; // where it may leave what others go on from
    // The directory that a trial of the same settings left which looked less closely; nothing: it begins anew.
    std::optional<std::filesystem::path> continued_from;
};

struct Workload
{
    std::string evaluator; // its name on the wire
    std::vector<std::string> options;
    // Returns an object with `value`. Throws std::invalid_argument for parameters or options that cannot be.
    Json (*evaluate)(const Task& task, const Report& report);
};

const std::vector<Workload>& workloads();
// Null if there is none of the name.
const Workload* find_workload(const std::string& evaluator);

// The evaluating process: a task, {"parameters", "options", "seed", "directory", "continued_from"}, from standard
// input; lines of JSON to standard output: any number of {"step", "values"}, then {"value", ...} or
// {"failure": kind, "message"}. Returns its exit code.
int evaluate_once(const std::string& evaluator);

} // namespace native
