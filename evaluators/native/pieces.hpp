// Long messages in pieces: on a slow line each comes in time, where the whole would seem to be silence.
#pragma once

#include "messages.hpp"

#include <optional>
#include <string>
#include <vector>

namespace native
{

// The message that comes in pieces, in order, of at most FRAME_LIMIT bytes, over whatever connections.
class Joining
{
  public:
    // The whole message, where this is its last piece. What is here already, or does not follow, is passed over; the
    // first piece of another message has the earlier one forgotten.
    std::optional<std::string> take(const Piece& piece);

  private:
    std::string m_of;
    std::int64_t m_pieces = 0;
    std::uint64_t m_crc = 0;
    std::int64_t m_next = 0;
    std::string m_content;
};

// What is sent of a frame to one that takes pieces: the frame, or its pieces.
std::vector<std::string> frames_of(const std::string& frame, const std::string& lease);

} // namespace native
