// Outcomes kept on disk until they are acknowledged: one file each, written aside and renamed.
#pragma once

#include "messages.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace native
{

struct Kept
{
    std::string run;
    std::string lease;
    std::string frame;
    std::filesystem::path file; // empty if the disk would not take it
};

class Outbox
{
  public:
    // Opens and locks the directory, and reads what an earlier worker left in it.
    // Throws std::runtime_error, in words, where it cannot be used or another worker uses it.
    explicit Outbox(const std::filesystem::path& directory);
    ~Outbox();
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    // Keeps an outcome: on the device when this returns true. False: in memory only.
    bool keep(const std::string& run, const std::string& lease, const std::string& frame);
    // The outcome of a lease that is still kept and may be sent; null if there is none.
    const Kept* find(const std::string& run, const std::string& lease) const;
    // What is kept for a run and may be sent, oldest first.
    std::vector<const Kept*> waiting(const std::string& run) const;
    void acknowledge(const std::string& run, const std::string& lease);
    // Keeps an outcome without offering it again in this session.
    void set_aside(const std::string& run, const std::string& lease);
    std::size_t size() const;
    // Files that could not be read; they were renamed to *.damaged.
    std::size_t damaged() const;

  private:
    void read_file(const std::filesystem::path& file);
    bool write_file(const std::filesystem::path& file, const std::string& frame);
    std::map<std::uint64_t, Kept>::const_iterator position(const std::string& run, const std::string& lease) const;

    std::filesystem::path m_directory;
    std::map<std::uint64_t, Kept> m_kept; // by order of arrival
    std::set<std::uint64_t> m_aside;
    std::uint64_t m_next = 1;
    std::size_t m_damaged = 0;
    int m_lock = -1;
};

} // namespace native
