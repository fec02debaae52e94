#include "api/grpc/workflow/struct_json.hpp"

#include <google/protobuf/struct.pb.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

namespace pb = ::google::protobuf;

constexpr double kExactMax = 9007199254740992.0;  // 2^53: from there on integers are rounded.

// What is wrong with a value, and where it stands in the one that was asked for (".a[0]").
struct ValueFault {
    std::string path{};
    std::string what{};
};

using MaybeFault = std::optional<ValueFault>;

// Each level that a fault passes on its way out puts its own name in front. On the way in no path
// is made: a long key above many values would be copied for each of them.
ValueFault below(std::string_view step, ValueFault fault) {
    fault.path.insert(0, step);
    return fault;
}

Error refusal_of_value(const std::string& root, const ValueFault& fault) {
    const std::string path = root + fault.path;
    const std::string reason = path + " " + fault.what;
    return {ErrorCode::invalid_argument, reason, {{path, reason}}};
}

ValueFault too_deep_to_read() {
    return {.what = "must not be nested deeper than " + std::to_string(limits::kStructDepthMax)};
}

Error too_deep_to_send() {
    return {ErrorCode::too_large,
            "Expected values nested " + std::to_string(limits::kStructDepthMax) +
                " deep at most, because this protocol carries no others. Ask over REST."};
}

MaybeFault read_number(json::Value& into, double number) {
    if (!std::isfinite(number)) return ValueFault{.what = "must be a number that is finite"};
    const bool is_exact_integer = std::abs(number) < kExactMax && std::trunc(number) == number;
    into = is_exact_integer ? json::Value(static_cast<std::int64_t>(number)) : json::Value(number);
    return std::nullopt;
}

MaybeFault read_value(json::Value& into, const pb::Value& from, std::size_t depth);

MaybeFault read_object(json::Value& into, const pb::Struct& from, std::size_t depth) {
    if (depth > limits::kStructDepthMax) return too_deep_to_read();
    std::vector<const pb::Map<std::string, pb::Value>::value_type*> members;
    members.reserve(from.fields().size());
    for (const auto& member : from.fields()) members.push_back(&member);
    std::ranges::sort(members, {},
                      [](const auto* member) -> const std::string& { return member->first; });
    json::Object& object = into.emplace_object();
    object.reserve(members.size());
    for (const auto* member : members) {
        json::Member& read = object.emplace_back(json::Member{member->first});
        if (auto fault = read_value(read.value, member->second, depth)) {
            return below("." + member->first, std::move(*fault));
        }
    }
    return std::nullopt;
}

MaybeFault read_array(json::Value& into, const pb::ListValue& from, std::size_t depth) {
    if (depth > limits::kStructDepthMax) return too_deep_to_read();
    json::Array& array = into.emplace_array();
    array.reserve(static_cast<std::size_t>(from.values_size()));
    for (const pb::Value& item : from.values()) {
        if (auto fault = read_value(array.emplace_back(), item, depth)) {
            return below("[" + std::to_string(array.size() - 1) + "]", std::move(*fault));
        }
    }
    return std::nullopt;
}

MaybeFault read_value(json::Value& into, const pb::Value& from, std::size_t depth) {
    switch (from.kind_case()) {
        case pb::Value::kNullValue: into = nullptr; return std::nullopt;
        case pb::Value::kNumberValue: return read_number(into, from.number_value());
        case pb::Value::kStringValue: into = from.string_value(); return std::nullopt;
        case pb::Value::kBoolValue: into = from.bool_value(); return std::nullopt;
        case pb::Value::kStructValue: return read_object(into, from.struct_value(), depth + 1);
        case pb::Value::kListValue: return read_array(into, from.list_value(), depth + 1);
        case pb::Value::KIND_NOT_SET: break;
    }
    return ValueFault{.what = "must have a value"};
}

bool fill_value(pb::Value& into, const json::Value& value, std::size_t depth);

bool fill_object(pb::Struct& into, const json::Object& object, std::size_t depth) {
    if (depth > limits::kStructDepthMax) return false;
    return std::ranges::all_of(object, [&](const json::Member& member) {
        return fill_value((*into.mutable_fields())[member.key], member.value, depth);
    });
}

bool fill_array(pb::ListValue& into, const json::Array& array, std::size_t depth) {
    if (depth > limits::kStructDepthMax) return false;
    return std::ranges::all_of(array, [&](const json::Value& item) {
        return fill_value(*into.add_values(), item, depth);
    });
}

bool fill_value(pb::Value& into, const json::Value& value, std::size_t depth) {
    switch (value.kind()) {
        case json::Kind::null: into.set_null_value(pb::NULL_VALUE); return true;
        case json::Kind::boolean: into.set_bool_value(*value.if_boolean()); return true;
        case json::Kind::integer:
            into.set_number_value(static_cast<double>(*value.if_integer()));
            return true;
        case json::Kind::number: into.set_number_value(*value.if_number()); return true;
        case json::Kind::string: into.set_string_value(*value.if_string()); return true;
        case json::Kind::array:
            return fill_array(*into.mutable_list_value(), *value.if_array(), depth + 1);
        case json::Kind::object:
            return fill_object(*into.mutable_struct_value(), *value.if_object(), depth + 1);
    }
    std::abort();
}

}  // namespace

Result<json::Value> value_of(const pb::Struct& from, const std::string& path) {
    json::Value value;
    if (const auto fault = read_object(value, from, 1)) return refusal_of_value(path, *fault);
    return value;
}

Result<json::Value> value_of(const pb::Value& from, const std::string& path) {
    json::Value value;
    if (const auto fault = read_value(value, from, 0)) return refusal_of_value(path, *fault);
    return value;
}

Status fill(pb::Struct& into, const json::Value& object) {
    const json::Object* members = object.if_object();
    if (members == nullptr || fill_object(into, *members, 1)) return ok();
    return too_deep_to_send();
}

Status fill(pb::Value& into, const json::Value& value) {
    if (fill_value(into, value, 0)) return ok();
    return too_deep_to_send();
}

}  // namespace millrace::rpc
