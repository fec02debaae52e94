#include "store/storable_text.hpp"

#include <cstdint>
#include <cstring>

namespace millrace {

namespace {

// One bit for each byte of a word that is NUL or not ASCII; ASCII without NUL gives 0.
std::uint64_t special_bytes(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
    constexpr std::uint64_t kHighs = 0x8080'8080'8080'8080;
    return (word | (word - kOnes)) & kHighs;
}

std::size_t ascii_length(std::string_view text) {
    std::size_t length = 0;
    for (std::uint64_t word = 0; length + sizeof(word) <= text.size(); length += sizeof(word)) {
        std::memcpy(&word, text.data() + length, sizeof(word));
        if (special_bytes(word) != 0) break;
    }
    return length;
}

struct Lead {
    unsigned char first;
    unsigned char last;
    unsigned char second_min;  // The second byte is what rules out overlong forms and surrogates.
    unsigned char second_max;
    std::size_t length;
};

// Table 3-7 of the Unicode standard.
constexpr Lead kLeads[] = {
    {0x01, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

// The length of the character that the text begins with; 0 when it begins with none.
std::size_t character_length(std::string_view text) {
    const auto byte = [text](std::size_t at) {
        return static_cast<unsigned char>(text[at]);
    };
    for (const Lead& lead : kLeads) {
        if (byte(0) < lead.first || byte(0) > lead.last) continue;
        if (lead.length > text.size()) return 0;
        if (lead.length > 1 && (byte(1) < lead.second_min || byte(1) > lead.second_max)) return 0;
        for (std::size_t at = 2; at < lead.length; ++at) {
            if ((byte(at) & 0xC0) != 0x80) return 0;
        }
        return lead.length;
    }
    return 0;
}

}  // namespace

bool is_storable(std::string_view text) {
    while (true) {
        text.remove_prefix(ascii_length(text));
        if (text.empty()) return true;
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
}

}  // namespace millrace
