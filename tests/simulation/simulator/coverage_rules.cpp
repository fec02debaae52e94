#include "simulator/coverage_rules.hpp"

#include <array>

namespace millrace::sim {

std::span<const CommandRule> command_rules() {
    static const std::vector<CommandRule> rules{
        {"api_key.create", {"conflict", "invalid_argument"}},
        {"api_key.revoke", {"not_found"}},
        {"definition.upload", {}},
        {"execution.cancel", {"conflict", "data_refused", "not_found"}},
        {"execution.complete", {"data_refused"}},
        {"execution.dismiss", {"conflict", "data_refused", "not_found"}},
        {"execution.enqueue", {"data_refused", "invalid_argument", "key_reused", "not_found"}},
        {"execution.purge", {"conflict", "not_found"}},
        {"execution.recover", {}},
        {"execution.redrive", {"conflict", "data_refused", "not_found"}},
        {"execution.retry", {"conflict", "data_refused", "not_found"}},
        {"instance.cancel", {"conflict", "data_refused", "not_found"}},
        {"instance.change_variables", {"conflict", "data_refused", "not_found"}},
        {"instance.complete_job", {"conflict", "data_refused", "lease_lost", "not_found"}},
        {"instance.complete_user_task",
         {"conflict", "data_refused", "invalid_argument", "not_found"}},
        {"instance.fail_job", {"data_refused", "lease_lost"}},
        {"instance.release_job", {"data_refused", "lease_lost"}},
        {"instance.resume", {"conflict", "not_found"}},
        {"instance.retry", {"conflict", "data_refused", "not_found"}},
        {"instance.signal_wait", {"conflict", "data_refused", "invalid_argument", "not_found"}},
        {"instance.start", {"data_refused", "key_reused", "not_found"}},
        {"instance.suspend", {"conflict", "data_refused", "not_found"}},
        {"job.extend_lease", {"conflict", "data_refused", "lease_lost"}},
        {"job.poll", {}},
        {"user_task.assign", {"conflict", "data_refused", "not_found"}},
        {"user_task.claim", {"conflict", "data_refused", "not_found"}},
        {"user_task.unclaim", {"conflict", "not_found"}},
        {"workspace.change", {"not_found"}},
        {"workspace.create", {"conflict"}},
        {"workspace.delete", {}},
    };
    return rules;
}

std::span<const std::string_view> common_outcomes() {
    static constexpr std::array<std::string_view, 4> kAll{"ok", "unavailable", "commit_unknown",
                                                          "none"};
    return kAll;
}

bool is_reachable(std::string_view command, std::string_view outcome, std::optional<Fault> fault) {
    const bool is_failure =
        outcome == "unavailable" || outcome == "commit_unknown" || outcome == "none";
    // Nothing fails by itself.
    if (!fault && is_failure) return false;
    // A process that dies answers nobody.
    if (fault == Fault::killed && outcome != "none") return false;
    if (outcome == "data_refused") {
        // The data of new rows is refused by the very fault that makes it bad.
        const bool is_new = command == "instance.start" || command == "execution.enqueue";
        if (!fault && is_new) return false;
        // Rows of an instance are bad for a while on one replica: what else meets it then is
        // chance.
        return !fault || fault == Fault::poisoned;
    }
    // A server that stops answers its polls first of all, with nothing.
    if (command == "job.poll" && fault == Fault::restarted && outcome != "none") {
        return outcome == "ok";
    }
    // While its commit is in doubt a committer writes nothing else that could be refused.
    if (outcome == "commit_unknown" && fault == Fault::poisoned) return false;
    // A row that somebody else has locked keeps its command from being tried, and so from doubt.
    if (outcome == "commit_unknown" && fault == Fault::locked) return false;
    // The last of several calls of one request, sent only after the others went well: too short a
    // moment for anything else to happen by chance.
    if (command == "workspace.delete") return outcome == "ok" && !fault;
    return true;
}

}  // namespace millrace::sim
