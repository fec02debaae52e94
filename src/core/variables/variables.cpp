#include "core/variables/variables.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json/measure.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

constexpr std::string_view kEmptyObject = "{}";

// Finds members by name: looking through them for each of a million others takes an hour.
void merge(json::Object& into, const json::Object& changes) {
    std::unordered_map<std::string_view, json::Member*> places;
    for (json::Member& member : into) places.emplace(member.key, &member);
    std::vector<const json::Member*> fresh;
    for (const json::Member& member : changes) {
        const auto place = places.find(member.key);
        if (place == places.end()) {
            fresh.push_back(&member);
        } else {
            place->second->value = member.value;
        }
    }
    for (const json::Member* member : fresh) into.push_back(*member);
}

Error too_many(std::string_view what, std::size_t count_max, std::size_t count) {
    return {ErrorCode::too_large, "Expected variables of at most " + std::to_string(count_max) +
                                      " " + std::string(what) + ", but they would have " +
                                      std::to_string(count) + "."};
}

std::optional<Error> beyond_limits(const json::Measure& measure) {
    if (measure.values > limits::kJsonValuesMax) {
        return too_many("values", limits::kJsonValuesMax, measure.values);
    }
    if (measure.depth > limits::kJsonDepthMax) {
        return too_many("levels", limits::kJsonDepthMax, measure.depth);
    }
    if (measure.is_finite) return std::nullopt;
    return Error{ErrorCode::invalid_argument, "Expected numbers that JSON can write."};
}

Error unreadable(const std::string& reason) {
    return {ErrorCode::internal,
            "Expected a stored JSON object, but it cannot be read: " + reason + "."};
}

}  // namespace

Variables::Variables() {
    static const auto none = std::make_shared<const std::string>(kEmptyObject);
    text_ = none;
}

Result<Variables> Variables::from_value(const json::Value& object) {
    if (!object.is_object()) return Error{ErrorCode::invalid_argument, "Expected a JSON object."};
    const json::Measure measure = json::measure(object);
    if (auto error = beyond_limits(measure)) return *error;
    std::string text = json::write(object);
    if (text.size() > limits::kVariablesBytesMax) {
        return too_many("bytes", limits::kVariablesBytesMax, text.size());
    }
    if (text == kEmptyObject) return Variables();
    return Variables(std::make_shared<const std::string>(std::move(text)), true);
}

Variables Variables::from_text(std::string text) {
    if (text == kEmptyObject) return {};
    return Variables(std::make_shared<const std::string>(std::move(text)), false);
}

bool Variables::empty() const {
    return *text_ == kEmptyObject;
}

Result<json::Value> Variables::value() const {
    if (empty()) return json::Value(json::Object{});
    Result<json::Value> value = json::parse(*text_);
    if (!value) return unreadable(value.error().detail);
    if (!value->is_object()) return unreadable("expected a JSON object");
    return value;
}

Status Variables::check() const {
    if (is_checked_) return ok();
    const Result<json::Value> read = value();
    return read ? ok() : Status(read.error());
}

Result<Variables> Variables::merged(const json::Value& changes) const {
    const json::Object* members = changes.if_object();
    if (members == nullptr || members->empty()) return *this;
    if (empty()) return from_value(changes);

    Result<json::Value> merged = value();
    if (!merged) return merged.error();
    merge(*merged->if_object(), *members);
    return from_value(*merged);
}

}  // namespace millrace
