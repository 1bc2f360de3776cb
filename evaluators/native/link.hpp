// The worker's side of the conversation: dial out, say hello, beat, notice silence, hello again.
#pragma once

#include "credentials.hpp"
#include "messages.hpp"
#include "pieces.hpp"
#include "refusals.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace native
{

constexpr double NEVER = std::numeric_limits<double>::infinity();
constexpr double SILENT_AFTER = 5.0; // heartbeat intervals

// Seconds of a clock that only goes forward.
double seconds_now();

// One DEALER socket to one orchestrator. ZeroMQ reconnects by itself; nothing is queued for a peer that is
// not there (ZMQ_IMMEDIATE): what matters is in the outbox and is sent again after the next welcome.
class Link
{
  public:
    // `introduce` makes the hello of the moment. Throws std::invalid_argument for what is no address or key.
    Link(const std::string& address, const std::optional<Credentials>& credentials,
         std::function<Json()> introduce);
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    void* socket() const { return m_socket; }
    // Readable where a connection could not be made, which `refused` tells.
    void* refusals() const { return m_refusals->readable(); }
    // Whether the orchestrator knows this worker, as far as the worker knows.
    bool greeted() const { return m_greeted; }
    // Whether something waits for the connection to be there, or to take more: watch for writability.
    bool blocked() const { return m_blocked; }
    // Whether something waits for a word of the orchestrator, and nothing is to overtake it.
    bool held() const { return m_held; }
    void hold(bool held) { m_held = held; }
    const std::optional<Welcome>& welcome() const { return m_welcome; }
    // Whether the orchestrator last heard of takes long outcomes in pieces.
    bool takes_pieces() const { return m_welcome && m_welcome->takes_pieces; }
    double heartbeat_s() const;
    // When anything was last read from it; 0 before that.
    double heard_at() const { return m_last_heard; }
    // The moment at which on_time is to be called.
    double due() const;

    // Sends if the orchestrator is there and knows us; whether it was sent. What a clogged connection does not
    // take is the caller's to send again when it is writable; until then nothing overtakes it.
    bool send(const std::string& frame);
    // The messages that have arrived. What is none is dropped.
    std::vector<Message> receive(double now);
    void on_welcome(const Welcome& welcome, double now);
    void on_unknown(double now);
    void on_name_taken(double now);
    void on_writable(double now);
    // Why connections could not be made since the last call. Where ZeroMQ gave up, it is dialled anew when due.
    std::vector<std::string> refused(double now);
    // Says, or dials, what is due. True if the orchestrator has just been found silent.
    bool on_time(double now, const std::vector<std::string>& leases, bool draining);
    // Gives the connection up, with what is on its way, and makes another.
    void dial_again();
    // Hangs up, after a last message if the orchestrator knows us.
    void close(const Json& last);

  private:
    bool transmit(const std::string& frame);
    double conversation_due() const;
    // The message in a frame, or in those that came before and this as the last piece of it.
    std::optional<Message> whole(std::string_view frame);

    std::string m_address;
    std::function<Json()> m_introduce;
    void* m_context;
    void* m_socket;
    std::optional<Refusals> m_refusals;
    std::optional<Welcome> m_welcome;
    Joining m_joining;
    bool m_greeted = false;
    bool m_blocked = false;
    bool m_held = false;
    double m_next_hello = 0.0;
    double m_next_beat = NEVER;
    double m_last_heard = 0.0;
    double m_dial_again = NEVER;
};

} // namespace native
