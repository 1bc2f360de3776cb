#include "workloads.hpp"

#include <algorithm>
#include <cmath>
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
wireless_network(const Json& parameters, const Json& options, std::uint64_t seed, const Report& report)
{
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
    const double duration_s = options.contains("duration") ? number_given(options, "duration") : 2.0;
    const auto watch = [&report](int part, const wlan::Measured& so_far) {
        report(part, {{"capacity_mbps", so_far.total_mbps()}});
    };
    constexpr int PARTS = 3;
    const wlan::Measured measured = wlan::simulate(powers, seed, duration_s, PARTS, watch);
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
quadratic(const Json& parameters, const Json&, std::uint64_t, const Report& report)
{
    double value = 0.0;
    Json factors = Json::array();
    for (const auto& [name, given] : parameters.items())
    {
        const double x = number_given(parameters, name);
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
    const Json task = Json::parse(text, nullptr, false);
    if (workload == nullptr || !task.is_object())
    {
        std::cerr << "expected one of this worker's evaluators and a task as JSON on standard input" << std::endl;
        return 2;
    }
    try
    {
        say(workload->evaluate(task.at("parameters"), task.at("options"), task.at("seed").get<std::uint64_t>(),
                               [&say](int step, const Json& values) { say(report_of(step, values)); }));
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
