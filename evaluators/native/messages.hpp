// The messages of docs/protocol.md, protocol 1: read strictly, written as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace native
{

using Json = nlohmann::json;

constexpr int PROTOCOL = 1;
constexpr std::size_t FRAME_LIMIT = 1 << 20; // bytes
constexpr std::size_t PIECE_LIMIT = 1 << 12; // bytes of a longer frame that go in one piece
constexpr std::size_t SLOTS_LIMIT = 1024; // of one worker; a run takes no more

struct Welcome
{
    std::int64_t protocol;
    std::string run;
    std::string experiment;
    std::string evaluator;
    Json options;
    double heartbeat_s;
    bool takes_pieces;
};

struct Evaluate
{
    std::string run;
    std::string lease;
    std::int64_t trial;
    std::int64_t attempt;
    Json parameters;
    std::uint64_t seed;
    std::optional<double> timeout_s;
    std::string accumulates;    // the parameter by which others may go on from what this leaves; empty: they may not
    std::int64_t continues = 0; // the trial that this goes on from, if its directory is here
    Json begun = Json::object(); // that trial's parameters, where its settings were other ones; else empty
};

struct Heartbeat
{
};

struct Cancel
{
    std::string lease;
};

struct Acknowledge
{
    std::string lease;
};

struct Reject
{
    std::string code;
    std::string reason;
    std::string lease;
};

struct Drain
{
    bool now;
};

struct Piece
{
    std::string of;
    std::int64_t number;
    std::int64_t pieces;
    std::uint64_t crc;
    std::string text;
};

struct Taken
{
    std::string of;
    std::int64_t number;
};

using Message = std::variant<Welcome, Evaluate, Heartbeat, Cancel, Acknowledge, Reject, Drain, Piece, Taken>;

// The message in a frame; nothing for what is none.
std::optional<Message> decode(std::string_view frame);

// One frame. Text that is no UTF-8 is written with replacement characters.
std::string encode(const Json& message);

Json heartbeat(const std::vector<std::string>& leases, bool draining);
Json goodbye(const std::string& reason);
// The failure of a task that gave no value; kind: error, timeout, invalid or killed.
Json failure(const Evaluate& task, const std::string& kind, const std::string& message, double elapsed_s);
// The result of a task: `measured` holds value and, if it likes, variance, factors and further names.
// `continued`: it was handed what the trial left that it was to go on from. What is no result by the protocol
// becomes a failure of kind invalid.
Json result(const Evaluate& task, const Json& measured, double elapsed_s, bool continued);

} // namespace native
