#include "own_variables.hpp"

#include <algorithm>
#include <stdexcept>
#include <unistd.h>

namespace native
{
namespace
{

constexpr const char* LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
constexpr const char* DIGITS = "0123456789";

bool
is_variable(const std::string& name)
{
    const bool begins = !name.empty() && std::string(DIGITS).find(name[0]) == std::string::npos;
    return begins && name.find_first_not_of(std::string(LETTERS) + DIGITS) == std::string::npos;
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
    if (!is_variable(name))
    {
        throw std::invalid_argument("--each: expected the name of an environment variable, of letters, _ and, not "
                                    "first, digits, got '" +
                                    name + "'");
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
