#pragma once

#include "millrace/client/queue_requests.hpp"
#include "query.hpp"

namespace millrace::client {

// The parameters of a list of executions, or of dead letters.
inline Query query_of(const ListExecutions& list) {
    const ExecutionFilter& filter = list.filter;
    return Query()
        .add("status", filter.statuses)
        .add("queueStatus", filter.queue_statuses)
        .add("definitionId", filter.definition_id)
        .add("concurrencyKey", filter.concurrency_key)
        .add("reason", filter.reason)
        .add("requestedBy", filter.requested_by)
        .add("createdFrom", filter.created_from)
        .add("createdBefore", filter.created_before)
        .add(list.paging);
}

}  // namespace millrace::client
