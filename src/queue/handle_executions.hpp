#pragma once

#include <functional>
#include <vector>

#include "engine/query_queue.hpp"
#include "store/queue_reader.hpp"

namespace millrace {

// Does the same to many executions of a workspace: to those that a filter finds, oldest first and
// page by page, or to those that are named. Each by a command of its own, so that one that has
// moved on does not stop the others.
struct HandleExecutions {
    ExecutionFilter filter{};
    std::vector<ExecutionId> ids{};  // Not empty: these, in this order; of the filter's workspace.
    std::int64_t count_max = 0;
    std::int32_t at_once_max = 0;  // How many are under way at the same time.
};

struct HandledExecutions {
    struct Done {
        ExecutionId id{};
        ExecutionId result{};  // What came of it: the same, or a new one.
    };
    struct Refusal {
        ExecutionId id{};
        Error error{};
    };

    std::vector<Done> done{};
    std::vector<Refusal> refusals{};
    // What the filter still finds, counted to kTotalExactMax, or of the named ones those beyond
    // count_max.
    std::int64_t remaining = 0;
};

// Handles one of them, the n-th from 0 on, and calls back once.
using HandleOne = std::function<void(const ExecutionKey& key, std::int64_t n,
                                     std::function<void(const Result<ExecutionId>&)> done)>;

// Calls `done` once, on some thread, when all are answered. An error means that the executions
// could not be found; what was done by then stays so.
void handle_executions(HandleExecutions request, QueryQueue& queries, HandleOne handle_one,
                       std::function<void(Result<HandledExecutions>)> done);

}  // namespace millrace
