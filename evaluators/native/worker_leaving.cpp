// How the worker comes to leave: by signals, with what they end beside it, where nobody answers, or as all is in vain.

#include "worker.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace native
{
namespace
{

constexpr int INTERRUPTED = 130;
constexpr int MAKES_NO_SENSE = 2;
constexpr double ECHO_S = 1.0; // whoever means a second SIGTERM waits for what the first does

std::string
signal_name(int number)
{
    switch (number)
    {
    case SIGTERM:
        return "SIGTERM";
    case SIGHUP:
        return "SIGHUP";
    case SIGUSR1:
        return "SIGUSR1";
    case SIGUSR2:
        return "SIGUSR2";
    default:
        return "SIGINT";
    }
}

} // namespace

void
Worker::on_signals()
{
    unsigned char number = 0;
    while (::read(m_signals, &number, 1) == 1)
    {
        if (number == SIGHUP && m_interrupted > 0)
        {
            // A terminal is closed once, though the kernel and the shell may both say so.
            continue;
        }
        if (number == SIGTERM || number == SIGUSR1 || number == SIGUSR2)
        {
            // `timeout`, and some queues of clusters, send one to a program and then to its process group.
            const double now = seconds_now();
            if (now - m_told_at < ECHO_S)
            {
                continue;
            }
            m_told_at = now;
        }
        m_draining = true;
        m_reason = "drained by " + signal_name(number);
        m_waiting.clear();
        if (++m_interrupted > 1)
        {
            m_reason = "interrupted by " + signal_name(number);
            m_stopping = true;
            m_exit_code = INTERRUPTED;
        }
        else
        {
            say("finishing what runs; once more to stop at once");
        }
    }
}

double
Worker::leaving_due() const
{
    double due = alone_until();
    for (const CutShort& ended : m_cut_short)
    {
        due = in_doubt() ? std::min(due, ended.until) : due;
    }
    return due;
}

std::vector<Json>
Worker::doubted_for_long(double now)
{
    std::vector<Json> failed;
    for (auto ended = m_cut_short.begin(); m_interrupted == 0 && ended != m_cut_short.end();)
    {
        const bool alone = now >= ended->until;
        if (alone)
        {
            failed.push_back(ended->outcome);
        }
        ended = alone ? m_cut_short.erase(ended) : std::next(ended);
    }
    return failed;
}

double
Worker::alone_until() const
{
    // While something runs somebody may answer again.
    const bool is_busy = !m_running.empty() || in_doubt();
    return m_left_alone || is_busy ? NEVER : std::max(m_alone_since, m_link.heard_at()) + m_options.wait_s;
}

void
Worker::leave_if_alone(double now)
{
    if (now < alone_until())
    {
        return;
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", m_options.wait_s);
    m_left_alone = true;
    m_reason = "nobody has answered at " + m_options.connect + " for " + seconds + " s (--wait)";
    say(m_reason);
    m_exit_code = MAKES_NO_SENSE;
    m_draining = true;
    m_waiting.clear();
}

std::string
Worker::reason() const
{
    std::vector<std::int64_t> numbers;
    std::transform(m_cut_short.begin(), m_cut_short.end(), std::back_inserter(numbers),
                   [](const CutShort& ended) { return ended.task.trial; });
    std::sort(numbers.begin(), numbers.end());
    std::string said = m_reason;
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        said += (i == 0 ? ", by which trial " : ", trial ") + std::to_string(numbers[i]);
    }
    return numbers.empty() ? said : said + " ended too";
}

void
Worker::give_up(const std::string& reason)
{
    say(reason);
    m_reason = reason;
    m_exit_code = MAKES_NO_SENSE;
    m_stopping = true;
}

} // namespace native
