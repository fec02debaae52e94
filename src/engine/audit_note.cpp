#include "engine/audit_note.hpp"

#include <ranges>

#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace {

json::Value variable_names(const json::Value& variables) {
    const json::Object* members = variables.if_object();
    if (members == nullptr || members->empty()) return nullptr;
    json::Array names;
    for (const json::Member& member : *members | std::views::take(limits::kAuditNamesMax)) {
        names.emplace_back(member.key);
    }
    return names;
}

json::Value unless_empty(const std::string& text) {
    if (text.empty()) return nullptr;
    return text;
}

std::string details_text(const json::Object& details) {
    std::string text;
    for (const json::Member& member : details) {
        if (member.value.is_null()) continue;
        text += text.empty() ? '{' : ',';
        json::append_string(text, member.key);
        text += ':';
        json::append(text, member.value);
    }
    if (!text.empty()) text += '}';
    return text;
}

}  // namespace millrace
