// Where the access points and their stations stand, in metres. Fixed: no seed moves them.
#pragma once

#include <array>
#include <cstddef>

namespace wlan
{

constexpr std::size_t COLUMNS = 4;
constexpr std::size_t ROWS = 3;
constexpr std::size_t ACCESS_POINTS = ROWS * COLUMNS;
constexpr std::size_t STATIONS_EACH = 3;
constexpr std::size_t STATIONS = ACCESS_POINTS * STATIONS_EACH;
constexpr double SPACING_M = 25.0;
constexpr double RANGE_M = 30.0; // no signal reaches further

struct Position
{
    double x;
    double y;
};

constexpr Position
access_point(std::size_t number)
{
    return {SPACING_M * static_cast<double>(number % COLUMNS), SPACING_M * static_cast<double>(number / COLUMNS)};
}

// Station s belongs to access point s / STATIONS_EACH and is given relative to it.
constexpr std::array<Position, STATIONS> STATION_OFFSETS{{
#include "stations.inc"
}};

constexpr Position
station(std::size_t number)
{
    const Position centre = access_point(number / STATIONS_EACH);
    return {centre.x + STATION_OFFSETS[number].x, centre.y + STATION_OFFSETS[number].y};
}

} // namespace wlan
