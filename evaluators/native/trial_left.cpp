#include "trial_left.hpp"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

namespace native
{
namespace
{

constexpr std::string_view PREFIX = "attempt-";
constexpr std::string_view SUFFIX = ".left.json";

std::vector<std::filesystem::path>
noted(const std::filesystem::path& trial)
{
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(trial, error))
    {
        const std::string name = entry.path().filename().string();
        const bool is_long = name.size() > PREFIX.size() + SUFFIX.size();
        if (is_long && name.rfind(PREFIX, 0) == 0 && name.substr(name.size() - SUFFIX.size()) == SUFFIX)
        {
            found.push_back(entry.path());
        }
    }
    return found;
}

Json
without(Json parameters, const std::string& name)
{
    parameters.erase(name);
    return parameters;
}

} // namespace

std::filesystem::path
trial_folder(const std::filesystem::path& trials, const std::string& run, std::int64_t trial)
{
    std::string folder;
    char written[32];
    for (const unsigned char byte : run)
    {
        const bool kept = std::isalnum(byte) != 0 || std::string_view("_.-").find(byte) != std::string_view::npos;
        std::snprintf(written, sizeof written, kept ? "%c" : "%%%02X", byte);
        folder += written;
    }
    if (folder.empty() || folder.front() == '.')
    {
        folder.insert(folder.begin(), '%');
    }
    std::snprintf(written, sizeof written, "%04lld", static_cast<long long>(trial));
    return trials / folder / written;
}

void
note_left(const std::filesystem::path& trial, const Evaluate& task)
{
    // As the worker in Python has it: empty is the trial's folder itself.
    const Json left = {{"parameters", task.parameters}, {"directory", ""}};
    std::ofstream(trial / (std::string(PREFIX) + std::to_string(task.attempt) + std::string(SUFFIX))) << encode(left);
}

void
forget_left(const std::filesystem::path& trial)
{
    std::error_code error;
    for (const auto& path : noted(trial))
    {
        std::filesystem::remove(path, error);
    }
}

std::optional<std::filesystem::path>
found_left(const std::filesystem::path& trial, const Evaluate& task)
{
    const Json wanted = without(task.begun.empty() ? task.parameters : task.begun, task.accumulates);
    for (const auto& path : noted(trial))
    {
        std::ifstream stream(path);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        const Json left = Json::parse(text, nullptr, false);
        const bool is_one = left.is_object() && left.contains("parameters") && left["parameters"].is_object();
        if (is_one && without(left["parameters"], task.accumulates) == wanted)
        {
            std::error_code error;
            return std::filesystem::absolute(trial, error);
        }
    }
    return std::nullopt;
}

} // namespace native
