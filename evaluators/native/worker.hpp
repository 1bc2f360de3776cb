// The worker's loop: it waits in one place, for the wire, evaluations, signals, and the next moment due.
#pragma once

#include "evaluation.hpp"
#include "link.hpp"
#include "outbox.hpp"
#include "workloads.hpp"

#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace native
{

struct Options
{
    std::string connect;
    std::string name;
    std::filesystem::path directory; // where results and what evaluations print are kept
    std::optional<Credentials> credentials;
    std::size_t slots = 1;
    OwnVariables each; // of which each slot has a value of its own
    std::string program; // this program's file, which evaluations run
    double wait_s = NEVER; // without an orchestrator; then it leaves
};

constexpr double TOGETHER_S = 1.0; // whoever signals all processes of a job needs no longer for it

// An evaluation that was ended by a signal that asks for it, and not by its worker. Where the worker is asked to leave
// as well, the goodbye gives its lease back; else it failed, which is known after `until`.
struct CutShort
{
    double until;
    Evaluate task;
    Json outcome;
};

class Worker
{
  public:
    // Dials, and opens the outbox. `signals` is readable for each signal that asks it to leave, one byte each, its
    // number. Throws std::invalid_argument or std::runtime_error, in words.
    Worker(Options options, int signals);

    // Until drained (0), given up (2) or interrupted twice (130).
    int run();

  private:
    Json introduce() const;
    std::vector<std::string> leases() const;
    std::string run_name() const;
    bool holds(const std::string& lease) const;
    bool is_done(double now);
    double next_moment() const;
    void wait(double until);
    void on_moment(double now);
    void on_signals();
    // Whether there are evaluations cut short of which it is not known whether they failed; the next moment to look
    // at that, or at whether anybody answers; those that failed.
    bool in_doubt() const { return m_interrupted == 0 && !m_cut_short.empty(); }
    double leaving_due() const;
    std::vector<Json> doubted_for_long(double now);
    void leave_if_alone(double now);
    double alone_until() const;
    std::string reason() const;
    void on_evaluations(double now);

    void on_message(const Welcome& welcome, double now);
    void on_message(const Evaluate& task, double now);
    void on_message(const Heartbeat&, double) {}
    void on_message(const Cancel& cancel, double now);
    void on_message(const Acknowledge& acknowledge, double now);
    void on_message(const Reject& reject, double now);
    void on_message(const Drain& drain, double now);
    void on_message(const Piece&, double) {}
    void on_message(const Taken& taken, double now);

    void begin(const Evaluate& task, double now);
    // The first slot in which nothing runs; there must be one.
    Slot free_slot() const;
    void begin_waiting(double now);
    void deliver(const Json& outcome, double now);
    bool send_kept(const Kept& kept, double now);
    // Whether nothing is left of the outcome of which the connection took a part.
    bool send_rest(double now);
    // What is kept and was not sent over this connection, oldest first, as far as it takes it.
    void send_unsent(double now);
    void resend_unanswered(double now);
    void give_up(const std::string& reason);
    void say(const std::string& sentence);

    Options m_options;
    int m_signals;
    std::string m_session;
    Outbox m_outbox;
    Link m_link;
    std::vector<std::unique_ptr<Evaluation>> m_running;
    std::deque<Evaluate> m_waiting;
    std::vector<CutShort> m_cut_short;
    std::map<std::string, double> m_sent; // by lease, when: not acknowledged yet
    std::deque<std::string> m_rest; // of the outcome of which the connection took a part, and its lease
    std::string m_rest_of;
    std::set<std::string> m_begun; // leases of which the orchestrator may have the first pieces
    bool m_draining = false;
    bool m_stopping = false;
    int m_interrupted = 0;
    double m_told_at = -std::numeric_limits<double>::infinity(); // by the last signal of a program that was no echo
    int m_exit_code = 0;
    std::string m_reason;
    double m_linger_until = NEVER;
    double m_woke = seconds_now();
    double m_alone_since = seconds_now();
    bool m_left_alone = false;
    std::string m_last_said;
};

} // namespace native
