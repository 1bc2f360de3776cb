#include "messages.hpp"

#include <cmath>
#include <stdexcept>

namespace native
{
namespace
{

// What a frame lacks or has wrong; never leaves this file.
struct Malformed : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

const Json&
field(const Json& object, const char* name)
{
    const auto found = object.find(name);
    if (found == object.end())
    {
        throw Malformed(name);
    }
    return *found;
}

std::string
text(const Json& object, const char* name)
{
    const Json& value = field(object, name);
    if (!value.is_string())
    {
        throw Malformed(name);
    }
    return value.get<std::string>();
}

std::string
text_or_none(const Json& object, const char* name)
{
    return object.contains(name) ? text(object, name) : std::string();
}

std::int64_t
whole(const Json& object, const char* name)
{
    const Json& value = field(object, name);
    if (!value.is_number_integer())
    {
        throw Malformed(name);
    }
    return value.get<std::int64_t>();
}

double
number(const Json& object, const char* name)
{
    const Json& value = field(object, name);
    if (!value.is_number())
    {
        throw Malformed(name);
    }
    return value.get<double>();
}

bool
truth_or_false(const Json& object, const char* name)
{
    if (!object.contains(name))
    {
        return false;
    }
    if (!object[name].is_boolean())
    {
        throw Malformed(name);
    }
    return object[name].get<bool>();
}

Json
mapping(const Json& object, const char* name)
{
    const Json& value = field(object, name);
    if (!value.is_object())
    {
        throw Malformed(name);
    }
    return value;
}

Message
read_welcome(const Json& frame)
{
    return Welcome{whole(frame, "protocol"),
                   text(frame, "run"),
                   text(frame, "experiment"),
                   text(frame, "evaluator"),
                   frame.contains("options") ? mapping(frame, "options") : Json::object(),
                   frame.contains("heartbeat_s") ? number(frame, "heartbeat_s") : 2.0,
                   truth_or_false(frame, "takes_pieces")};
}

Message
read_evaluate(const Json& frame)
{
    std::optional<double> timeout_s;
    if (frame.contains("timeout_s") && !frame["timeout_s"].is_null())
    {
        timeout_s = number(frame, "timeout_s");
    }
    if (!field(frame, "seed").is_number_unsigned())
    {
        throw Malformed("seed");
    }
    return Evaluate{text(frame, "run"),
                    text(frame, "lease"),
                    whole(frame, "trial"),
                    whole(frame, "attempt"),
                    mapping(frame, "parameters"),
                    frame["seed"].get<std::uint64_t>(),
                    timeout_s,
                    frame.contains("accumulates") ? text(frame, "accumulates") : "",
                    frame.contains("continues") ? whole(frame, "continues") : 0,
                    frame.contains("begun") ? mapping(frame, "begun") : Json::object()};
}

Message
read_object(const Json& frame)
{
    const std::string type = text(frame, "type");
    if (type == "welcome")
    {
        return read_welcome(frame);
    }
    if (type == "evaluate")
    {
        return read_evaluate(frame);
    }
    if (type == "heartbeat")
    {
        return Heartbeat{};
    }
    if (type == "cancel")
    {
        return Cancel{text(frame, "lease")};
    }
    if (type == "acknowledge")
    {
        return Acknowledge{text(frame, "lease")};
    }
    if (type == "reject")
    {
        return Reject{text(frame, "code"), text(frame, "reason"), text_or_none(frame, "lease")};
    }
    if (type == "drain")
    {
        return Drain{truth_or_false(frame, "now")};
    }
    if (type == "piece")
    {
        const auto crc = static_cast<std::uint64_t>(whole(frame, "crc"));
        return Piece{text(frame, "of"), whole(frame, "number"), whole(frame, "pieces"), crc, text(frame, "text")};
    }
    if (type == "taken")
    {
        return Taken{text(frame, "of"), whole(frame, "number")};
    }
    throw Malformed(type);
}

bool
finite(const Json& value)
{
    return value.is_number() && std::isfinite(value.get<double>());
}

// What is wrong with a result, in words; empty if nothing is.
std::string
complaint(const Json& measured)
{
    if (!measured.is_object() || !measured.contains("value") || !finite(measured["value"]))
    {
        return "expected a finite number as `value`";
    }
    if (measured.contains("variance") && !(finite(measured["variance"]) && measured["variance"].get<double>() >= 0))
    {
        return "expected a finite `variance` of 0 or more";
    }
    if (!measured.contains("factors"))
    {
        return {};
    }
    const Json& factors = measured["factors"];
    for (const Json& factor : factors)
    {
        if (!factors.is_array() || !finite(factor))
        {
            return "expected a list of finite numbers as `factors`";
        }
    }
    return {};
}

} // namespace

std::optional<Message>
decode(std::string_view frame)
{
    const Json object = Json::parse(frame.begin(), frame.end(), nullptr, false);
    if (!object.is_object())
    {
        return std::nullopt;
    }
    try
    {
        return read_object(object);
    }
    catch (const Malformed&)
    {
        return std::nullopt;
    }
}

std::string
encode(const Json& message)
{
    return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json
heartbeat(const std::vector<std::string>& leases, bool draining)
{
    return {{"type", "heartbeat"}, {"leases", leases}, {"draining", draining}};
}

Json
goodbye(const std::string& reason)
{
    return {{"type", "goodbye"}, {"reason", reason}};
}

Json
failure(const Evaluate& task, const std::string& kind, const std::string& message, double elapsed_s)
{
    return {{"type", "failure"}, {"run", task.run},     {"lease", task.lease},    {"trial", task.trial},
            {"kind", kind},      {"message", message}, {"elapsed_s", elapsed_s}};
}

Json
result(const Evaluate& task, const Json& measured, double elapsed_s, bool continued)
{
    if (const std::string words = complaint(measured); !words.empty())
    {
        return failure(task, "invalid", words + ", got " + encode(measured).substr(0, 300), elapsed_s);
    }
    Json frame = {{"type", "result"},
                  {"run", task.run},
                  {"lease", task.lease},
                  {"trial", task.trial},
                  {"elapsed_s", elapsed_s}};
    Json extras = Json::object();
    for (const auto& [name, value] : measured.items())
    {
        const bool named = name == "value" || name == "variance" || name == "factors";
        (named ? frame : extras)[name] = value;
    }
    frame["extras"] = std::move(extras);
    if (continued)
    {
        frame["continued"] = true;
    }
    return frame;
}

} // namespace native
