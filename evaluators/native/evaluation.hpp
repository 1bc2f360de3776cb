// One evaluation in a process of its own, which can be killed with all that it started.
#pragma once

#include "messages.hpp"
#include "own_variables.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace native
{

class Evaluation
{
  public:
    // Starts `program evaluate EVALUATOR` with what the slot has of its own. What it prints to standard error is
    // kept in the folder of its trial among `trials`, as is its task, and what it leaves to others. Throws
    // std::runtime_error, in words, if it cannot be started.
    Evaluation(const std::string& program, const std::string& evaluator, const Json& options, Evaluate task,
               const std::filesystem::path& trials, Slot slot);
    // Kills it if it still runs.
    ~Evaluation();
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    const Evaluate& task() const { return m_task; }
    const Slot& slot() const { return m_slot; }
    // Readable when there is something for on_readable.
    int descriptor() const { return m_output; }
    // The moment of its timeout.
    double deadline() const { return m_deadline; }
    // For between so many seconds neither it nor this process ran: that counts for no timeout, and took it no time.
    void excuse(double at_most, double at_least);
    double elapsed_s() const;
    // Reads what has come; returns the progress messages that are to be sent.
    std::vector<Json> on_readable();
    // Whether it has said all it will say.
    bool ended() const { return m_ended; }
    // The result or failure of one that has ended.
    Json outcome();
    // Whether a signal that asks for it ended it, once its outcome is known.
    bool asked_to_end() const { return m_asked_to_end; }
    // Kills it; the failure of kind timeout.
    Json time_out();
    // Whether it begins from nothing that was to go on from another trial.
    bool begins_anew() const { return m_task.continues != 0 && !m_continued_from; }

  private:
    void on_line(const std::string& line, std::vector<Json>& progress);
    Json spoken_end(double elapsed) const;
    Json unspoken_end(int status) const;
    // An outcome, and what the slot had of its own.
    Json with_own(Json outcome) const;
    std::string last_words() const;
    void kill_and_reap();

    Evaluate m_task;
    Slot m_slot;
    std::filesystem::path m_directory;
    std::optional<std::filesystem::path> m_continued_from;
    std::filesystem::path m_errors;
    pid_t m_process = -1;
    int m_output = -1;
    double m_started;
    double m_deadline;
    bool m_ended = false;
    bool m_asked_to_end = false;
    std::string m_unread;
    Json m_said; // the last line that is no progress
};

} // namespace native
