#include "core/expression/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "core/expression/time_value.hpp"

namespace millrace::expression {
namespace {

// The shortest digits that read back the same, with an exponent below 1e-4 and from 1e6 on.
void append_number(std::string& out, double number) {
    std::array<char, 32> buffer{};
    const auto scientific = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                          std::chars_format::scientific);
    const std::string_view text(buffer.data(), scientific.ptr);
    const std::size_t e = text.find('e');
    int exponent = 0;
    std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), scientific.ptr, exponent);
    if (exponent < -4 || exponent >= 6) {
        out += text;
        return;
    }
    std::array<char, 64> plain{};
    const auto fixed =
        std::to_chars(plain.data(), plain.data() + plain.size(), number, std::chars_format::fixed);
    out.append(plain.data(), fixed.ptr);
}

void append_list(std::string& out, const List& list) {
    out += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i > 0) out += ' ';
        append_format(out, list.at(i));
    }
    out += ']';
}

void append_map(std::string& out, const Map& map) {
    out += "map[";
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (i > 0) out += ' ';
        out += map.key(i);
        out += ':';
        append_format(out, map.value(i));
    }
    out += ']';
}

}  // namespace

std::string format(const Value& value) {
    std::string out;
    append_format(out, value);
    return out;
}

void append_format(std::string& out, const Value& value) {
    if (const auto* text = value.get_if<std::string_view>()) {
        out += *text;
    } else if (const auto* integer = value.integer()) {
        out += std::to_string(*integer);
    } else if (const auto number = value.number()) {
        append_number(out, *number);
    } else if (const auto* boolean = value.get_if<bool>()) {
        out += *boolean ? "true" : "false";
    } else if (const auto* list = value.get_if<List>()) {
        append_list(out, *list);
    } else if (const auto* map = value.get_if<Map>()) {
        append_map(out, *map);
    } else if (const auto* time = value.get_if<Time>()) {
        out += format_time(*time);
    } else if (const auto* span = value.get_if<Span>()) {
        out += format_span(*span);
    } else if (const auto* zone = value.get_if<Zone>()) {
        out += format_zone(*zone);
    } else {
        out += "<nil>";
    }
}

}  // namespace millrace::expression
