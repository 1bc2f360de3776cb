#include "refusals.hpp"

#include <zmq.h>

#include <cstdint>
#include <cstring>

namespace native
{
namespace
{

constexpr char EVENTS[] = "inproc://refusals";
constexpr const char* KEY_REFUSED =
    "the orchestrator refused this worker's key: it is unknown or revoked; have one made there: orchestrator keys "
    "new NAME";
constexpr const char* ONE_SIDE_HAS_KEYS =
    "the other side speaks with keys and this worker without, or the other way about: start the worker with --key "
    "FILE, or without";

} // namespace

Refusals::Refusals(void* context, void* socket)
    : m_socket(socket),
      m_events(zmq_socket(context, ZMQ_PAIR))
{
    zmq_socket_monitor(m_socket, EVENTS, ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL);
    zmq_connect(m_events, EVENTS);
}

Refusals::~Refusals()
{
    zmq_socket_monitor(m_socket, nullptr, 0);
    zmq_close(m_events);
}

std::vector<Refusal>
Refusals::read()
{
    std::vector<Refusal> told;
    zmq_msg_t part;
    zmq_msg_init(&part);
    while (zmq_msg_recv(&part, m_events, ZMQ_DONTWAIT) >= 0)
    {
        std::uint16_t event = 0; // comes first; what else there is, and the address that follows, are passed over
        std::memcpy(&event, zmq_msg_data(&part), sizeof event);
        while (zmq_msg_more(&part) != 0 && zmq_msg_recv(&part, m_events, 0) >= 0)
        {
        }
        if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
        {
            told.push_back({KEY_REFUSED, false});
        }
        else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)
        {
            told.push_back({ONE_SIDE_HAS_KEYS, true});
        }
    }
    zmq_msg_close(&part);
    return told;
}

} // namespace native
