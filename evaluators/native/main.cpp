// A worker in C++ that speaks docs/protocol.md itself: `native-worker --connect tcp://host:5555`.
// SIGTERM or SIGINT once: finish what runs, say goodbye, exit 0. Twice: kill what runs, exit 130. A SIGTERM within a
// second of another is its echo. SIGUSR1 and SIGUSR2, by which queues announce the end of a job, are as SIGTERM.
// A terminal that is closed (SIGHUP) is the first, and never the second; `nohup` keeps the worker from it.

#include "worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

constexpr int CANNOT_WORK = 1;
constexpr int WRONG_ARGUMENTS = 2;
constexpr const char* USAGE =
    "usage: native-worker --connect ADDRESS [--name NAME] [--directory DIRECTORY] [--slots N] [--key FILE]\n"
    "                     [--each NAME=VALUE ...] [--wait SECONDS]\n"
    "       native-worker evaluators\n"
    "Evaluates trials for an orchestrator. `evaluators` lists what it offers. `--each` gives each slot an environment\n"
    "variable of its own, as many values as --slots, in their order; the run records them, so no secrets.\n"
    "`--wait`: leave where no orchestrator has answered for so long.\n";

int signal_pipe[2];

// What a signal handler may do is little: it leaves the number where the loop looks.
void
on_signal(int number)
{
    const unsigned char byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const ssize_t written = write(signal_pipe[1], &byte, 1);
}

void
watch_signals()
{
    if (pipe(signal_pipe) != 0)
    {
        throw std::runtime_error("cannot make a pipe");
    }
    for (const int end : signal_pipe)
    {
        fcntl(end, F_SETFD, FD_CLOEXEC);
        fcntl(end, F_SETFL, O_NONBLOCK);
    }
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGUSR1, &action, nullptr);
    sigaction(SIGUSR2, &action, nullptr);
    struct sigaction before = {};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
    {
        sigaction(SIGHUP, &action, nullptr);
    }
}

std::string
own_file(const char* called)
{
    std::error_code error;
    const auto real = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::absolute(called).string() : real.string();
}

std::string
default_name()
{
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    const std::string whole = host;
    return whole.substr(0, whole.find('.')) + "-" + std::to_string(getpid());
}

native::Options
options_from(const std::vector<std::string>& arguments)
{
    native::Options options;
    for (std::size_t i = 0; i < arguments.size(); i += 2)
    {
        const std::string each = "--each=";
        if (arguments[i].compare(0, each.size(), each) == 0)
        {
            options.each.add(arguments[i--].substr(each.size()));
            continue;
        }
        if (i + 1 == arguments.size())
        {
            throw std::invalid_argument("expected a value after " + arguments[i]);
        }
        const std::string& name = arguments[i];
        const std::string& value = arguments[i + 1];
        if (name == "--connect")
        {
            options.connect = value;
        }
        else if (name == "--name")
        {
            if (value.find_first_not_of(" \t") == std::string::npos)
            {
                throw std::invalid_argument("expected --name with a name that is unique in a run, got '" +
                                            value + "'; without --name it is host and process");
            }
            options.name = value;
        }
        else if (name == "--directory")
        {
            options.directory = value;
        }
        else if (name == "--each")
        {
            options.each.add(value);
            while (i + 2 < arguments.size() && arguments[i + 2].compare(0, 2, "--") != 0)
            {
                options.each.add(arguments[++i + 1]);
            }
        }
        else if (name == "--key")
        {
            options.credentials = native::read_credentials(value);
        }
        else if (name == "--wait")
        {
            char* end = nullptr;
            options.wait_s = std::strtod(value.c_str(), &end);
            if (value.empty() || *end != '\0' || !(options.wait_s > 0.0))
            {
                throw std::invalid_argument("expected --wait of more than 0 seconds, got '" + value + "'");
            }
        }
        else if (name == "--slots")
        {
            const bool whole = !value.empty() && value.size() < 5 &&
                               value.find_first_not_of("0123456789") == std::string::npos;
            options.slots = whole ? std::stoul(value) : 0;
            if (options.slots < 1 || options.slots > native::SLOTS_LIMIT)
            {
                throw std::invalid_argument("expected --slots of 1 to " +
                                            std::to_string(native::SLOTS_LIMIT) +
                                            ", evaluations at a time, got '" + value + "'");
            }
        }
        else
        {
            throw std::invalid_argument("unknown argument " + name);
        }
    }
    options.each.check(options.slots);
    if (options.connect.empty())
    {
        throw std::invalid_argument("expected --connect with an address, got none");
    }
    return options;
}

int
work(const std::vector<std::string>& arguments, const char* called)
{
    native::Options options;
    try
    {
        options = options_from(arguments);
    }
    catch (const std::invalid_argument& error)
    {
        std::cerr << "native-worker: " << error.what() << "\n" << USAGE;
        return WRONG_ARGUMENTS;
    }
    if (options.directory.empty())
    {
        // A name is for good; a process number is not, and its files would never be found again.
        options.directory = "logs/worker-" + (options.name.empty() ? "native" : options.name);
    }
    if (options.name.empty())
    {
        options.name = default_name();
    }
    options.program = own_file(called);
    try
    {
        watch_signals();
        return native::Worker(options, signal_pipe[0]).run();
    }
    catch (const std::invalid_argument& error)
    {
        std::cerr << "worker " << options.name << ": " << error.what() << std::endl;
        return WRONG_ARGUMENTS;
    }
    catch (const std::exception& error)
    {
        std::cerr << "worker " << options.name << ": " << error.what() << std::endl;
        return CANNOT_WORK;
    }
}

} // namespace

int
main(int count, char** given)
{
    const std::vector<std::string> arguments(given + 1, given + count);
    if (arguments.size() == 1 && arguments[0] == "evaluators")
    {
        for (const native::Workload& workload : native::workloads())
        {
            std::cout << workload.evaluator << "\n";
        }
        return 0;
    }
    if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h"))
    {
        std::cout << USAGE;
        return 0;
    }
    if (arguments.size() == 2 && arguments[0] == "evaluate")
    {
        return native::evaluate_once(arguments[1]);
    }
    return work(arguments, given[0]);
}
