#include "outbox.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace native
{
namespace
{

namespace fs = std::filesystem;

// A new name is durable once its directory is; without it a restart may not find the file.
void
sync_directory(const fs::path& directory)
{
    const int descriptor = open(directory.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0)
    {
        fsync(descriptor);
        close(descriptor);
    }
}

int
locked(const fs::path& directory)
{
    const fs::path path = directory / "outbox.lock";
    const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock < 0)
    {
        throw std::runtime_error("cannot keep results in " + directory.string() + ": " + std::strerror(errno) +
                                 "; give the worker a --directory that it can write to");
    }
    if (flock(lock, LOCK_EX | LOCK_NB) != 0)
    {
        close(lock);
        throw std::runtime_error(directory.string() +
                                 " belongs to a running worker; give this one a --directory of its own");
    }
    return lock;
}

} // namespace

Outbox::Outbox(const fs::path& directory)
    : m_directory(directory / "outbox")
{
    std::error_code error;
    fs::create_directories(m_directory, error);
    if (error)
    {
        throw std::runtime_error("cannot keep results in " + directory.string() + ": " + error.message() +
                                 "; give the worker a --directory that it can write to");
    }
    m_lock = locked(directory);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(m_directory))
    {
        if (entry.path().extension() == ".json")
        {
            files.push_back(entry.path());
        }
        else if (entry.path().extension() == ".new")
        {
            fs::remove(entry.path(), error); // torn by a crash, and never sent
        }
    }
    std::sort(files.begin(), files.end());
    std::for_each(files.begin(), files.end(), [this](const fs::path& file) { read_file(file); });
}

Outbox::~Outbox()
{
    close(m_lock);
}

void
Outbox::read_file(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    const std::string frame{std::istreambuf_iterator<char>(stream), {}};
    const Json outcome = Json::parse(frame, nullptr, false);
    const auto is_text = [&outcome](const char* name) { return outcome.contains(name) && outcome[name].is_string(); };
    if (!outcome.is_object() || !is_text("run") || !is_text("lease"))
    {
        std::error_code error;
        fs::rename(file, fs::path(file).concat(".damaged"), error);
        ++m_damaged;
        return;
    }
    const std::uint64_t number = std::strtoull(file.stem().c_str(), nullptr, 10);
    m_kept[number] = {outcome["run"], outcome["lease"], frame, file};
    m_next = std::max(m_next, number + 1);
}

bool
Outbox::keep(const std::string& run, const std::string& lease, const std::string& frame)
{
    const std::uint64_t number = m_next++;
    char name[32];
    std::snprintf(name, sizeof name, "%012llu.json", static_cast<unsigned long long>(number));
    const fs::path file = m_directory / name;
    const bool written = write_file(file, frame);
    m_kept[number] = {run, lease, frame, written ? file : fs::path()};
    return written;
}

bool
Outbox::write_file(const fs::path& file, const std::string& frame)
{
    const fs::path fresh = fs::path(file).concat(".new");
    const int descriptor = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0)
    {
        return false;
    }
    const bool whole = ::write(descriptor, frame.data(), frame.size()) == static_cast<ssize_t>(frame.size());
    const bool safe = whole && fsync(descriptor) == 0;
    close(descriptor);
    if (!safe || std::rename(fresh.c_str(), file.c_str()) != 0)
    {
        unlink(fresh.c_str());
        return false;
    }
    sync_directory(m_directory);
    return true;
}

std::map<std::uint64_t, Kept>::const_iterator
Outbox::position(const std::string& run, const std::string& lease) const
{
    return std::find_if(m_kept.begin(), m_kept.end(), [&](const auto& entry) {
        return entry.second.run == run && entry.second.lease == lease && m_aside.count(entry.first) == 0;
    });
}

const Kept*
Outbox::find(const std::string& run, const std::string& lease) const
{
    const auto found = position(run, lease);
    return found == m_kept.end() ? nullptr : &found->second;
}

std::vector<const Kept*>
Outbox::waiting(const std::string& run) const
{
    std::vector<const Kept*> found;
    for (const auto& [number, kept] : m_kept)
    {
        if (kept.run == run && m_aside.count(number) == 0)
        {
            found.push_back(&kept);
        }
    }
    return found;
}

void
Outbox::acknowledge(const std::string& run, const std::string& lease)
{
    const auto found = position(run, lease);
    if (found != m_kept.end())
    {
        if (!found->second.file.empty())
        {
            unlink(found->second.file.c_str());
        }
        m_kept.erase(found);
    }
}

void
Outbox::set_aside(const std::string& run, const std::string& lease)
{
    const auto found = position(run, lease);
    if (found != m_kept.end())
    {
        m_aside.insert(found->first);
    }
}

std::size_t
Outbox::size() const
{
    return m_kept.size();
}

std::size_t
Outbox::damaged() const
{
    return m_damaged;
}

} // namespace native
