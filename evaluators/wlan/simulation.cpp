#include "simulation.hpp"

#include "ns3/constant-position-mobility-model.h"
#include "ns3/double.h"
#include "ns3/error-rate-model.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wifi-helper.h"
#include "ns3/wifi-mac-header.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy.h"
#include "ns3/yans-wifi-helper.h"

#include <cmath>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace wlan
{
namespace
{

constexpr double BANDWIDTH_MHZ = 20.0;
constexpr double PATH_LOSS_EXPONENT = 3.5;
constexpr double OUT_OF_REACH_DBM = 60.0;
constexpr double DETECTED_FROM_DB = -10.0;
constexpr double HEARD_FROM_DBM = -101.0;
constexpr std::uint32_t FRAME_BYTES = 1400;
// Shorter than the 1.9 ms and more that a frame takes on the air at 6 Mb/s: the queues never run dry.
constexpr double FRAME_INTERVAL_S = 1.9e-3;
constexpr std::uint16_t PROTOCOL_NUMBER = 0x88b5; // for experiments, IEEE 802

// Every frame is received: what is measured is its SINR, however low, and not whether it could be decoded.
class AlwaysReceived : public ns3::ErrorRateModel
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id = ns3::TypeId("wlan::AlwaysReceived")
                                    .SetParent<ns3::ErrorRateModel>()
                                    .AddConstructor<AlwaysReceived>();
        return id;
    }

  private:
    double DoGetChunkSuccessRate(ns3::WifiMode, const ns3::WifiTxVector&, double, std::uint64_t, std::uint8_t,
                                 ns3::WifiPpduField, std::uint16_t) const override
    {
        return 1.0;
    }
};

NS_OBJECT_ENSURE_REGISTERED(AlwaysReceived);

void
check(const Powers& powers, double duration_s)
{
    for (std::size_t number = 0; number < ACCESS_POINTS; ++number)
    {
        if (!(powers[number] > 0.0) || !std::isfinite(powers[number]))
        {
            std::ostringstream words;
            words << "expected a power above 0 mW for access point " << number + 1 << ", got " << powers[number];
            throw std::invalid_argument(words.str());
        }
    }
    if (!(duration_s > 0.0) || duration_s > 1e6)
    {
        std::ostringstream words;
        words << "expected a duration above 0 s and at most 1e6 s, got " << duration_s;
        throw std::invalid_argument(words.str());
    }
}

class Network
{
  public:
    explicit Network(const Powers& powers)
    {
        m_channel = ns3::CreateObject<ns3::YansWifiChannel>();
        auto loss = ns3::CreateObject<ns3::LogDistancePropagationLossModel>();
        loss->SetPathLossExponent(PATH_LOSS_EXPONENT);
        auto range = ns3::CreateObject<ns3::RangePropagationLossModel>();
        range->SetAttribute("MaxRange", ns3::DoubleValue(RANGE_M));
        loss->SetNext(range);
        m_channel->SetPropagationLossModel(loss);
        m_channel->SetPropagationDelayModel(ns3::CreateObject<ns3::ConstantSpeedPropagationDelayModel>());
        for (std::size_t number = 0; number < ACCESS_POINTS; ++number)
        {
            add_access_point(access_point(number), 10.0 * std::log10(powers[number]));
        }
        for (std::size_t number = 0; number < STATIONS; ++number)
        {
            add_station(number);
        }
    }

    ~Network() { ns3::Simulator::Destroy(); }
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    Measured run(double duration_s, int parts, const Watcher& watcher)
    {
        auto jitter = ns3::CreateObject<ns3::UniformRandomVariable>();
        for (auto& device : m_access_points)
        {
            const ns3::Time start = ns3::Seconds(jitter->GetValue(0.0, FRAME_INTERVAL_S));
            ns3::Simulator::Schedule(start, &Network::send, this, device);
        }
        for (int part = 1; part <= parts; ++part)
        {
            ns3::Simulator::Schedule(ns3::Seconds(duration_s * part / (parts + 1)), [this, part, &watcher] {
                watcher(part, measured());
            });
        }
        ns3::Simulator::Stop(ns3::Seconds(duration_s));
        ns3::Simulator::Run();
        return measured();
    }

  private:
    ns3::Ptr<ns3::WifiNetDevice> add(Position position, ns3::YansWifiPhyHelper& phy)
    {
        auto node = ns3::CreateObject<ns3::Node>();
        auto place = ns3::CreateObject<ns3::ConstantPositionMobilityModel>();
        place->SetPosition(ns3::Vector(position.x, position.y, 0.0));
        node->AggregateObject(place);
        ns3::WifiHelper wifi;
        wifi.SetStandard(ns3::WIFI_STANDARD_80211a);
        wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", ns3::StringValue("OfdmRate6Mbps"),
                                     "NonUnicastMode", ns3::StringValue("OfdmRate6Mbps"));
        ns3::WifiMacHelper mac;
        mac.SetType("ns3::AdhocWifiMac");
        phy.SetChannel(m_channel);
        return ns3::DynamicCast<ns3::WifiNetDevice>(wifi.Install(phy, mac, node).Get(0));
    }

    // Deaf to one another: with carrier sensing they would take turns, and full power would be best for all.
    void add_access_point(Position position, double power_dbm)
    {
        ns3::YansWifiPhyHelper phy;
        phy.Set("TxPowerStart", ns3::DoubleValue(power_dbm));
        phy.Set("TxPowerEnd", ns3::DoubleValue(power_dbm));
        phy.Set("RxSensitivity", ns3::DoubleValue(OUT_OF_REACH_DBM));
        phy.Set("CcaEdThreshold", ns3::DoubleValue(OUT_OF_REACH_DBM));
        m_access_points.push_back(add(position, phy));
    }

    void add_station(std::size_t number)
    {
        ns3::YansWifiPhyHelper phy;
        phy.SetErrorRateModel("wlan::AlwaysReceived");
        // A stronger frame that comes within its first 16 us takes the receiver from a weaker one.
        phy.SetFrameCaptureModel("ns3::SimpleFrameCaptureModel");
        // Frames of the station's own access point have at least -7 dB, whatever the powers. Others, under
        // an own frame, mostly have less; without the threshold the receiver is busy with them instead.
        phy.SetPreambleDetectionModel("ns3::ThresholdPreambleDetectionModel", "Threshold",
                                      ns3::DoubleValue(DETECTED_FROM_DB), "MinimumRssi",
                                      ns3::DoubleValue(HEARD_FROM_DBM));
        auto device = add(station(number), phy);
        const auto own = ns3::Mac48Address::ConvertFrom(m_access_points[number / STATIONS_EACH]->GetAddress());
        device->GetPhy()->TraceConnectWithoutContext(
            "MonitorSnifferRx", ns3::MakeCallback(&Network::hear, this).Bind(number, own));
    }

    void hear(std::size_t number, ns3::Mac48Address own, ns3::Ptr<const ns3::Packet> frame, std::uint16_t,
              ns3::WifiTxVector, ns3::MpduInfo, ns3::SignalNoiseDbm level, std::uint16_t)
    {
        ns3::WifiMacHeader header;
        frame->PeekHeader(header);
        if (header.GetAddr2() == own)
        {
            const double sinr = std::pow(10.0, (level.signal - level.noise) / 10.0);
            m_bits[number] += std::log2(1.0 + sinr);
            ++m_frames[number];
        }
    }

    void send(ns3::Ptr<ns3::WifiNetDevice> device)
    {
        device->Send(ns3::Create<ns3::Packet>(FRAME_BYTES), device->GetBroadcast(), PROTOCOL_NUMBER);
        ns3::Simulator::Schedule(ns3::Seconds(FRAME_INTERVAL_S), &Network::send, this, device);
    }

    Measured measured() const
    {
        Measured result;
        result.frames = m_frames;
        for (std::size_t number = 0; number < STATIONS; ++number)
        {
            const double bits = m_frames[number] > 0 ? m_bits[number] / m_frames[number] : 0.0;
            result.capacity_mbps[number] = BANDWIDTH_MHZ * bits;
            result.sinr_db[number] = m_frames[number] > 0 ? 10.0 * std::log10(std::exp2(bits) - 1.0) : 0.0;
        }
        return result;
    }

    ns3::Ptr<ns3::YansWifiChannel> m_channel;
    std::vector<ns3::Ptr<ns3::WifiNetDevice>> m_access_points;
    std::array<double, STATIONS> m_bits{};
    std::array<std::uint32_t, STATIONS> m_frames{};
};

} // namespace

double
Measured::cell_mbps(std::size_t access_point) const
{
    const auto first = capacity_mbps.begin() + access_point * STATIONS_EACH;
    return std::accumulate(first, first + STATIONS_EACH, 0.0);
}

double
Measured::total_mbps() const
{
    double total = 0.0;
    for (std::size_t number = 0; number < ACCESS_POINTS; ++number)
    {
        total += cell_mbps(number);
    }
    return total;
}

Measured
simulate(const Powers& powers, std::uint64_t seed, double duration_s, int parts, const Watcher& watcher)
{
    check(powers, duration_s);
    ns3::RngSeedManager::SetSeed(1);
    ns3::RngSeedManager::SetRun(seed);
    return Network(powers).run(duration_s, parts, watcher);
}

} // namespace wlan
