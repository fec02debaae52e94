#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"
#include "cli/not_empty.hpp"

namespace millrace::cli {
namespace {

std::vector<std::string> audit_kinds() {
    return {
        "DEFINITION_UPLOADED", "INSTANCE_STARTED",    "INSTANCE_CANCELLED", "INSTANCE_RETRIED",
        "INSTANCE_SUSPENDED",  "INSTANCE_RESUMED",    "VARIABLES_CHANGED",  "SIGNAL_RECEIVED",
        "USER_TASK_CLAIMED",   "USER_TASK_UNCLAIMED", "USER_TASK_ASSIGNED", "USER_TASK_COMPLETED",
        "KEY_CREATED",         "KEY_REVOKED",         "BACKUP_TAKEN",       "EXECUTION_ENQUEUED",
        "EXECUTION_CANCELLED", "EXECUTION_REPORTED",  "EXECUTION_REDRIVEN", "EXECUTION_RETRIED",
        "EXECUTION_RESUMED",   "EXECUTION_DISMISSED", "EXECUTION_PURGED",   "EXECUTION_RECOVERED",
        "WORKSPACE_CREATED",   "WORKSPACE_CHANGED",   "WORKSPACE_DELETED",  "JOB_DISPATCHED",
        "JOB_COMPLETED",       "JOB_FAILED",          "JOB_RETRIED"};
}

void add_audit(CLI::App& app, Invocation& invocation) {
    auto [audit, listed] =
        add_command<ListAudit>(app, invocation, "audit", "List who did what, newest first");
    CLI::Option* kind = audit->add_option("--kind", listed->query.kinds,
                                          "Such as INSTANCE_CANCELLED; may be given several times");
    expect_one_of(kind, audit_kinds())->delimiter(',')->allow_extra_args(false);
    audit->add_option("--key", listed->query.key_id, "By this API key");
    audit->add_option("--instance", listed->query.instance_id,
                      "Of this instance, with what happened to its jobs");
    expect_time(audit->add_option("--since", listed->query.since, "From this time on (RFC 3339)"));
    expect_time(audit->add_option("--until", listed->query.until, "Before this time (RFC 3339)"));
    add_limit(*audit, listed->limit);
}

void add_keys(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "keys", "Create and revoke API keys");
    auto [create, created] =
        add_command<CreateKey>(group, invocation, "create", "Create an API key; it is shown once");
    create->add_option("NAME", created->name, "What it is for")->required();
    expect_one_of(create->add_option("--role", created->role, "viewer, worker, operator or admin"),
                  {"viewer", "worker", "operator", "admin"})
        ->required();
    create->add_option("--for-workspace", created->workspace, "Only for this workspace")
        ->check(not_empty());
    expect_time(
        create->add_option("--expires-at", created->expires_at, "Until this time (RFC 3339)"));
    CLI::Option* directory =
        create->add_option("--data-dir", created->data_directory,
                           "Open the embedded store in this directory, without a server");
    create->add_option("--store", created->store, "Open this store, without a server")
        ->excludes(directory);
    create->add_flag("--new", created->may_make_store,
                     "Make the embedded store, too, when there is none");

    auto [list, listed] = add_command<ListKeys>(group, invocation, "list", "List API keys");
    add_limit(*list, listed->limit);

    auto [revoke, revoked] =
        add_command<RevokeKey>(group, invocation, "revoke", "Make an API key useless");
    revoke->add_option("ID", revoked->id, "Id of the key")->required();
}

}  // namespace

void add_administration_commands(CLI::App& app, Invocation& invocation) {
    add_audit(app, invocation);
    add_keys(app, invocation);

    auto [back_up, copy] = add_command<BackUp>(
        app, invocation, "backup", "Copy the embedded store, of a server or where none runs");
    back_up->add_option("--to", copy->file, "The file to make")->required();
    back_up->add_option("--data-dir", copy->data_directory,
                        "Copy this directory, which no server has");
    back_up->add_flag("--force", copy->is_forced, "Replace the file");

    auto [restore, restored] =
        add_command<Restore>(app, invocation, "restore", "Make a data directory of a backup");
    restore->add_option("--from", restored->file, "The backup")->required();
    restore->add_option("--data-dir", restored->data_directory, "A new or empty directory")
        ->required();

    auto [promote, promoted] = add_command<PromoteStore>(
        app, invocation, "promote", "Move everything of the embedded store to PostgreSQL");
    promote
        ->add_option("--from", promoted->from, "The embedded store, sqlite:PATH; no server has it")
        ->required();
    promote->add_option("--to", promoted->to, "An empty PostgreSQL database: a URL or keywords")
        ->required();
}

}  // namespace millrace::cli
