#pragma once

#include "store_conformance/store_test.hpp"
#include "support/stored_executions.hpp"

namespace millrace {

// As many as there are.
inline std::int32_t all_of_line(const WorkspaceLine&, std::size_t) {
    return 1'000;
}

// A request that reads everything of the lines that compete.
inline AdmissionRequest asking(AdmissionRequest request = {}) {
    if (!request.quota) request.quota = all_of_line;
    return request;
}

inline AdmissionRequest looking_everywhere() {
    return asking({.looks_everywhere = true});
}

class AdmissionTest : public StoreTest {
protected:
    // A batch that only looks.
    AdmissionRows look(const AdmissionRequest& request) {
        return load({.admission = request}).admission;
    }

    // A batch that decides nothing, but is there: what the store has moved is moved.
    AdmissionRows move(const AdmissionRequest& request) {
        Result<LoadedRows> rows = store_->load({.admission = request});
        EXPECT_TRUE(rows) << rows.error().detail;
        if (!rows) return {};
        EXPECT_TRUE(store_->apply({}));
        return std::move(rows->admission);
    }

    LineState line(const WorkspaceId& id) {
        const auto queue = reader_->queue(id);
        EXPECT_TRUE(queue && *queue);
        return queue && *queue ? (*queue)->line : LineState{};
    }

    static std::vector<std::string> names(const std::vector<WorkspaceLine>& lines) {
        std::vector<std::string> names;
        for (const WorkspaceLine& each : lines) names.push_back(each.workspace.id.value);
        return names;
    }

    static std::vector<ExecutionKey> keys(const WorkspaceLine& line) {
        std::vector<ExecutionKey> keys;
        for (const WaitingExecution& each : line.ready) keys.push_back(each.execution.key);
        return keys;
    }

    static std::vector<ExecutionKey> keys(const std::vector<Execution>& executions) {
        std::vector<ExecutionKey> keys;
        for (const Execution& each : executions) keys.push_back(each.key);
        return keys;
    }
};

// A workspace that competes.
inline Writes competing(const WorkspaceId& id, double virtual_time = 0) {
    return {.workspaces = {workspace_named(id.value)},
            .lines = {{id, {.virtual_time = virtual_time, .is_runnable = true}}}};
}

inline Execution with_key(Execution execution, const std::string& concurrency_key,
                          QueuePlace place) {
    execution.concurrency_key = concurrency_key;
    execution.place = place;
    return execution;
}

}  // namespace millrace
