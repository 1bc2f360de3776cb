// What a worker proves itself with, where the orchestrator wants keys: a file from `orchestrator keys new`.
#pragma once

#include <filesystem>
#include <string>

namespace native
{

// CURVE keys in Z85, 40 characters each. `server_key` is the orchestrator's public key.
struct Credentials
{
    std::string public_key;
    std::string secret_key;
    std::string server_key;
};

// Throws std::invalid_argument, in words that never quote the file, if it is no such file or open to others.
Credentials read_credentials(const std::filesystem::path& path);

} // namespace native
