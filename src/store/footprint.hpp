#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/idempotency/idempotency_record.hpp"
#include "core/instance/instance.hpp"
#include "store/admission_rows.hpp"

namespace millrace {

// Version 0 asks for the latest.
struct DefinitionKey {
    WorkspaceId workspace_id{};
    std::string id{};
    std::int32_t version = 0;

    friend auto operator<=>(const DefinitionKey&, const DefinitionKey&) = default;
};

// An upload asks which version its content is. The name stays locked until the batch ends, so that
// two uploads cannot choose the same number.
struct UploadKey {
    WorkspaceId workspace_id{};
    std::string id{};
    std::string canonical{};

    friend auto operator<=>(const UploadKey&, const UploadKey&) = default;
};

// How much one load may bring into memory. Rows of a kind are read until they reach the bound; the
// others stay where they are, and LoadedRows::left_out tells of them.
struct ReadingBound {
    std::int64_t bytes_max = std::numeric_limits<std::int64_t>::max();
    // Read in any case: instances of these ids, their jobs and definitions, and these definitions.
    std::vector<Id128> instances_first{};
    std::vector<DefinitionKey> definitions_first{};

    bool is_bounded() const { return bytes_max < std::numeric_limits<std::int64_t>::max(); }
};

// The rows that commands need, named before the batch begins, so that one statement per table can
// lock them all, sorted by id.
struct Footprint {
    std::vector<InstanceKey> instances{};             // Locked.
    std::vector<JobKey> jobs{};                       // Locked.
    std::vector<UserTaskKey> user_tasks{};            // Locked.
    std::vector<IdempotencyKey> idempotency_keys{};   // The keys locked, the records read.
    std::vector<std::string> api_keys{};              // By id, locked.
    std::vector<StepExecutionKey> step_executions{};  // Closed ones, read.
    std::vector<DefinitionKey> definitions{};         // Read.
    std::vector<UploadKey> uploads{};                 // The names locked, the versions read.
    std::vector<ExecutionKey> executions{};           // Locked, behind all others.
    bool executions_of_instances = false;             // Those that the instances run for, too.
    std::vector<WorkspaceId> workspaces{};            // Read.
    std::optional<AdmissionRequest> admission{};      // One in a batch: the last one asked for.
    ReadingBound bound{};                             // Of instances, jobs and definitions.

    void add(const Footprint& other);

    // Sorts each list and drops what stands twice. Stores expect it done.
    void normalise();

    bool empty() const;

    // What no two committers may have in hand at once: the instances of all that is locked here,
    // and a stand-in for each name of an upload, each idempotency key and each API key.
    std::vector<Id128> holds() const;
};

}  // namespace millrace
