#pragma once

#include <functional>

#include "engine/cancel_instances.hpp"
#include "engine/query_queue.hpp"
#include "queue/delete_workspace.hpp"
#include "queue/handle_executions.hpp"

namespace millrace {

// Deletes a workspace in the order that DeleteWorkspace asks for: paused, counted, removed. When
// something in it is open, that is a conflict that says how much, and the workspace is as it was.
// Forced, its executions and instances are cancelled first, up to count_max of each; what is open
// even then, because its executor has not answered yet or there is too much of it, is a conflict
// too, and the workspace stays paused until it is deleted.
struct RetireWorkspace {
    WorkspaceId id{};
    bool is_forced = false;
    std::int64_t count_max = 0;
    std::int32_t at_once_max = 0;
};

// Each submits a command and calls back once.
struct RetireSteps {
    template <class Answer>
    using Done = std::function<void(const Result<Answer>&)>;

    std::function<void(bool is_paused, Done<Workspace> done)> set_paused{};
    HandleOne cancel_execution{};
    CancelOne cancel_instance{};
    std::function<void(const CountedWork& counted, Done<DeletedWorkspace> done)> remove{};
};

// Calls `done` once, on some thread.
void retire_workspace(RetireWorkspace request, QueryQueue& queries, RetireSteps steps,
                      std::function<void(const Status&)> done);

}  // namespace millrace
