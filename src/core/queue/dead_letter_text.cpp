#include "core/queue/dead_letter_text.hpp"

#include <algorithm>
#include <array>

#include "base/id.hpp"
#include "base/text.hpp"

namespace millrace {

namespace {

// Databases keep it in an index, whose entries have to be small.
constexpr std::size_t kBytesMax = 256;
// A shorter run of hexadecimal digits may be a word, or a code that says something.
constexpr std::size_t kHashLengthMin = 8;
constexpr std::array<std::size_t, 5> kUuidParts{8, 4, 4, 4, 12};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_of_word(char c) {
    return is_digit(c) || is_letter(c);
}

bool is_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_quote(char c) {
    return c == '\'' || c == '"' || c == '`';
}

std::string_view first_word(std::string_view text) {
    return text.substr(
        0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_word) - text.begin()));
}

// Its length; 0 when the text does not begin with one.
std::size_t uuid_length(std::string_view text) {
    std::size_t length = 0;
    for (const std::size_t part : kUuidParts) {
        if (length > 0) {
            if (length >= text.size() || text[length] != '-') return 0;
            ++length;
        }
        const std::string_view word = first_word(text.substr(length));
        if (word.size() != part || !std::ranges::all_of(word, is_hexadecimal)) return 0;
        length += part;
    }
    return length;
}

// Up to the quotation mark that ends it, on the same line; 0 when there is none. An apostrophe,
// which a letter follows, ends nothing.
std::size_t quoted_length(std::string_view text) {
    for (std::size_t end = 1; end < text.size(); ++end) {
        if (text[end] == '\n') return 0;
        if (text[end] != text[0]) continue;
        if (end + 1 == text.size() || !is_of_word(text[end + 1])) return end + 1;
    }
    return 0;
}

bool is_id(std::string_view word) {
    if (parse_ulid(word)) return true;
    return word.size() >= kHashLengthMin && std::ranges::all_of(word, is_hexadecimal) &&
           std::ranges::any_of(word, is_digit);
}

void append_word(std::string& out, std::string_view word) {
    if (is_id(word)) {
        out += '#';
        return;
    }
    bool is_in_number = false;
    for (const char c : word) {
        if (!is_digit(c)) {
            out += c;
        } else if (!is_in_number) {
            out += '#';
        }
        is_in_number = is_digit(c);
    }
}

bool is_inside_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

void cut(std::string& text) {
    if (text.size() <= kBytesMax) return;
    std::size_t length = kBytesMax;
    while (length > 0 && is_inside_character(text[length])) --length;
    text.resize(length);
}

}  // namespace

std::string normalised_message(std::string_view message) {
    std::string out;
    bool is_behind_word = false;  // There a quotation mark is an apostrophe.
    while (!message.empty() && out.size() <= kBytesMax) {
        const std::string_view word = first_word(message);
        const std::size_t uuid = uuid_length(message);
        const bool may_quote = is_quote(message[0]) && !is_behind_word;
        const std::size_t quoted = may_quote ? quoted_length(message) : 0;
        if (uuid > 0) {
            out += '#';
        } else if (!word.empty()) {
            append_word(out, word);
        } else if (quoted > 0) {
            out += "\"#\"";
        } else {
            out += message[0];
        }
        is_behind_word = !word.empty();
        message.remove_prefix(std::max({uuid, word.size(), quoted, std::size_t{1}}));
    }
    cut(out);
    return out;
}

}  // namespace millrace
