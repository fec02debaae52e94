#include "core/instance/variables.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"

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

}  // namespace

Variables::Variables() {
    static const auto none = std::make_shared<const std::string>(kEmptyObject);
    text_ = none;
}

Variables Variables::from_text(std::string text) {
    if (text == kEmptyObject) return {};
    return Variables(std::make_shared<const std::string>(std::move(text)));
}

Variables Variables::from_value(const json::Value& object) {
    MILLRACE_CHECK(object.is_object());
    return from_text(json::write(object));
}

bool Variables::empty() const {
    return *text_ == kEmptyObject;
}

json::Value Variables::value() const {
    if (empty()) return json::Object{};
    Result<json::Value> value = json::parse(*text_);
    if (!value || !value->is_object()) return nullptr;
    return std::move(*value);
}

Variables Variables::merged(const json::Value& changes) const {
    const json::Object* members = changes.if_object();
    if (members == nullptr || members->empty()) return *this;
    if (empty()) return from_value(changes);

    json::Value merged = value();
    if (!merged.is_object()) merged = json::Object{};
    merge(*merged.if_object(), *members);
    return from_value(merged);
}

}  // namespace millrace
