#include "pieces.hpp"

#include <algorithm>
#include <utility>

namespace native
{
namespace
{

// Where a piece that begins at `start` ends: before the limit, and not within a character of UTF-8.
std::size_t
end_of_piece(const std::string& frame, std::size_t start)
{
    std::size_t end = std::min(start + PIECE_LIMIT, frame.size());
    while (end < frame.size() && (static_cast<unsigned char>(frame[end]) & 0xC0) == 0x80)
    {
        --end;
    }
    return end;
}

// That of zlib, PNG and Ethernet.
std::uint64_t
crc_32(const std::string& content)
{
    std::uint32_t remainder = 0xFFFFFFFF;
    for (const unsigned char byte : content)
    {
        remainder ^= byte;
        for (int bit = 0; bit < 8; ++bit)
        {
            remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320 : 0);
        }
    }
    return remainder ^ 0xFFFFFFFF;
}

} // namespace

std::optional<std::string>
Joining::take(const Piece& piece)
{
    const auto is_its = [this, &piece] { return piece.of == m_of && piece.pieces == m_pieces && piece.crc == m_crc; };
    if (piece.number == 0 && !is_its())
    {
        *this = Joining();
        m_of = piece.of;
        m_pieces = piece.pieces;
        m_crc = piece.crc;
    }
    if (!is_its() || piece.number != m_next || m_next >= m_pieces)
    {
        return std::nullopt;
    }
    if (m_content.size() + piece.text.size() > FRAME_LIMIT)
    {
        *this = Joining();
        return std::nullopt;
    }
    m_content += piece.text;
    if (++m_next < m_pieces)
    {
        return std::nullopt;
    }
    const Joining whole = std::exchange(*this, Joining());
    return crc_32(whole.m_content) == whole.m_crc ? std::optional(whole.m_content) : std::nullopt;
}

std::vector<std::string>
frames_of(const std::string& frame, const std::string& lease)
{
    if (frame.size() <= PIECE_LIMIT)
    {
        return {frame};
    }
    std::vector<std::string> texts;
    for (std::size_t start = 0; start < frame.size(); start += texts.back().size())
    {
        texts.push_back(frame.substr(start, end_of_piece(frame, start) - start));
    }
    const std::uint64_t crc = crc_32(frame);
    std::vector<std::string> frames;
    for (const std::string& text : texts)
    {
        frames.push_back(encode({{"type", "piece"},
                                 {"of", lease},
                                 {"number", frames.size()},
                                 {"pieces", texts.size()},
                                 {"crc", crc},
                                 {"text", text}}));
    }
    return frames;
}

} // namespace native
