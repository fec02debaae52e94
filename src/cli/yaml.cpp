#include "cli/yaml.hpp"

#include <algorithm>
#include <array>

#include "base/json/write.hpp"
#include "base/text.hpp"

namespace millrace::cli {
namespace {

// Words that some reader of YAML takes for something else than a text.
constexpr std::array<std::string_view, 10> kReserved{"true", "false", "null", "yes", "no",
                                                     "on",   "off",   "y",    "n",   "nan"};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Texts that need no quotes. All others are quoted as in JSON, which is YAML too.
bool is_plain(const std::string& text) {
    if (text.empty() || !is_letter(text.front())) return false;
    const bool is_word = std::ranges::all_of(text, [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/';
    });
    return is_word && std::ranges::find(kReserved, lower_case(text)) == kReserved.end();
}

std::string scalar(const json::Value& value) {
    const std::string* text = value.if_string();
    if (text != nullptr && is_plain(*text)) return *text;
    std::string out = json::write(value);
    const std::size_t exponent = out.find('e');
    const bool is_number = value.if_number() != nullptr;
    // Older readers want a point in a number with an exponent.
    if (is_number && exponent != std::string::npos && out.find('.') == std::string::npos) {
        out.insert(exponent, ".0");
    }
    return out;
}

bool is_block(const json::Value& value) {
    const json::Array* array = value.if_array();
    const json::Object* object = value.if_object();
    return (array != nullptr && !array->empty()) || (object != nullptr && !object->empty());
}

void append(std::string& out, const json::Value& value, std::size_t indent, bool is_in_line);

void append_object(std::string& out, const json::Object& object, std::size_t indent,
                   bool is_in_line) {
    for (const json::Member& member : object) {
        // The first member stands behind the dash of its list.
        if (!is_in_line) out.append(indent, ' ');
        is_in_line = false;
        out += scalar(member.key) + ":";
        if (!is_block(member.value)) {
            out += " " + scalar(member.value) + "\n";
            continue;
        }
        out += '\n';
        append(out, member.value, indent + 2, false);
    }
}

void append_array(std::string& out, const json::Array& array, std::size_t indent, bool is_in_line) {
    for (const json::Value& item : array) {
        if (!is_in_line) out.append(indent, ' ');
        is_in_line = false;
        out += "- ";
        append(out, item, indent + 2, true);
    }
}

void append(std::string& out, const json::Value& value, std::size_t indent, bool is_in_line) {
    if (!is_block(value)) {
        out += scalar(value) + "\n";
    } else if (value.if_object() != nullptr) {
        append_object(out, *value.if_object(), indent, is_in_line);
    } else {
        append_array(out, *value.if_array(), indent, is_in_line);
    }
}

}  // namespace

std::string to_yaml(const json::Value& value) {
    std::string out;
    append(out, value, 0, false);
    return out;
}

}  // namespace millrace::cli
