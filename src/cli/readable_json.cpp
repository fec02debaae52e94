#include "cli/readable_json.hpp"

#include <algorithm>
#include <array>

#include "base/json/write.hpp"

namespace millrace::cli {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 3> kHtml{
    {{"\\u003c", '<'}, {"\\u003e", '>'}, {"\\u0026", '&'}}};

// In a text of JSON a backslash always belongs to the character behind it.
std::string without_html_escapes(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        std::size_t used = text.front() == '\\' ? 2 : 1;
        std::string_view copied = text.substr(0, used);
        for (const auto& [escape, character] : kHtml) {
            if (!text.starts_with(escape)) continue;
            copied = std::string_view(&character, 1);
            used = escape.size();
            break;
        }
        out += copied;
        text.remove_prefix(std::min(used, text.size()));
    }
    return out;
}

void append_pretty(std::string& out, const json::Value& value, std::size_t indent);

template <class Items, class AppendItem>
void append_items(std::string& out, const Items& items, std::string_view brackets,
                  std::size_t indent, AppendItem append_item) {
    out += brackets[0];
    for (const auto& item : items) {
        if (&item != &items.front()) out += ',';
        out += '\n';
        out.append(indent + 2, ' ');
        append_item(item);
    }
    out += '\n';
    out.append(indent, ' ');
    out += brackets[1];
}

void append_pretty(std::string& out, const json::Value& value, std::size_t indent) {
    if (const json::Object* object = value.if_object(); object && !object->empty()) {
        append_items(out, *object, "{}", indent, [&](const json::Member& member) {
            out += readable(member.key) + ": ";
            append_pretty(out, member.value, indent + 2);
        });
    } else if (const json::Array* array = value.if_array(); array && !array->empty()) {
        append_items(out, *array, "[]", indent,
                     [&](const json::Value& item) { append_pretty(out, item, indent + 2); });
    } else {
        out += readable(value);
    }
}

json::Value sorted(const json::Value& value, bool keeps_order) {
    if (const json::Array* array = value.if_array()) {
        json::Array items;
        for (const json::Value& item : *array) items.push_back(sorted(item, false));
        return items;
    }
    const json::Object* object = value.if_object();
    if (object == nullptr) return value;
    json::Object members;
    for (const json::Member& member : *object) {
        const bool is_ordered =
            member.key == "conditionalNextSteps" || member.key == "transformations";
        members.push_back({member.key, sorted(member.value, is_ordered)});
    }
    if (!keeps_order) std::ranges::sort(members, {}, &json::Member::key);
    return members;
}

}  // namespace

std::string readable(const json::Value& value) {
    return without_html_escapes(json::write(value));
}

std::string pretty(const json::Value& value) {
    std::string out;
    append_pretty(out, value, 0);
    return out + "\n";
}

json::Value canonical_definition(const json::Value& definition) {
    json::Value out = sorted(definition, false);
    if (json::Object* members = out.if_object()) {
        std::erase_if(*members, [](const json::Member& member) { return member.key == "version"; });
    }
    return out;
}

}  // namespace millrace::cli
