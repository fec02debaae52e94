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

}  // namespace

std::string readable(const json::Value& value) {
    return without_html_escapes(json::write(value));
}

std::string pretty(const json::Value& value) {
    std::string out;
    append_pretty(out, value, 0);
    return out + "\n";
}

}  // namespace millrace::cli
