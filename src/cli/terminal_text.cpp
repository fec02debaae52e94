#include "cli/terminal_text.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace millrace::cli {
namespace {

constexpr std::string_view kProgress = "\r\x1b[K";
constexpr std::array<std::string_view, 6> kColours{"\x1b[0m",  "\x1b[1m",  "\x1b[31m",
                                                   "\x1b[32m", "\x1b[33m", "\x1b[36m"};

// What the front of a text is. Size 0: more of it has to come before anybody can tell.
struct Front {
    std::size_t size = 1;
    char32_t character = 0;
    bool is_text = true;       // UTF-8.
    bool is_sequence = false;  // Of ours, or the end of a line.
};

// The bytes that a character has by its first one; 0 when that begins none.
std::size_t size_by(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

Front character_in(std::string_view text, bool is_end) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = size_by(first);
    constexpr std::array<unsigned char, 5> kFirstBits{0, 0x7F, 0x1F, 0x0F, 0x07};
    const Front broken{.character = first, .is_text = false};
    if (size == 0) return broken;
    char32_t character = first & kFirstBits[size];
    for (std::size_t i = 1; i < size; ++i) {
        if (i == text.size()) return is_end ? broken : Front{.size = 0};
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80) return broken;
        character = (character << 6) | (next & 0x3F);
    }
    return {.size = size, .character = character};
}

// Whether the text begins with the sequence, or, unless it is at its end, may do so.
Front sequence_in(std::string_view text, std::string_view sequence, bool is_end) {
    if (text.starts_with(sequence)) return {.size = sequence.size(), .is_sequence = true};
    const bool may_be = !is_end && sequence.starts_with(text);
    return {.size = may_be ? 0u : 1u};
}

Front front_of(std::string_view text, OwnSequences own, bool is_end) {
    Front front = character_in(text, is_end);
    const auto look_for = [&](std::string_view sequence) {
        if (front.is_sequence) return;
        const Front found = sequence_in(text, sequence, is_end);
        if (found.is_sequence || found.size == 0) front = found;
    };
    if (front.character != '\r' && front.character != '\x1b') return front;
    look_for("\r\n");
    if (own.progress) look_for(kProgress);
    if (own.colours) {
        for (const std::string_view colour : kColours) look_for(colour);
    }
    return front;
}

bool is_harmless(char32_t character) {
    if (character < 0x20) return character == '\n' || character == '\t';
    if (character >= 0x7F && character <= 0x9F) return false;
    const bool is_mark = character == 0x061C || character == 0x200E || character == 0x200F ||
                         (character >= 0x2028 && character <= 0x202E) ||
                         (character >= 0x2066 && character <= 0x2069);
    return !is_mark;
}

void append_escape(std::string& out, const Front& front) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += front.is_text ? "\\u" : "\\x";
    const auto value = static_cast<std::uint32_t>(front.character);
    for (int shift = front.is_text ? 12 : 4; shift >= 0; shift -= 4) {
        out += kDigits[(value >> shift) & 0xF];
    }
}

// Returns how much of the text it has taken: all of it at its end.
std::size_t append_safe(std::string& out, std::string_view text, OwnSequences own, bool is_end) {
    std::size_t taken = 0;
    while (taken < text.size()) {
        const Front front = front_of(text.substr(taken), own, is_end);
        if (front.size == 0) break;
        if (front.is_sequence || (front.is_text && is_harmless(front.character))) {
            out += text.substr(taken, front.size);
        } else {
            append_escape(out, front);
        }
        taken += front.size;
    }
    return taken;
}

}  // namespace

std::string terminal_text(std::string_view text) {
    std::string out;
    (void)append_safe(out, text, {}, true);
    return out;
}

TerminalBuffer::int_type TerminalBuffer::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return 0;
    const char only = traits_type::to_char_type(character);
    return hand_on({&only, 1}, false) ? character : traits_type::eof();
}

std::streamsize TerminalBuffer::xsputn(const char* text, std::streamsize size) {
    return hand_on({text, static_cast<std::size_t>(size)}, false) ? size : 0;
}

int TerminalBuffer::sync() {
    return hand_on({}, true) ? target_.pubsync() : -1;
}

bool TerminalBuffer::hand_on(std::string_view text, bool is_end) {
    std::string whole = std::exchange(pending_, {});
    whole += text;
    std::string safe;
    const std::size_t taken = append_safe(safe, whole, own_, is_end);
    pending_ = whole.substr(taken);
    const auto size = static_cast<std::streamsize>(safe.size());
    return target_.sputn(safe.data(), size) == size;
}

}  // namespace millrace::cli
