#include "own_variables.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace native
{
namespace
{

constexpr const char* LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
constexpr const char* DIGITS = "0123456789";

const std::string OURS = "ORCHESTRATOR_";
// What stands for something else in a command, as `{seed}` does.
const std::set<std::string> GIVEN = {"seed",       "trial",           "attempt",     "directory",
                                     "started_in", "parameters_file", "result_file", "continued_from"};

bool
is_variable(const std::string& name)
{
    const bool begins = !name.empty() && std::string(DIGITS).find(name[0]) == std::string::npos;
    return begins && name.find_first_not_of(std::string(LETTERS) + DIGITS) == std::string::npos;
}

// Why no such variable can be called so; empty if one can.
std::string
mistake_in_name(const std::string& name)
{
    std::string expected;
    if (!is_variable(name))
    {
        expected = "the name of an environment variable, of letters, `_` and, not first, digits";
    }
    else if (name.compare(0, OURS.size(), OURS) == 0)
    {
        expected = "a name that does not begin with `" + OURS + "`, as those of the orchestrator do";
    }
    else if (GIVEN.count(name) != 0)
    {
        expected = "another name, as `{" + name + "}` in a command stands for something else";
    }
    else if (name == "PATH")
    {
        expected = "another name, as a command's program is looked for on the worker's own `PATH`";
    }
    else
    {
        return "";
    }
    return "expected " + expected + ", got `" + name + "`";
}

} // namespace

void
OwnVariables::add(const std::string& given)
{
    const auto equals = given.find('=');
    if (equals == std::string::npos)
    {
        throw std::invalid_argument("expected --each NAME=VALUE, such as ARM_PORT=/dev/ttyUSB0, got '" + given + "'");
    }
    const std::string name = given.substr(0, equals);
    if (const std::string mistake = mistake_in_name(name); !mistake.empty())
    {
        throw std::invalid_argument("--each: " + mistake);
    }
    m_values[name].push_back(given.substr(equals + 1));
}

void
OwnVariables::check(std::size_t slots) const
{
    for (const auto& [name, values] : m_values)
    {
        if (values.size() != slots)
        {
            throw std::invalid_argument("expected as many --each " + name + "=VALUE as there are --slots, " +
                                        std::to_string(slots) + ", got " + std::to_string(values.size()));
        }
    }
}

Slot
OwnVariables::slot(std::size_t number) const
{
    Slot slot{number, {}};
    for (const auto& [name, values] : m_values)
    {
        slot.own[name] = values.at(number);
    }
    return slot;
}

Variables
OwnVariables::of_all() const
{
    Variables same;
    for (const auto& [name, values] : m_values)
    {
        if (std::all_of(values.begin(), values.end(), [&v = values](const auto& value) { return value == v[0]; }))
        {
            same[name] = values[0];
        }
    }
    return same;
}

std::vector<std::string>
environment_with(const Variables& own)
{
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry)
    {
        const std::string whole = *entry;
        if (own.count(whole.substr(0, whole.find('='))) == 0)
        {
            entries.push_back(whole);
        }
    }
    for (const auto& [name, value] : own)
    {
        entries.push_back(name + "=" + value);
    }
    return entries;
}

} // namespace native
