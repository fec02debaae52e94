#include "observe/log_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace millrace::observe {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t index) {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0;
}

bool is_continuation(unsigned byte) {
    return byte >= 0x80 && byte <= 0xBF;
}

// How many bytes the character at the front has; 0 when it is no UTF-8. The second byte tells
// overlong forms, surrogates and what lies beyond Unicode.
std::size_t sequence_length(std::string_view text) {
    const unsigned first = byte_at(text, 0);
    const unsigned second = byte_at(text, 1);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4 || !is_continuation(second)) return 0;
    if (first < 0xE0) return 2;
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    if (!is_continuation(byte_at(text, 2))) return 0;
    if (first < 0xF0) return 3;
    return is_continuation(byte_at(text, 3)) ? 4 : 0;
}

// The code of a control character: of ASCII, of Latin 1 (some terminals obey those, too), or one of
// the two line ends of Unicode. 0 for any other character.
unsigned control_code(std::string_view character) {
    const unsigned first = byte_at(character, 0);
    if (character.size() == 1) return first < 0x20 || first == 0x7F ? first : 0;
    if (character.size() == 2 && first == 0xC2 && byte_at(character, 1) < 0xA0) {
        return byte_at(character, 1);
    }
    if (character == "\u2028") return 0x2028;
    return character == "\u2029" ? 0x2029 : 0;
}

void append_control(std::string& out, unsigned code) {
    switch (code) {
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    }
}

void append_characters(std::string& out, std::string_view text, bool is_quoted) {
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const std::string_view character = text.substr(0, length == 0 ? 1 : length);
        const unsigned control = control_code(character);
        if (length == 0) {
            out += kReplacement;
        } else if (control != 0 || character == std::string_view("\0", 1)) {
            append_control(out, control);
        } else {
            if (is_quoted && (character == "\"" || character == "\\")) out += '\\';
            out += character;
        }
        text.remove_prefix(character.size());
    }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    append_characters(out, text, true);
    out += '"';
}

void append_readable(std::string& out, std::string_view text) {
    append_characters(out, text, false);
}

}  // namespace millrace::observe
