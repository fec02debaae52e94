#include "engine/upload_definition.hpp"

#include "base/check.hpp"
#include "base/json/write.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {

namespace {

UploadKey upload_key(const UploadDefinition& command) {
    return {command.workspace_id, command.id, command.canonical};
}

}  // namespace

Result<UploadDefinition> make_upload(const WorkspaceId& workspace_id, json::Value document) {
    const Result<DefinitionPtr> definition = parse_definition(document);
    if (!definition) return definition.error();
    std::string canonical = canonical_text(document);
    return UploadDefinition{
        .workspace_id = workspace_id,
        .id = (*definition)->id,
        .name = (*definition)->name,
        .document = std::move(document),
        .canonical = std::move(canonical),
    };
}

Footprint footprint(const UploadDefinition& command) {
    return {.uploads = {upload_key(command)}};
}

Result<Decision<UploadedDefinition>> decide(const UploadDefinition& command, const WorkingSet& rows,
                                            Instant now) {
    const UploadRow* stored = rows.find(upload_key(command));
    MILLRACE_CHECK(stored != nullptr);
    UploadedDefinition answer{.id = command.id, .name = command.name};
    if (stored->same_version != 0) {
        answer.version = stored->same_version;
        answer.uploaded_at = stored->same_uploaded_at;
        return Decision<UploadedDefinition>{.answer = std::move(answer)};
    }
    answer.version = stored->latest_version + 1;
    answer.uploaded_at = now;
    const DefinitionRecord record{
        .workspace_id = command.workspace_id,
        .id = command.id,
        .version = answer.version,
        .name = command.name,
        .content = json::write(with_version(command.document, answer.version)),
        .canonical = command.canonical,
        .uploaded_at = now,
    };
    return Decision<UploadedDefinition>{
        .effects = {.definitions = {record}},
        .answer = std::move(answer),
    };
}

AuditNote audit_note(const UploadDefinition& command, const UploadedDefinition& uploaded) {
    return {
        .kind = AuditKind::definition_uploaded,
        .subject = command.id,
        .details = {{"version", uploaded.version}},
    };
}

}  // namespace millrace
