#include <algorithm>
#include <utility>

#include "base/json/sort_keys.hpp"
#include "base/json/write.hpp"
#include "core/definition/document.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {

namespace {

json::Value normalized(const json::Value& document) {
    definition::Problems not_our_concern;
    return definition::normalized(document, UnknownFields::ignore, not_our_concern);
}

void sort_members(json::Object& members) {
    std::ranges::sort(members, {}, &json::Member::key);
}

// Branches and transformations keep their order; what a transformation sets has none.
void sort_step(json::Value& step) {
    json::Object* members = step.if_object();
    if (members == nullptr) return;
    for (json::Member& member : *members) {
        const bool is_ordered =
            member.key == "conditionalNextSteps" || member.key == "transformations";
        if (is_ordered && member.value.is_object()) {
            for (json::Member& entry : *member.value.if_object()) json::sort_keys(entry.value);
        } else {
            json::sort_keys(member.value);
        }
    }
    sort_members(*members);
}

void sort_steps(json::Value& steps) {
    if (json::Array* items = steps.if_array()) {
        for (json::Value& step : *items) sort_step(step);
    }
}

}  // namespace

std::string canonical_text(const json::Value& document) {
    json::Value value = normalized(document);
    if (json::Object* members = value.if_object()) {
        std::erase_if(*members, [](const json::Member& member) { return member.key == "version"; });
        for (json::Member& member : *members) {
            if (member.key == "steps") {
                sort_steps(member.value);
            } else {
                json::sort_keys(member.value);
            }
        }
        sort_members(*members);
    }
    return json::write(value);
}

json::Value with_version(const json::Value& document, std::int32_t version) {
    json::Value value = normalized(document);
    json::Object* members = value.if_object();
    if (members == nullptr) return value;
    if (value.find("version") == nullptr) {
        const auto id = std::ranges::find(*members, "id", &json::Member::key);
        members->insert(id == members->end() ? members->begin() : id + 1, {"version", version});
    }
    value.set("version", version);
    return value;
}

}  // namespace millrace
