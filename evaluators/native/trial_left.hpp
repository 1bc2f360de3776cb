// What trials leave to others of the same settings that look more closely, and go on from it.
#pragma once

#include "messages.hpp"

#include <filesystem>
#include <optional>

namespace native
{

// The folder of a trial. A run's name comes over the wire and may be a path, but names one folder.
std::filesystem::path trial_folder(const std::filesystem::path& trials, const std::string& run, std::int64_t trial);

// Notes that a task came to its end, and that what it leaves lies in its trial's folder. Nothing of it is said
// where that cannot be noted: others begin from nothing then.
void note_left(const std::filesystem::path& trial, const Evaluate& task);

// Another attempt at a trial begins, and may write over what those before it left.
void forget_left(const std::filesystem::path& trial);

// A trial's folder, if an attempt there came to its end whose parameters are the task's, or those that it says
// were begun with, but perhaps for the one by which it accumulates.
std::optional<std::filesystem::path> found_left(const std::filesystem::path& trial, const Evaluate& task);

} // namespace native
