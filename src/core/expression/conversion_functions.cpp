#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "base/json/write.hpp"
#include "core/expression/arguments.hpp"
#include "core/expression/base64.hpp"
#include "core/expression/format.hpp"
#include "core/expression/to_json.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

// The whole text as a number; from_chars takes no plus sign.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc() || stop != end) return std::nullopt;
    return number;
}

std::optional<Value> to_type(Evaluation&, Arguments arguments) {
    return Value(arguments[0].type());
}

// Cuts fractions off.
std::optional<Value> to_int(Evaluation& run, Arguments arguments) {
    const Value& value = arguments[0];
    if (const auto exact = value.exact()) return Value(*exact);
    if (const auto* text = value.get_if<std::string_view>()) {
        const auto number = parse_number<std::int64_t>(*text);
        if (!number) return run.fail("int of a string that is no integer of 64 bits");
        return Value(*number);
    }
    if (const auto* span = value.get_if<Span>()) return Value(std::int64_t{span->count()});
    const auto number = value.number();
    if (!number) return fail_argument(run, "int", "a number or a string", value);
    const auto whole = Value(std::trunc(*number)).whole();
    if (!whole) return run.fail("int of a number that does not fit 64 bits");
    return Value(*whole);
}

std::optional<Value> to_float(Evaluation& run, Arguments arguments) {
    const Value& value = arguments[0];
    if (const auto number = value.number()) return Value(*number);
    const auto* text = value.get_if<std::string_view>();
    if (text == nullptr) return fail_argument(run, "float", "a number or a string", value);
    const auto number = parse_number<double>(*text);
    if (!number || !std::isfinite(*number)) return run.fail("float of a string that is no number");
    return Value(*number);
}

// Through JSON, whose conversion is bounded: small lists may hold large values many times.
std::optional<Value> to_text(Evaluation& run, Arguments arguments) {
    const Value& value = arguments[0];
    if (value.get_if<std::string_view>() != nullptr) return value;
    const bool is_large = value.get_if<List>() != nullptr || value.get_if<Map>() != nullptr;
    if (is_large && !to_json(run, value)) return std::nullopt;
    const std::string text = format(value);
    if (!run.touch(text.size(), bytes_per_unit::kWritten)) return std::nullopt;
    return run.make_text(text);
}

// Two blanks per level.
void append_indented(std::string& out, const json::Value& value, std::size_t level) {
    const auto new_line = [&](std::size_t depth) {
        out += '\n';
        out.append(2 * depth, ' ');
    };
    if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
        out += '[';
        for (const json::Value& item : *array) {
            if (&item != array->data()) out += ',';
            new_line(level + 1);
            append_indented(out, item, level + 1);
        }
        new_line(level);
        out += ']';
    } else if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
        out += '{';
        for (const json::Member& member : *object) {
            if (&member != object->data()) out += ',';
            new_line(level + 1);
            json::append_string(out, member.key);
            out += ": ";
            append_indented(out, member.value, level + 1);
        }
        new_line(level);
        out += '}';
    } else {
        json::append(out, value);
    }
}

std::optional<Value> write_json(Evaluation& run, Arguments arguments) {
    const auto document = to_json(run, arguments[0]);
    if (!document) return std::nullopt;
    std::string text;
    append_indented(text, *document, 0);
    if (!run.touch(text.size(), bytes_per_unit::kWritten)) return std::nullopt;
    return run.make_text(text);
}

std::optional<Value> read_json(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "fromJSON", arguments[0]);
    if (!text) return std::nullopt;
    return run.parse_json(*text);
}

std::optional<Value> encode_base64(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "toBase64", arguments[0]);
    if (!text || !run.touch(text->size(), bytes_per_unit::kWalked)) return std::nullopt;
    return run.make_text(to_base64(*text));
}

std::optional<Value> decode_base64(Evaluation& run, Arguments arguments) {
    const auto text = text_argument(run, "fromBase64", arguments[0]);
    if (!text || !run.touch(text->size(), bytes_per_unit::kWalked)) return std::nullopt;
    const auto bytes = from_base64(*text);
    if (!bytes) return run.fail("fromBase64 of a string that is not Base64");
    if (!utf8::is_valid(*bytes)) return run.fail("fromBase64 of bytes that are no UTF-8 text");
    return run.make_text(*bytes);
}

constexpr std::array<Function, 8> kConversionFunctions{{
    {"type", 1, 1, to_type},
    {"int", 1, 1, to_int},
    {"float", 1, 1, to_float},
    {"string", 1, 1, to_text},
    {"toJSON", 1, 1, write_json},
    {"fromJSON", 1, 1, read_json},
    {"toBase64", 1, 1, encode_base64},
    {"fromBase64", 1, 1, decode_base64},
}};

}  // namespace

std::span<const Function> conversion_functions() {
    return kConversionFunctions;
}

}  // namespace millrace::expression
