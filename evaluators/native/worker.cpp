#include "worker.hpp"

#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace native
{
namespace
{

constexpr double LOOKS_EVERY_MS = 2000.0;
constexpr double STOPPED_FROM_S = 5.0; // who wakes so late was stopped, and what it started as well

std::string
new_session()
{
    std::random_device device;
    char text[17];
    std::snprintf(text, sizeof text, "%08x%08x", device(), device());
    return text;
}

} // namespace

Worker::Worker(Options options, int signals)
    : m_options(std::move(options)),
      m_signals(signals),
      m_session(new_session()),
      m_outbox(m_options.directory),
      m_link(m_options.connect, m_options.credentials, [this] { return introduce(); })
{
    if (m_outbox.damaged() > 0)
    {
        say(std::to_string(m_outbox.damaged()) + " files of the outbox cannot be read; they are kept as *.damaged");
    }
}

int
Worker::run()
{
    say("dialling " + m_options.connect);
    double now = seconds_now();
    while (!is_done(now))
    {
        wait(next_moment());
        on_signals();
        now = seconds_now();
        for (const std::string& sentence : m_link.refused(now))
        {
            say(sentence + "; dialling on");
        }
        for (const Message& message : m_link.receive(now))
        {
            std::visit([this, now](const auto& kind) { on_message(kind, now); }, message);
        }
        on_evaluations(now);
        on_moment(now);
    }
    m_running.clear();
    m_link.close(goodbye(reason()));
    if (const auto kept = m_outbox.size(); kept > 0)
    {
        const bool one = kept == 1;
        say(std::to_string(kept) +
            (one ? " result is not acknowledged and is kept" : " results are not acknowledged and are kept") +
            "; a worker started with the same --directory sends " + (one ? "it" : "them"));
    }
    return m_exit_code;
}

bool
Worker::is_done(double now)
{
    if (m_stopping)
    {
        return true;
    }
    if (!m_draining || !m_running.empty() || in_doubt())
    {
        return false;
    }
    if (!m_link.welcome() || m_outbox.waiting(run_name()).empty())
    {
        return true;
    }
    if (m_linger_until == NEVER)
    {
        m_linger_until = now + SILENT_AFTER * m_link.heartbeat_s();
    }
    return now >= m_linger_until;
}

double
Worker::next_moment() const
{
    double due = std::min({m_link.due(), m_linger_until, leaving_due()});
    for (const auto& evaluation : m_running)
    {
        due = std::min(due, evaluation->deadline());
    }
    return due;
}

void
Worker::wait(double until)
{
    std::vector<zmq_pollitem_t> items;
    const short wanted = static_cast<short>(ZMQ_POLLIN | (m_link.blocked() ? ZMQ_POLLOUT : 0));
    items.push_back({m_link.socket(), 0, wanted, 0});
    items.push_back({m_link.refusals(), 0, ZMQ_POLLIN, 0});
    items.push_back({nullptr, m_signals, ZMQ_POLLIN, 0});
    for (const auto& evaluation : m_running)
    {
        items.push_back({nullptr, evaluation->descriptor(), ZMQ_POLLIN, 0});
    }
    // Rounded up: a wait that ends early would be repeated at once.
    const double left_ms = std::ceil((until - seconds_now()) * 1000.0);
    const long timeout = until == NEVER ? -1 : static_cast<long>(std::clamp(left_ms, 0.0, LOOKS_EVERY_MS));
    const int ready = zmq_poll(items.data(), static_cast<int>(items.size()), timeout);
    const double now = seconds_now();
    const double took = now - std::exchange(m_woke, now);
    const double late = took - static_cast<double>(timeout) / 1000.0;
    if (timeout >= 0 && late > STOPPED_FROM_S)
    {
        for (const auto& evaluation : m_running)
        {
            evaluation->excuse(took, late);
        }
        m_alone_since = std::max(m_alone_since, m_link.heard_at()) + took;
    }
    if (ready > 0 && (items[0].revents & ZMQ_POLLOUT) != 0)
    {
        m_link.on_writable(now);
        send_unsent(now);
    }
}

void
Worker::on_moment(double now)
{
    std::vector<Json> ended;
    for (auto& evaluation : m_running)
    {
        if (now >= evaluation->deadline())
        {
            ended.push_back(evaluation->time_out());
            evaluation.reset();
        }
    }
    m_running.erase(std::remove(m_running.begin(), m_running.end(), nullptr), m_running.end());
    for (const Json& outcome : ended)
    {
        deliver(outcome, now);
    }
    for (const Json& outcome : doubted_for_long(now))
    {
        deliver(outcome, now);
    }
    leave_if_alone(now);
    begin_waiting(now);
    if (now >= m_link.due())
    {
        if (m_link.on_time(now, leases(), m_draining))
        {
            if (m_sent.empty())
            {
                // A firewall may have forgotten the connection. What is on its way would begin anew.
                m_link.dial_again();
            }
            say("the orchestrator is silent; working on, and trying to reach it");
        }
        resend_unanswered(now);
    }
}

void
Worker::on_evaluations(double now)
{
    std::vector<Json> outcomes;
    for (auto& evaluation : m_running)
    {
        const bool of_this_run = evaluation->task().run == run_name();
        for (const Json& progress : evaluation->on_readable())
        {
            if (of_this_run)
            {
                m_link.send(encode(progress));
            }
        }
        if (evaluation->ended())
        {
            Json outcome = evaluation->outcome();
            if (evaluation->asked_to_end())
            {
                m_cut_short.push_back({now + TOGETHER_S, evaluation->task(), std::move(outcome)});
            }
            else
            {
                outcomes.push_back(std::move(outcome));
            }
            evaluation.reset();
        }
    }
    m_running.erase(std::remove(m_running.begin(), m_running.end(), nullptr), m_running.end());
    for (const Json& outcome : outcomes)
    {
        deliver(outcome, now);
    }
}

void
Worker::begin(const Evaluate& task, double now)
{
    const Welcome& welcome = *m_link.welcome();
    try
    {
        m_running.push_back(std::make_unique<Evaluation>(m_options.program, welcome.evaluator, welcome.options, task,
                                                         m_options.directory / "trials", free_slot()));
        if (m_running.back()->begins_anew())
        {
            say("trial " + std::to_string(task.trial) + " begins from nothing: what trial " +
                std::to_string(task.continues) + ", from which it was to go on, left is not here");
        }
    }
    catch (const std::runtime_error& error)
    {
        deliver(failure(task, "error", error.what(), 0.0), now);
    }
}

Slot
Worker::free_slot() const
{
    std::size_t number = 0;
    const auto taken = [&number](const auto& evaluation) { return evaluation->slot().number == number; };
    while (std::any_of(m_running.begin(), m_running.end(), taken))
    {
        ++number;
    }
    return m_options.each.slot(number);
}

void
Worker::begin_waiting(double now)
{
    // What waits for another run waits on: its options are those of that run.
    const auto of_this_run = [this](const Evaluate& task) { return task.run == run_name(); };
    while (m_running.size() < m_options.slots)
    {
        const auto next = std::find_if(m_waiting.begin(), m_waiting.end(), of_this_run);
        if (next == m_waiting.end())
        {
            return;
        }
        const Evaluate task = *next;
        m_waiting.erase(next);
        begin(task, now);
    }
}

std::vector<std::string>
Worker::leases() const
{
    std::vector<std::string> held;
    const auto add = [this, &held](const Evaluate& task) {
        if (task.run == run_name())
        {
            held.push_back(task.lease);
        }
    };
    for (const auto& evaluation : m_running)
    {
        add(evaluation->task());
    }
    std::for_each(m_waiting.begin(), m_waiting.end(), add);
    std::for_each(m_cut_short.begin(), m_cut_short.end(), [&add](const CutShort& ended) { add(ended.task); });
    return held;
}

std::string
Worker::run_name() const
{
    return m_link.welcome() ? m_link.welcome()->run : std::string();
}

bool
Worker::holds(const std::string& lease) const
{
    const std::vector<std::string> held = leases();
    return std::count(held.begin(), held.end(), lease) > 0;
}

void
Worker::say(const std::string& sentence)
{
    if (sentence != m_last_said)
    {
        std::cerr << "worker " << m_options.name << ": " << sentence << std::endl;
        m_last_said = sentence;
    }
}

} // namespace native
