#include "workloads.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <time.h>

#ifndef WITHOUT_NS3
#include "../wlan/simulation.hpp"
#endif

namespace native
{
namespace
{

double
number_given(const Json& object, const std::string& name)
{
    if (!object.contains(name) || !object[name].is_number())
    {
        const std::string given = object.contains(name) ? encode(object[name]) : "nothing";
        throw std::invalid_argument("expected a number as " + name + ", got " + given);
    }
    return object[name].get<double>();
}

#ifndef WITHOUT_NS3

Json
wireless_network(const Task& task, const Report& report)
{
    const Json& parameters = task.parameters;
    wlan::Powers powers{};
    for (std::size_t i = 0; i < powers.size(); ++i)
    {
        powers[i] = number_given(parameters, "power_" + std::to_string(i + 1));
    }
    if (parameters.size() != powers.size())
    {
        throw std::invalid_argument("expected the parameters power_1 to power_12 and no others, got " +
                                    std::to_string(parameters.size()));
    }
    const double duration_s = task.options.contains("duration") ? number_given(task.options, "duration") : 2.0;
    const auto watch = [&report](int part, const wlan::Measured& so_far) {
        report(part, {{"capacity_mbps", so_far.total_mbps()}});
    };
    constexpr int PARTS = 3;
    const wlan::Measured measured = wlan::simulate(powers, task.seed, duration_s, PARTS, watch);
    Json cells = Json::array();
    for (std::size_t i = 0; i < powers.size(); ++i)
    {
        cells.push_back(measured.cell_mbps(i));
    }
    return {{"value", measured.total_mbps()},
            {"factors", std::move(cells)},
            {"station_mbps", measured.capacity_mbps},
            {"sinr_db", measured.sinr_db},
            {"frames", measured.frames}};
}

#endif

// Minus the squared distance from 0.3 in every parameter, after a nap of nap_s seconds if that is one:
// needs no simulator, and shows how the worker does.
Json
quadratic(const Task& task, const Report& report)
{
    double value = 0.0;
    Json factors = Json::array();
    for (const auto& [name, given] : task.parameters.items())
    {
        const double x = number_given(task.parameters, name);
        if (name == "nap_s")
        {
            const double whole = std::floor(std::clamp(x, 0.0, 1e6));
            const timespec nap{static_cast<time_t>(whole), static_cast<long>((std::clamp(x, 0.0, 1e6) - whole) * 1e9)};
            nanosleep(&nap, nullptr);
            continue;
        }
        factors.push_back(-(x - 0.3) * (x - 0.3));
        value += factors.back().get<double>();
    }
    report(1, {{"value", value}});
    return {{"value", value}, {"factors", std::move(factors)}};
}

// Half of the way to 0.3 in `x` with each of so many `steps`, and what is left of it squared: it goes on from where
// fewer steps came to, and shows how that is done.
Json
halving(const Task& task, const Report& report)
{
    double x = number_given(task.parameters, "x");
    const double steps = number_given(task.parameters, "steps");
    int step = 0;
    if (task.continued_from)
    {
        std::ifstream(*task.continued_from / "halved") >> step >> x;
    }
    const int before = step;
    while (step < steps)
    {
        x = 0.5 * (x + 0.3);
        report(++step, {{"value", (x - 0.3) * (x - 0.3)}});
    }
    std::ofstream(task.directory / "halved") << std::setprecision(17) << step << ' ' << x;
    return {{"value", (x - 0.3) * (x - 0.3)}, {"steps_done", step - before}};
}

// JSON has no NaN and no infinity: quantities that are one stand apart, as the protocol has it.
Json
report_of(int step, const Json& quantities)
{
    Json values = Json::object();
    Json not_finite = Json::object();
    for (const auto& [name, given] : quantities.items())
    {
        const double number = given.get<double>();
        if (std::isfinite(number))
        {
            values[name] = number;
        }
        else
        {
            not_finite[name] = std::isnan(number) ? "nan" : number > 0.0 ? "inf" : "-inf";
        }
    }
    return {{"step", step}, {"values", std::move(values)}, {"not_finite", std::move(not_finite)}};
}

} // namespace

const std::vector<Workload>&
workloads()
{
    static const std::vector<Workload> all{
#ifndef WITHOUT_NS3
        {"evaluators.wlan:network", {"duration"}, wireless_network},
#endif
        {"native:quadratic", {}, quadratic},
        {"native:halving", {}, halving},
    };
    return all;
}

const Workload*
find_workload(const std::string& evaluator)
{
    const auto found = std::find_if(workloads().begin(), workloads().end(), [&evaluator](const Workload& workload) {
        return workload.evaluator == evaluator;
    });
    return found == workloads().end() ? nullptr : &*found;
}

int
evaluate_once(const std::string& evaluator)
{
    const auto say = [](const Json& line) { std::cout << encode(line) << std::endl; };
    const Workload* workload = find_workload(evaluator);
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const Json given = Json::parse(text, nullptr, false);
    if (workload == nullptr || !given.is_object())
    {
        std::cerr << "expected one of this worker's evaluators and a task as JSON on standard input" << std::endl;
        return 2;
    }
    try
    {
        const std::string before = given.value("continued_from", "");
        const Task task{given.at("parameters"), given.at("options"), given.at("seed").get<std::uint64_t>(),
                        given.value("directory", "."),
                        before.empty() ? std::nullopt : std::optional<std::filesystem::path>(before)};
        say(workload->evaluate(task, [&say](int step, const Json& values) { say(report_of(step, values)); }));
    }
    catch (const std::invalid_argument& error)
    {
        say({{"failure", "invalid"}, {"message", error.what()}});
    }
    catch (const std::exception& error)
    {
        say({{"failure", "error"}, {"message", error.what()}});
    }
    return 0;
}

} // namespace native
