#pragma once

#include "cli/option_checks.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// The filters that lists of executions and of dead letters have in common.
template <class App>
void add_execution_filter(App& command, client::ExecutionFilter& filter) {
    command.add_option("--definition", filter.definition_id, "Id of their definition");
    command.add_option("--concurrency-key", filter.concurrency_key, "With this key");
    command.add_option("--reason", filter.reason, "That failed for this reason");
    command.add_option("--requested-by", filter.requested_by,
                       "That the API key of this name asked for");
    expect_time(
        command.add_option("--created-from", filter.created_from, "From this time on (RFC 3339)"));
    expect_time(command.add_option("--created-before", filter.created_before,
                                   "Before this time (RFC 3339)"));
}

}  // namespace millrace::cli
