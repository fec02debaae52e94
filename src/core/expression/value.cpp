#include "core/expression/value.hpp"

#include <array>
#include <cmath>

namespace millrace::expression {

Value List::at(std::size_t index) const {
    return items_ != nullptr ? items_[index] : Value::of(json_[index]);
}

std::string_view Map::key(std::size_t index) const {
    return entries_ != nullptr ? entries_[index].key : std::string_view(json_[index].key);
}

Value Map::value(std::size_t index) const {
    return entries_ != nullptr ? entries_[index].value : Value::of(json_[index].value);
}

std::optional<Value> Map::find(std::string_view wanted) const {
    for (std::size_t i = 0; i < size_; ++i) {
        if (key(i) == wanted) return value(i);
    }
    return std::nullopt;
}

Value Value::of(const json::Value& value) {
    switch (value.kind()) {
        case json::Kind::null: return {};
        case json::Kind::boolean: return *value.if_boolean();
        case json::Kind::integer: return JsonInteger{*value.if_integer()};
        case json::Kind::number: return *value.if_number();
        case json::Kind::string: return std::string_view(*value.if_string());
        case json::Kind::array: return List(*value.if_array());
        case json::Kind::object: return Map(*value.if_object());
    }
    return {};
}

std::optional<std::int64_t> Value::exact() const {
    if (const auto* integer = get_if<std::int64_t>()) return *integer;
    if (const auto* integer = get_if<JsonInteger>()) return integer->value;
    return std::nullopt;
}

std::optional<double> Value::number() const {
    if (const auto* number = get_if<double>()) return *number;
    if (const auto integer = exact()) return static_cast<double>(*integer);
    return std::nullopt;
}

std::optional<std::int64_t> Value::whole() const {
    if (const auto integer = exact()) return integer;
    const auto* number = get_if<double>();
    // Both bounds are exact as doubles; the upper one is the first that does not fit.
    if (number == nullptr || !(*number >= -0x1p63 && *number < 0x1p63)) return std::nullopt;
    if (std::trunc(*number) != *number) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

std::string_view Value::type() const {
    static constexpr std::array<std::string_view, 11> kNames{
        "nil",   "bool", "int",       "float",         "float",        "string",
        "array", "map",  "time.Time", "time.Duration", "time.Location"};
    return kNames[data_.index()];
}

std::uint32_t depth_around(const Value& value) {
    if (const auto* list = value.get_if<List>()) return list->depth() + 1;
    if (const auto* map = value.get_if<Map>()) return map->depth() + 1;
    return 1;
}

}  // namespace millrace::expression
