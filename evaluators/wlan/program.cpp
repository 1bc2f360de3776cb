// wlan SEED DURATION_S POWER_MW x 12: simulates the network and prints one JSON object.
// Exit codes: 0 done, 2 arguments that cannot be, with a sentence on standard error.

#include "simulation.hpp"

#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>

namespace
{

double
number(const char* what, const char* text)
{
    char* end = nullptr;
    const double read = std::strtod(text, &end);
    if (end == text || *end != '\0')
    {
        throw std::invalid_argument(std::string("expected a number as ") + what + ", got `" + text + "`");
    }
    return read;
}

std::uint64_t
seed_of(const char* text)
{
    if (*text == '\0' || std::strspn(text, "0123456789") != std::strlen(text) || std::strlen(text) > 19)
    {
        throw std::invalid_argument(std::string("expected a whole number of 0 or more as the seed, got `") + text +
                                    "`");
    }
    return std::strtoull(text, nullptr, 10);
}

template <typename Number>
void
print_list(const char* name, const Number* numbers, std::size_t count)
{
    std::cout << ", \"" << name << "\": [";
    for (std::size_t i = 0; i < count; ++i)
    {
        std::cout << (i > 0 ? ", " : "") << numbers[i];
    }
    std::cout << ']';
}

void
print(const wlan::Measured& measured)
{
    std::array<double, wlan::ACCESS_POINTS> cells{};
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        cells[i] = measured.cell_mbps(i);
    }
    std::cout << std::setprecision(17) << "{\"value\": " << measured.total_mbps();
    print_list("factors", cells.data(), cells.size());
    std::cout << std::setprecision(6);
    print_list("station_mbps", measured.capacity_mbps.data(), wlan::STATIONS);
    print_list("sinr_db", measured.sinr_db.data(), wlan::STATIONS);
    print_list("frames", measured.frames.data(), wlan::STATIONS);
    std::cout << "}" << std::endl;
}

} // namespace

int
main(int count, char** arguments)
{
    constexpr int BEFORE_POWERS = 3;
    try
    {
        if (count != BEFORE_POWERS + static_cast<int>(wlan::ACCESS_POINTS))
        {
            throw std::invalid_argument("expected a seed, a duration in seconds and 12 powers in mW");
        }
        wlan::Powers powers{};
        for (std::size_t i = 0; i < powers.size(); ++i)
        {
            powers[i] = number("a power in mW", arguments[BEFORE_POWERS + i]);
        }
        print(wlan::simulate(powers, seed_of(arguments[1]), number("the duration in seconds", arguments[2])));
    }
    catch (const std::invalid_argument& error)
    {
        std::cerr << "wlan: " << error.what() << std::endl;
        return 2;
    }
    return 0;
}
