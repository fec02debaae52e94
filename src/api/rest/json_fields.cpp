#include "api/rest/json_fields.hpp"

#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

void append_key(std::string& out, std::string_view name) {
    out.append(",\"").append(name).append("\":");
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
    append_key(out, name);
    json::append_string(out, text);
}

void append_integer(std::string& out, std::string_view name, std::int64_t number) {
    append_key(out, name);
    json::append_integer(out, number);
}

void append_instant(std::string& out, std::string_view name, Instant at) {
    append_key(out, name);
    append_time(out, at);
}

void append_id(std::string& out, std::string_view name, Id128 id) {
    append_key(out, name);
    append_id(out, id);
}

void append_number(std::string& out, std::string_view name, double number) {
    append_key(out, name);
    json::append_number(out, number);
}

void append_flag(std::string& out, std::string_view name, bool is) {
    append_key(out, name);
    out += is ? "true" : "false";
}

void append_unless_empty(std::string& out, std::string_view name, std::string_view text) {
    if (!text.empty()) append_text(out, name, text);
}

void append_if_set(std::string& out, std::string_view name, const std::optional<Instant>& at) {
    if (at) append_instant(out, name, *at);
}

void append_if_set(std::string& out, std::string_view name,
                   const std::optional<std::int32_t>& number) {
    if (number) append_integer(out, name, *number);
}

void append_if_set(std::string& out, std::string_view name, const std::optional<double>& number) {
    if (number) append_number(out, name, *number);
}

}  // namespace millrace::rest
