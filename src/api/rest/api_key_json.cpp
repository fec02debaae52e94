#include "api/rest/api_key_json.hpp"

#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

void append_api_key_members(std::string& out, const ApiKey& key) {
    out += R"("id":)";
    json::append_string(out, key.id);
    out += R"(,"name":)";
    json::append_string(out, key.name);
    out += R"(,"role":)";
    json::append_string(out, to_string(key.role));
    if (key.workspace_id) {
        out += R"(,"workspace":)";
        json::append_string(out, key.workspace_id->value);
    }
    out += R"(,"createdAt":)";
    append_time(out, key.created_at);
    if (key.expires_at) {
        out += R"(,"expiresAt":)";
        append_time(out, *key.expires_at);
    }
    if (key.revoked_at) {
        out += R"(,"revokedAt":)";
        append_time(out, *key.revoked_at);
    }
}

}  // namespace millrace::rest
