#include "link.hpp"

#include <zmq.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace native
{
namespace
{

constexpr double HELLO_AGAIN_S = 1.0;
constexpr double DIAL_AGAIN_S = 2.0;
constexpr int GOODBYE_LINGER_MS = 1000;

void
set(void* socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

bool
encrypted(void* socket, const Credentials& keys)
{
    constexpr std::size_t SIZE = 41; // Z85, and the zero that ends it
    return zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, keys.public_key.c_str(), SIZE) == 0 &&
           zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, keys.secret_key.c_str(), SIZE) == 0 &&
           zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, keys.server_key.c_str(), SIZE) == 0;
}

} // namespace

double
seconds_now()
{
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
}

Link::Link(const std::string& address, const std::optional<Credentials>& credentials,
           std::function<Json()> introduce)
    : m_address(address),
      m_introduce(std::move(introduce)),
      m_context(zmq_ctx_new()),
      m_socket(zmq_socket(m_context, ZMQ_DEALER))
{
    set(m_socket, ZMQ_LINGER, 0);
    set(m_socket, ZMQ_IMMEDIATE, 1);
    // Without limit: libzmq aborts us if a connection that it had stopped reading is reset.
    set(m_socket, ZMQ_RCVHWM, 0);
    // The system would ask after ever longer waits, of a minute in the end, for whoever is back long before.
    set(m_socket, ZMQ_CONNECT_TIMEOUT, 15000);
    set(m_socket, ZMQ_RECONNECT_IVL, 100);
    set(m_socket, ZMQ_RECONNECT_IVL_MAX, 2000);
    // A cable pulled out leaves a connection that looks alive: these end it, so that it is redialled.
    set(m_socket, ZMQ_HEARTBEAT_IVL, 5000);
    set(m_socket, ZMQ_HEARTBEAT_TIMEOUT, 15000);
    const std::int64_t limit = FRAME_LIMIT;
    zmq_setsockopt(m_socket, ZMQ_MAXMSGSIZE, &limit, sizeof limit);
    // For tcp://[host]:port, which is dialled only if so told. A name is looked up as one of IPv4.
    set(m_socket, ZMQ_IPV6, address.rfind("tcp://[", 0) == 0);
    std::string wrong;
    if (credentials && !encrypted(m_socket, *credentials))
    {
        wrong = "expected keys made by `orchestrator keys new`, got others, or a libzmq without CURVE";
    }
    else if (m_refusals.emplace(m_context, m_socket); zmq_connect(m_socket, address.c_str()) != 0)
    {
        wrong = "cannot connect to `" + address + "` (" + zmq_strerror(zmq_errno()) +
                "); expected an address such as tcp://192.168.0.7:5555";
    }
    if (!wrong.empty())
    {
        m_refusals.reset();
        zmq_close(m_socket);
        zmq_ctx_term(m_context);
        throw std::invalid_argument(wrong);
    }
}

Link::~Link()
{
    m_refusals.reset();
    if (m_socket != nullptr)
    {
        zmq_close(m_socket);
    }
    zmq_ctx_term(m_context);
}

double
Link::heartbeat_s() const
{
    return m_welcome ? std::max(0.01, m_welcome->heartbeat_s) : HELLO_AGAIN_S;
}

double
Link::due() const
{
    return std::min(m_dial_again, conversation_due());
}

double
Link::conversation_due() const
{
    if (m_greeted)
    {
        const double silent = m_last_heard + SILENT_AFTER * heartbeat_s();
        return m_blocked || m_held ? silent : std::min(m_next_beat, silent);
    }
    return m_blocked ? NEVER : m_next_hello;
}

bool
Link::send(const std::string& frame)
{
    if (!m_greeted || m_blocked || m_held)
    {
        return false;
    }
    m_blocked = !transmit(frame);
    return !m_blocked;
}

bool
Link::transmit(const std::string& frame)
{
    return zmq_send(m_socket, frame.data(), frame.size(), ZMQ_DONTWAIT) >= 0;
}

std::vector<Message>
Link::receive(double now)
{
    std::vector<Message> arrived;
    zmq_msg_t part;
    zmq_msg_init(&part);
    while (zmq_msg_recv(&part, m_socket, ZMQ_DONTWAIT) >= 0)
    {
        m_last_heard = now;
        const std::string frame(static_cast<const char*>(zmq_msg_data(&part)), zmq_msg_size(&part));
        bool several = false;
        while (zmq_msg_more(&part) != 0 && zmq_msg_recv(&part, m_socket, 0) >= 0)
        {
            several = true;
        }
        if (auto message = several ? std::nullopt : whole(frame); message)
        {
            arrived.push_back(std::move(*message));
        }
    }
    zmq_msg_close(&part);
    return arrived;
}

std::optional<Message>
Link::whole(std::string_view frame)
{
    auto message = decode(frame);
    const Piece* piece = message ? std::get_if<Piece>(&*message) : nullptr;
    if (piece == nullptr)
    {
        return message;
    }
    const auto joined = m_joining.take(*piece);
    return joined ? decode(*joined) : std::nullopt;
}

void
Link::on_welcome(const Welcome& welcome, double now)
{
    m_welcome = welcome;
    m_greeted = true;
    m_blocked = false;
    m_held = false;
    m_last_heard = now;
    m_next_beat = now + heartbeat_s();
}

void
Link::on_unknown(double now)
{
    if (m_greeted)
    {
        m_greeted = false;
        m_next_hello = now;
    }
}

void
Link::on_name_taken(double now)
{
    m_greeted = false;
    m_next_hello = now + HELLO_AGAIN_S;
}

void
Link::on_writable(double now)
{
    m_blocked = false;
    if (!m_greeted)
    {
        m_next_hello = now;
    }
}

std::vector<std::string>
Link::refused(double now)
{
    std::vector<std::string> sentences;
    for (const Refusal& refusal : m_refusals->read())
    {
        sentences.push_back(refusal.why);
        m_dial_again = refusal.given_up ? now + DIAL_AGAIN_S : m_dial_again;
    }
    return sentences;
}

void
Link::dial_again()
{
    m_dial_again = NEVER;
    zmq_disconnect(m_socket, m_address.c_str());
    zmq_connect(m_socket, m_address.c_str());
}

bool
Link::on_time(double now, const std::vector<std::string>& leases, bool draining)
{
    if (now >= m_dial_again)
    {
        dial_again();
    }
    if (!m_greeted)
    {
        if (now >= m_next_hello && !m_blocked)
        {
            m_blocked = !transmit(encode(m_introduce()));
            m_next_hello = now + HELLO_AGAIN_S;
        }
        return false;
    }
    if (now - m_last_heard >= SILENT_AFTER * heartbeat_s())
    {
        m_greeted = false;
        m_next_hello = now;
        return true;
    }
    if (now >= m_next_beat && !m_blocked && !m_held)
    {
        m_next_beat = now + heartbeat_s();
        send(encode(heartbeat(leases, draining)));
    }
    return false;
}

void
Link::close(const Json& last)
{
    if (send(encode(last)))
    {
        set(m_socket, ZMQ_LINGER, GOODBYE_LINGER_MS);
    }
    m_refusals.reset();
    zmq_close(m_socket);
    m_socket = nullptr;
}

} // namespace native
