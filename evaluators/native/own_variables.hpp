// What each slot has of its own, as the port of an arm: environment variables of the evaluations in it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace native
{

using Variables = std::map<std::string, std::string>;

// One place for an evaluation at a time; the first is number 0.
struct Slot
{
    std::size_t number = 0;
    Variables own;
};

class OwnVariables
{
  public:
    // One more value, "NAME=VALUE", for the next slot. Throws std::invalid_argument, in words.
    void add(const std::string& given);
    // Throws std::invalid_argument, in words, unless each name has as many values as there are slots.
    void check(std::size_t slots) const;
    // A slot with its own; `number` is one of those that were checked.
    Slot slot(std::size_t number) const;
    // What is the same in all of them.
    Variables of_all() const;

  private:
    std::map<std::string, std::vector<std::string>> m_values; // by name, in the order of the slots
};

// This process's environment, "NAME=VALUE" each, but for what a slot has of its own.
std::vector<std::string> environment_with(const Variables& own);

} // namespace native
