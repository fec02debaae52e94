#include "api/rest/api_key_json.hpp"

#include "api/rest/body_reader.hpp"
#include "api/rest/query_filter.hpp"
#include "api/rest/request_time.hpp"
#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"
#include "base/nearest_word.hpp"
#include "core/access/workspace_name.hpp"

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

void append_new_api_key(std::string& out, const ApiKey& key, const std::string& text) {
    out += '{';
    append_api_key_members(out, key);
    out += R"(,"key":)";
    json::append_string(out, text);
    out += '}';
}

Result<ApiKey> parse_new_api_key(const json::Value& object) {
    BodyReader body(object);
    ApiKey key{.name = body.name("name")};
    if (key.name.empty()) body.refuse("name", "name is required");
    const std::string named = body.text("role");
    const std::optional<Role> role = parse_role(named);
    if (!role) {
        body.refuse("role", named.empty() ? "role is required"
                                          : no_such_word("role", named, words_up_to(Role::admin)));
    }
    // What is given and empty is a mistake, and asks for no key for everything or for ever.
    const std::optional<std::string> workspace = body.optional_text("workspace");
    if (workspace && !is_workspace(*workspace)) {
        body.refuse("workspace",
                    "workspace must be 1 to 63 lower-case letters, digits and hyphens");
    }
    key.expires_at = time_field(body, "expiresAt");
    if (body.optional_text("expiresAt") == "") {
        body.refuse("expiresAt", "expiresAt must not be empty: leave it out for a key without end");
    }
    if (!body.finish()) return body.error();
    key.role = *role;
    if (workspace) key.workspace_id = WorkspaceId{*workspace};
    return key;
}

}  // namespace millrace::rest
