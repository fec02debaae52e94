#include "base/trace_context.hpp"

#include <algorithm>
#include <charconv>

namespace millrace {

namespace {

constexpr std::size_t kBytes = 55;  // Of version 00, and at least of any other.

bool is_hex(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Of up to 16 digits.
std::uint64_t number_of(std::string_view digits) {
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return number;
}

void append_hex(std::string& out, std::uint64_t number) {
    for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(number >> shift) & 15];
}

}  // namespace

std::optional<TraceContext> parse_trace_parent(std::string_view text) {
    if (text.size() < kBytes) return std::nullopt;
    const std::string_view version = text.substr(0, 2);
    const std::string_view trace_id = text.substr(3, 32);
    const std::string_view parent_id = text.substr(36, 16);
    const std::string_view flags = text.substr(53, 2);

    const bool are_parts_apart = text[2] == '-' && text[35] == '-' && text[52] == '-';
    const bool is_longer = text.size() > kBytes;
    if (!are_parts_apart || (is_longer && (version == "00" || text[kBytes] != '-'))) {
        return std::nullopt;
    }
    const bool are_parts_hex =
        is_hex(version) && is_hex(trace_id) && is_hex(parent_id) && is_hex(flags);
    if (!are_parts_hex || version == "ff") return std::nullopt;

    const TraceContext context{
        .trace_id_high = number_of(trace_id.substr(0, 16)),
        .trace_id_low = number_of(trace_id.substr(16)),
        .span_id = number_of(parent_id),
        .is_sampled = (number_of(flags) & 1) != 0,
    };
    if (!context.is_present() || context.span_id == 0) return std::nullopt;
    return context;
}

std::string trace_parent_text(const TraceContext& context) {
    std::string text = "00-";
    text.reserve(kBytes);
    append_hex(text, context.trace_id_high);
    append_hex(text, context.trace_id_low);
    text += '-';
    append_hex(text, context.span_id);
    text += context.is_sampled ? "-01" : "-00";
    return text;
}

std::string trace_id_text(const TraceContext& context) {
    std::string text;
    append_hex(text, context.trace_id_high);
    append_hex(text, context.trace_id_low);
    return text;
}

std::string span_id_text(std::uint64_t span_id) {
    std::string text;
    append_hex(text, span_id);
    return text;
}

// Splitmix64: neighbours in one instance differ in the sequence alone.
std::uint64_t span_id_of(Id128 id) {
    std::uint64_t bits = id.high * 0x9E3779B97F4A7C15u ^ id.low;
    bits += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    return bits == 0 ? 1 : bits;
}

}  // namespace millrace
