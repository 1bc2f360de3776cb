#include "evaluation.hpp"

#include "link.hpp"
#include "trial_left.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace native
{
namespace
{

constexpr std::streamoff LAST_WORDS = 2000; // bytes of standard error in a failure's message
constexpr int CANNOT_START = 127;

[[noreturn]] void
refuse(const std::string& what)
{
    throw std::runtime_error("the evaluation cannot be started: " + what + ": " + std::strerror(errno));
}

struct Descriptor
{
    int number;

    ~Descriptor() { close(number); }
};

// In the new process: nothing here may allocate, for another thread may have held the allocator's lock.
[[noreturn]] void
become(const char* const* arguments, const char* const* environment, int input, int output, int errors, pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
    {
        _exit(CANNOT_START); // the worker died before the line above
    }
#else
    (void)parent;
#endif
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGUSR1, SIG_IGN); // what announces the end of a job: it is to be finished
    signal(SIGUSR2, SIG_IGN);
    execve(arguments[0], const_cast<char* const*>(arguments), const_cast<char* const*>(environment));
    _exit(CANNOT_START);
}

bool
asks_to_end(int number)
{
    return number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGUSR1 || number == SIGUSR2;
}

} // namespace

Evaluation::Evaluation(const std::string& program, const std::string& evaluator, const Json& options, Evaluate task,
                       const std::filesystem::path& trials, Slot slot)
    : m_task(std::move(task)),
      m_slot(std::move(slot)),
      m_directory(trial_folder(trials, m_task.run, m_task.trial)),
      m_started(seconds_now()),
      m_deadline(m_task.timeout_s ? m_started + *m_task.timeout_s : NEVER)
{
    std::error_code error;
    std::filesystem::create_directories(m_directory, error);
    const std::string stem = "attempt-" + std::to_string(m_task.attempt);
    const auto input_file = m_directory / (stem + ".json");
    m_errors = m_directory / (stem + ".stderr");
    if (!m_task.accumulates.empty())
    {
        forget_left(m_directory);
    }
    if (!m_task.accumulates.empty() && m_task.continues != 0)
    {
        m_continued_from = found_left(trial_folder(trials, m_task.run, m_task.continues), m_task);
    }
    const std::string before = m_continued_from ? m_continued_from->string() : "";
    std::ofstream(input_file) << encode({{"parameters", m_task.parameters},
                                         {"options", options},
                                         {"seed", m_task.seed},
                                         {"directory", std::filesystem::absolute(m_directory, error).string()},
                                         {"continued_from", before}});
    const Descriptor input{open(input_file.c_str(), O_RDONLY | O_CLOEXEC)};
    const Descriptor errors{open(m_errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    if (input.number < 0 || errors.number < 0)
    {
        refuse("expected to write to " + m_directory.string());
    }
    int ends[2];
    if (pipe(ends) != 0)
    {
        refuse("pipe");
    }
    const Descriptor write_end{ends[1]};
    m_output = ends[0];
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const char* const arguments[] = {program.c_str(), "evaluate", evaluator.c_str(), nullptr};
    Variables beside = m_slot.own;
    if (!m_task.accumulates.empty())
    {
        beside["ORCHESTRATOR_CONTINUED_FROM"] = before;
    }
    const std::vector<std::string> entries = environment_with(beside);
    std::vector<const char*> environment;
    std::transform(entries.begin(), entries.end(), std::back_inserter(environment),
                   [](const std::string& entry) { return entry.c_str(); });
    environment.push_back(nullptr);
    const pid_t parent = getpid();
    m_process = fork();
    if (m_process == 0)
    {
        become(arguments, environment.data(), input.number, write_end.number, errors.number, parent);
    }
    if (m_process < 0)
    {
        close(m_output);
        refuse("fork");
    }
    setpgid(m_process, m_process); // whichever of the two comes first
}

Evaluation::~Evaluation()
{
    kill_and_reap();
    close(m_output);
}

double
Evaluation::elapsed_s() const
{
    return std::max(0.0, seconds_now() - m_started);
}

std::vector<Json>
Evaluation::on_readable()
{
    std::vector<Json> progress;
    char buffer[1 << 14];
    ssize_t count = 0;
    while ((count = ::read(m_output, buffer, sizeof buffer)) > 0)
    {
        m_unread.append(buffer, static_cast<std::size_t>(count));
        std::size_t end = 0;
        while ((end = m_unread.find('\n')) != std::string::npos)
        {
            on_line(m_unread.substr(0, end), progress);
            m_unread.erase(0, end + 1);
        }
        if (m_unread.size() > FRAME_LIMIT)
        {
            m_said = {{"failure", "invalid"}, {"message", "the evaluation printed a line of more than 1 MiB"}};
            m_ended = true;
            return progress;
        }
    }
    m_ended = count == 0;
    return progress;
}

void
Evaluation::on_line(const std::string& line, std::vector<Json>& progress)
{
    Json said = Json::parse(line, nullptr, false);
    if (said.is_object() && said.contains("step"))
    {
        said["type"] = "progress";
        said["lease"] = m_task.lease;
        progress.push_back(std::move(said));
    }
    else if (said.is_object())
    {
        m_said = std::move(said);
    }
}

Json
Evaluation::outcome()
{
    const double elapsed = elapsed_s();
    if (m_said.is_null())
    {
        // It has closed its output and is about to end by itself: how, is what is asked for.
        int status = 0;
        while (waitpid(m_process, &status, 0) < 0 && errno == EINTR)
        {
        }
        m_process = -1;
        m_asked_to_end = WIFSIGNALED(status) && asks_to_end(WTERMSIG(status));
        return with_own(unspoken_end(status));
    }
    kill_and_reap();
    return with_own(spoken_end(elapsed));
}

Json
Evaluation::with_own(Json outcome) const
{
    if (!m_slot.own.empty())
    {
        outcome["own"] = m_slot.own;
    }
    return outcome;
}

Json
Evaluation::spoken_end(double elapsed) const
{
    if (m_said.contains("failure"))
    {
        return failure(m_task, m_said["failure"], m_said["message"], elapsed);
    }
    Json told = result(m_task, m_said, elapsed, m_continued_from.has_value());
    if (!m_task.accumulates.empty() && told["type"] == "result")
    {
        note_left(m_directory, m_task);
    }
    return told;
}

Json
Evaluation::unspoken_end(int status) const
{
    const std::string words = last_words();
    if (WIFSIGNALED(status))
    {
        const int number = WTERMSIG(status);
        const std::string name = std::to_string(number) + " (" + strsignal(number) + ")";
        return failure(m_task, "killed", "the evaluation was killed by signal " + name + words, elapsed_s());
    }
    const std::string code = std::to_string(WEXITSTATUS(status));
    return failure(m_task, "error", "the evaluation ended with exit code " + code + " and no result" + words,
                   elapsed_s());
}

void
Evaluation::excuse(double at_most, double at_least)
{
    m_deadline += at_most;
    m_started += at_least;
}

Json
Evaluation::time_out()
{
    const double elapsed = elapsed_s();
    kill_and_reap();
    const std::string limit = Json(*m_task.timeout_s).dump();
    return with_own(failure(m_task, "timeout", "killed at its timeout of " + limit + " s" + last_words(), elapsed));
}

std::string
Evaluation::last_words() const
{
    std::ifstream stream(m_errors, std::ios::binary | std::ios::ate);
    const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
    stream.seekg(std::max<std::streamoff>(0, size - LAST_WORDS));
    std::string said{std::istreambuf_iterator<char>(stream), {}};
    while (!said.empty() && said.back() == '\n')
    {
        said.pop_back();
    }
    return said.empty() ? said : "\n" + said;
}

void
Evaluation::kill_and_reap()
{
    if (m_process > 0)
    {
        kill(-m_process, SIGKILL);
        kill(m_process, SIGKILL); // should it not have its group yet
        while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR)
        {
        }
        m_process = -1;
    }
}

} // namespace native
