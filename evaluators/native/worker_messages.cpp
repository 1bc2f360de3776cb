// What the worker does with each message, and how it introduces itself.

#include "worker.hpp"

#include <unistd.h>

#include <algorithm>

namespace native
{
namespace
{

std::string
host_name()
{
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

} // namespace

void
Worker::on_message(const Welcome& welcome, double now)
{
    m_link.on_welcome(welcome, now);
    if (welcome.protocol != PROTOCOL)
    {
        give_up("the orchestrator speaks protocol " + std::to_string(welcome.protocol) + ", this worker " +
                std::to_string(PROTOCOL));
        return;
    }
    const Workload* workload = find_workload(welcome.evaluator);
    if (workload == nullptr)
    {
        give_up("run " + welcome.run + " needs the evaluator `" + welcome.evaluator + "`, which this worker has not");
        return;
    }
    for (const auto& [option, value] : welcome.options.items())
    {
        if (std::count(workload->options.begin(), workload->options.end(), option) == 0)
        {
            give_up("evaluator `" + welcome.evaluator + "` has no option `" + option + "`");
            return;
        }
    }
    say("works for " + welcome.experiment + ", run " + welcome.run);
    m_sent.clear();
    m_rest.clear();
    for (const Kept* kept : m_outbox.waiting(welcome.run))
    {
        m_begun.insert(kept->lease); // by an earlier life of this worker, perhaps
    }
    send_unsent(now);
}

void
Worker::on_message(const Evaluate& task, double now)
{
    if (!m_link.greeted() || task.run != run_name())
    {
        return;
    }
    if (const Kept* kept = m_outbox.find(task.run, task.lease))
    {
        send_kept(*kept, now);
    }
    else if (!m_draining && !holds(task.lease))
    {
        m_waiting.push_back(task);
        begin_waiting(now);
    }
}

void
Worker::on_message(const Cancel& cancel, double now)
{
    const auto of_lease = [this, &cancel](const Evaluate& task) {
        return task.lease == cancel.lease && task.run == run_name();
    };
    m_waiting.erase(std::remove_if(m_waiting.begin(), m_waiting.end(), of_lease), m_waiting.end());
    m_running.erase(std::remove_if(m_running.begin(), m_running.end(),
                                   [&of_lease](const auto& evaluation) { return of_lease(evaluation->task()); }),
                    m_running.end());
    m_cut_short.erase(std::remove_if(m_cut_short.begin(), m_cut_short.end(),
                                     [&of_lease](const CutShort& ended) { return of_lease(ended.task); }),
                      m_cut_short.end());
    begin_waiting(now);
}

void
Worker::on_message(const Acknowledge& acknowledge, double)
{
    m_sent.erase(acknowledge.lease);
    m_begun.erase(acknowledge.lease);
    m_outbox.acknowledge(run_name(), acknowledge.lease);
}

void
Worker::on_message(const Reject& reject, double now)
{
    if (reject.code == "hello")
    {
        m_link.on_unknown(now);
    }
    // A hello that is malformed, as by its name, would be so again.
    else if (reject.code == "protocol" || reject.code == "evaluator" ||
             (reject.code == "malformed" && reject.lease.empty() && !m_link.greeted()))
    {
        give_up("the orchestrator refused this worker: " + reject.reason);
    }
    else if (reject.code == "name")
    {
        m_link.on_name_taken(now);
        say("the orchestrator refused this worker's name: " + reject.reason + "; trying again");
    }
    else
    {
        say("the orchestrator refused a message: " + reject.reason);
        m_sent.erase(reject.lease);
        m_outbox.set_aside(run_name(), reject.lease);
    }
}

void
Worker::on_message(const Drain& drain, double)
{
    if (!m_draining)
    {
        say(drain.now ? "the run is over, or was stopped" : "the run needs this worker no more");
    }
    m_reason = m_reason.empty() ? "drained" : m_reason;
    m_draining = true;
    m_stopping = m_stopping || drain.now;
    m_waiting.clear();
}

Json
Worker::introduce() const
{
    std::vector<std::string> offered;
    for (const Workload& workload : workloads())
    {
        offered.push_back(workload.evaluator);
    }
    return {{"type", "hello"},      {"protocol", PROTOCOL},     {"worker", m_options.name},
            {"session", m_session}, {"evaluators", offered},    {"slots", m_options.slots},
            {"leases", leases()},   {"host", host_name()},      {"pid", static_cast<int>(getpid())},
            {"draining", m_draining}, {"run", run_name()},        {"own", m_options.each.of_all()},
            {"takes_pieces", true}};
}

} // namespace native
