#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "store/admission_rows.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/large_rows.hpp"
#include "store/unreadable_rows.hpp"

namespace millrace::postgres {

// What an admission sees of the queue, in up to five round trips: wake and lock the lines; read
// what their workspaces say, and count in them, in snapshots that are newer than the locks; lock
// and read as many ready executions as the counts leave room for. Nothing is waited for: what
// others have locked is left out.
class AdmissionLoad {
public:
    explicit AdmissionLoad(const AdmissionRequest& request) : request_(request) {}

    // The first of the round trips is part of the one that begins the batch.
    void append_calls(std::vector<Call>& calls) const;
    // How many calls those were.
    std::size_t size() const;

    Status read(std::span<const Rows> answers);
    // The other round trips.
    Status complete(Connection& connection);

    AdmissionRows take_rows() { return std::move(rows_); }
    UnreadableRows take_unreadable() { return std::move(unreadable_); }
    // Definitions that candidates and their instances need, and that exist.
    const std::vector<DefinitionRef>& definitions() const { return definitions_; }

private:
    // Of the row of an execution that begins here.
    void note_unreadable(const Fields& row, const Error& error);
    Status look_everywhere(Connection& connection);
    Status read_workspaces(Connection& connection);
    Status count(Connection& connection);
    Status read_ready(Connection& connection);
    Status read_resuming(Connection& connection);
    struct FreeInstances {
        std::map<InstanceKey, Instance> readable{};
        std::set<InstanceKey> unreadable{};
    };
    LargeRows<InstanceKey> read_free(const Rows& answer, std::int64_t each_max,
                                     FreeInstances& found);
    void read_lines(const Rows& answer);
    Status read_sleeping(const Rows& answer);

    const AdmissionRequest& request_;
    AdmissionRows rows_;
    UnreadableRows unreadable_;           // Only what is to be said of them.
    std::vector<WorkspaceId> waiting_;    // Found by the net.
    std::vector<WorkspaceId> orphaned_;   // Of these, workspaces that are gone.
    std::vector<ConcurrencyKey> parked_;  // Found by the net.
    std::vector<DefinitionRef> definitions_;
};

}  // namespace millrace::postgres
