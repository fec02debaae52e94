#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "store_conformance/world.hpp"
#include "support/instances.hpp"

namespace millrace {

// A database with one connection of each kind, and batches in one line.
class StoreTest : public testing::TestWithParam<Candidate> {
protected:
    // A batch that writes without looking.
    Status write(const Writes& writes) {
        const Result<LoadedRows> rows = store_->load({});
        return rows ? store_->apply(writes) : Status(rows.error());
    }

    // A batch that only looks.
    LoadedRows load(Footprint footprint) {
        footprint.normalise();
        Result<LoadedRows> rows = store_->load(footprint);
        EXPECT_TRUE(rows) << rows.error().detail;
        if (!rows) return {};
        store_->abandon();
        std::ranges::sort(rows->instances, {}, &Instance::key);
        std::ranges::sort(rows->jobs, {}, &Job::key);
        std::ranges::sort(rows->step_executions, {}, &StepExecution::key);
        return std::move(*rows);
    }

    std::optional<Instance> read(const InstanceKey& key) {
        return first(load({.instances = {key}}).instances);
    }
    std::optional<Job> read(const JobKey& key) { return first(load({.jobs = {key}}).jobs); }
    std::optional<StepExecution> read(const StepExecutionKey& key) {
        return first(load({.step_executions = {key}}).step_executions);
    }

    std::optional<UserTask> read(const UserTaskKey& key) {
        return first(load({.user_tasks = {key}}).user_tasks);
    }

    std::optional<Execution> read(const ExecutionKey& key) {
        return first(load({.executions = {key}}).executions);
    }

    DefinitionRef ref_of(const DefinitionRecord& record) {
        const DefinitionKey key{record.workspace_id, record.id, record.version};
        const LoadedRows rows = load({.definitions = {key}});
        return rows.definitions.at(0).second.value().ref;
    }

    template <class Row>
    static std::optional<Row> first(const std::vector<Row>& rows) {
        return rows.empty() ? std::nullopt : std::optional(rows.front());
    }

    std::unique_ptr<World> world_ = GetParam().make();
    std::unique_ptr<BatchStore> store_ = world_->database().batch_store();
    std::unique_ptr<JobClaimer> claimer_ = world_->database().job_claimer();
    std::unique_ptr<Reader> reader_ = world_->database().reader();
};

template <class Outcome>
ErrorCode code_of(const Outcome& outcome) {
    EXPECT_FALSE(outcome);
    return outcome ? ErrorCode::internal : outcome.error().code;
}

inline const WorkspaceId kOtherWorkspace{"globex"};

// The same row in the other workspace.
template <class Row>
Row moved_away(Row row) {
    row.key.workspace_id = kOtherWorkspace;
    return row;
}

// Registers a suite for every store.
#define MILLRACE_FOR_ALL_STORES(Suite)                                   \
    INSTANTIATE_TEST_SUITE_P(All, Suite, testing::ValuesIn(kCandidates), \
                             [](const auto& store) { return store.param.name; })

}  // namespace millrace
