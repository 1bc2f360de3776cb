// The wireless network in ns-3: powers in, one signal-to-interference ratio and capacity a station out.
#pragma once

#include "layout.hpp"

#include <array>
#include <cstdint>
#include <functional>

namespace wlan
{

using Powers = std::array<double, ACCESS_POINTS>; // mW

struct Measured
{
    std::array<double, STATIONS> capacity_mbps{}; // the mean of W log2(1 + SINR) over the frames heard
    std::array<double, STATIONS> sinr_db{};       // the SINR of that capacity; meaningless where frames is 0
    std::array<std::uint32_t, STATIONS> frames{}; // heard from the station's own access point

    // The sum over the stations of one access point, Mb/s.
    double cell_mbps(std::size_t access_point) const;
    // The sum over all stations, Mb/s: the objective.
    double total_mbps() const;
};

// Called with what is measured so far, `parts` times in a simulation.
using Watcher = std::function<void(int part, const Measured& so_far)>;

// Simulates duration_s seconds in which every access point transmits all the time. The seed decides when
// the access points start and how they back off. A station that hears nothing has a capacity of 0.
// Throws std::invalid_argument, in words, for powers or a duration that cannot be.
Measured simulate(const Powers& powers, std::uint64_t seed, double duration_s, int parts = 0, const Watcher& = {});

} // namespace wlan
