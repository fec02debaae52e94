#include "api/rest/audit_json.hpp"

#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"
#include "core/access/principal.hpp"

namespace millrace::rest {

namespace {

// `,"name":"text"`, or nothing when there is no text.
void append_unless_empty(std::string& out, std::string_view name, std::string_view text) {
    if (text.empty()) return;
    out.append(",\"").append(name).append("\":");
    json::append_string(out, text);
}

void append_instance_id(std::string& out, InstanceId id) {
    out += R"(,"instanceId":)";
    append_id(out, id.value);
}

// {"id","at","kind": the members that every line begins with.
void append_head(std::string& out, const AuditLine& line, std::string_view kind) {
    out += R"({"id":)";
    json::append_string(out, id_text(line));
    out += R"(,"at":)";
    append_time(out, at_of(line));
    append_unless_empty(out, "kind", kind);
}

void append_rest(std::string& out, const AuditEntry& entry) {
    if (entry.actor.key_id.empty()) {
        out += R"(,"actor":{"type":"anonymous"})";
    } else {
        const bool is_certificate = entry.actor.key_id.starts_with(kCertificatePrefix);
        out += is_certificate ? R"(,"actor":{"type":"certificate")" : R"(,"actor":{"type":"key")";
        append_unless_empty(out, "keyId", entry.actor.key_id);
        append_unless_empty(out, "name", entry.actor.key_name);
        out += '}';
    }
    append_unless_empty(out, "workspace", entry.key.workspace_id.value);
    if (entry.instance_id) append_instance_id(out, *entry.instance_id);
    append_unless_empty(out, "subject", entry.subject);
    append_unless_empty(out, "remoteAddress", entry.actor.remote_address);
    append_unless_empty(out, "requestId", entry.actor.request_id);
    if (!entry.details.empty()) out.append(R"(,"details":)").append(entry.details);
}

void append_rest(std::string& out, const JobAuditEntry& entry) {
    out += R"(,"actor":{"type":"system"})";
    append_unless_empty(out, "workspace", entry.job.workspace_id.value);
    append_instance_id(out, instance_of(entry.job.id));
    append_unless_empty(out, "subject", to_string(entry.job.id.value));
    out += R"(,"details":{"jobId":)";
    append_id(out, entry.job.id.value);
    append_unless_empty(out, "jobType", entry.job_type.value);
    append_unless_empty(out, "stepId", entry.step_id);
    append_unless_empty(out, "workerId", entry.worker_id.value);
    out += R"(,"leaseToken":)";
    json::append_integer(out, entry.lease_token);
    append_unless_empty(out, "message", entry.message);
    out += '}';
}

}  // namespace

std::string_view enabled_member(bool is_audited) {
    return is_audited ? R"(,"enabled":true)" : R"(,"enabled":false)";
}

void append_audit_line(std::string& out, const AuditLine& line) {
    std::visit(
        [&](const auto& entry) {
            append_head(out, line, to_string(entry.kind));
            append_rest(out, entry);
        },
        line);
    out += '}';
}

}  // namespace millrace::rest
