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

}  // namespace millrace::rest
