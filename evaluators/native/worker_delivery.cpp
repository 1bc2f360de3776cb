// What became of evaluations, on its way to the orchestrator: kept until that is acknowledged, and sent.

#include "worker.hpp"

#include <algorithm>

namespace native
{

void
Worker::deliver(const Json& outcome, double now)
{
    const std::string run = outcome["run"];
    const std::string lease = outcome["lease"];
    if (!m_outbox.keep(run, lease, encode(outcome)))
    {
        say("a result cannot be written to " + m_options.directory.string() + "; it is kept in memory only");
    }
    if (run == run_name())
    {
        send_kept(*m_outbox.find(run, lease), now);
    }
}

bool
Worker::send_kept(const Kept& kept, double now)
{
    if (!m_rest.empty())
    {
        return false;
    }
    const auto frames = m_link.takes_pieces() ? frames_of(kept.frame, kept.lease) : std::vector{kept.frame};
    m_rest.assign(frames.begin(), frames.end());
    m_rest_of = kept.lease;
    if (frames.size() > 1 && m_begun.count(kept.lease) > 0)
    {
        // How much of it is there, the first piece asks.
        m_link.hold(m_link.send(frames.front()));
        if (!m_link.held())
        {
            m_rest.clear();
        }
        return false;
    }
    const bool sent = send_rest(now);
    if (m_rest.size() == frames.size())
    {
        m_rest.clear();
    }
    else if (frames.size() > 1)
    {
        m_begun.insert(kept.lease);
    }
    return sent;
}

bool
Worker::send_rest(double now)
{
    while (!m_rest.empty())
    {
        if (!m_link.send(m_rest.front()))
        {
            return false;
        }
        m_rest.pop_front();
        if (m_rest.empty())
        {
            m_sent[m_rest_of] = now;
        }
    }
    return true;
}

void
Worker::send_unsent(double now)
{
    if (!send_rest(now))
    {
        return;
    }
    for (const Kept* kept : m_outbox.waiting(run_name()))
    {
        if (m_sent.count(kept->lease) == 0 && !send_kept(*kept, now))
        {
            return;
        }
    }
}

void
Worker::resend_unanswered(double now)
{
    const double patience = SILENT_AFTER * m_link.heartbeat_s();
    for (auto sent = m_sent.begin(); m_link.greeted() && sent != m_sent.end();)
    {
        const bool late = now - sent->second >= patience;
        const std::string lease = sent->first;
        sent = late ? m_sent.erase(sent) : std::next(sent);
        if (const Kept* kept = late ? m_outbox.find(run_name(), lease) : nullptr)
        {
            send_kept(*kept, now);
        }
    }
}

void
Worker::on_message(const Taken& taken, double now)
{
    if (m_link.held() && taken.of == m_rest_of)
    {
        m_link.hold(false);
        const auto here = std::clamp<std::int64_t>(taken.number + 1, 0, static_cast<std::int64_t>(m_rest.size()));
        m_rest.erase(m_rest.begin(), m_rest.begin() + here);
        if (m_rest.empty())
        {
            m_sent[m_rest_of] = now;
        }
        send_unsent(now);
    }
    // That one, and what was sent behind it, is not unanswered but on its way.
    if (const auto found = m_sent.find(taken.of); found != m_sent.end())
    {
        const double since = found->second;
        for (auto& [lease, sent] : m_sent)
        {
            sent = sent >= since ? now : sent;
        }
    }
    m_linger_until = NEVER;
}

} // namespace native
