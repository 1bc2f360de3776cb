#include "credentials.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace native
{
namespace
{

constexpr std::size_t KEY_LENGTH = 40;

} // namespace

Credentials
read_credentials(const std::filesystem::path& path)
{
    using std::filesystem::perms;
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    std::ifstream stream(path);
    if (error || !stream)
    {
        const auto given = path.string();
        if (given.find('{') != std::string::npos || given.size() == KEY_LENGTH)
        {
            throw std::invalid_argument("expected the name of a key file, got what looks like a key itself, which "
                                        "whoever lists processes can read: have another made (orchestrator keys new "
                                        "NAME)");
        }
        throw std::invalid_argument("expected a key file at " + path.string() + ", and cannot read one there");
    }
    if ((status.permissions() & (perms::group_all | perms::others_all)) != perms::none)
    {
        throw std::invalid_argument("expected " + path.string() + " to be its owner's alone; mend it: chmod 600 " +
                                    path.string());
    }
    const auto content = nlohmann::json::parse(stream, nullptr, false);
    const auto key = [&content, &path](const char* name) {
        const auto found = content.is_object() ? content.find(name) : content.end();
        if (found == content.end() || !found->is_string() || found->get<std::string>().size() != KEY_LENGTH)
        {
            throw std::invalid_argument("expected credentials made by `orchestrator keys new`, got something else in " +
                                        path.string());
        }
        return found->get<std::string>();
    };
    return {key("public"), key("secret"), key("server")};
}

} // namespace native
