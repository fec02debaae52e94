#include "simulator/comparison.hpp"

namespace millrace::sim {

namespace {

// Everything of one workspace, page by page.
class Comparison {
public:
    Comparison(const Ledger& ledger, Reader& reader, Findings& findings)
        : rows_(ledger.rows()), reader_(reader), findings_(findings) {}

    void compare_all() {
        std::set<WorkspaceId> ids;
        for (const auto& entry : rows_.workspaces) ids.insert(entry.first);
        for (const auto& entry : rows_.instances) ids.insert(entry.first.workspace_id);
        for (const auto& entry : rows_.executions) ids.insert(entry.first.workspace_id);
        for (const WorkspaceId& id : ids) {
            compare_instances(id);
            compare_jobs(id);
            compare_user_tasks(id);
            compare_executions(id);
        }
        compare_workspaces();
        compare_timers();
    }

private:
    static constexpr std::int32_t kPageSize = 100;

    static Page page_after(const std::string& after) { return {.size = kPageSize, .after = after}; }

    // Goes through a list; `look_at` tells how the list goes on after an item.
    template <class List, class LookAt>
    void go_through(const List& list, const LookAt& look_at) {
        std::string after;
        while (true) {
            const auto page = list(page_after(after));
            if (!page) return findings_.add("the store cannot be read: " + page.error().detail);
            for (const auto& item : page->items) after = look_at(item);
            if (!page->has_more || page->items.empty()) return;
        }
    }

    template <class Table, class Key>
    void expect_count(const Table& table, const Key& workspace_id, std::size_t found,
                      const std::string& noun) {
        std::size_t wanted = 0;
        for (const auto& entry : table) {
            if (entry.first.workspace_id == workspace_id) wanted += 1;
        }
        if (wanted != found) {
            findings_.add("the store has " + std::to_string(found) + " " + noun + " in " +
                          workspace_id.value + ", and " + std::to_string(wanted) +
                          " were committed");
        }
    }

    void compare_instances(const WorkspaceId& id) {
        std::size_t count = 0;
        const auto list = [&](const Page& page) {
            return reader_.instances({.workspace_id = id}, page);
        };
        go_through(list, [&](const Instance& row) {
            count += 1;
            const auto found = rows_.instances.find(row.key);
            if (found == rows_.instances.end() || found->second != row) {
                findings_.add("the store has another " + named(row.key) + " than was committed");
            }
            compare_history(row.key);
            return to_string(row.key.id.value);
        });
        expect_count(rows_.instances, id, count, "instances");
    }

    void compare_history(const InstanceKey& key) {
        const auto history = reader_.history(key);
        if (!history || !*history) return findings_.add("there is no history of " + named(key));
        std::size_t wanted = 0;
        for_each_of(rows_.history, key, [&](const StepExecution&) { wanted += 1; });
        bool is_same = wanted == (*history)->closed.size();
        for (const StepExecution& line : (*history)->closed) {
            const auto found = rows_.history.find(line.key);
            is_same = is_same && found != rows_.history.end() && found->second == line;
        }
        if (!is_same) findings_.add("the store has another history of " + named(key));
    }

    // Where a job stands in line is the store's to say, and lists have no variables.
    void compare_jobs(const WorkspaceId& id) {
        std::size_t count = 0;
        const auto list = [&](const Page& page) {
            return reader_.jobs({.workspace_id = id}, page);
        };
        go_through(list, [&](const Job& row) {
            count += 1;
            const auto found = rows_.jobs.find(row.key);
            Job wanted = found == rows_.jobs.end() ? Job{} : found->second;
            wanted.seq = row.seq;
            wanted.variables = row.variables;
            if (wanted != row) findings_.add("the store has another " + named(row.key));
            return to_string(row.key.id.value);
        });
        expect_count(rows_.jobs, id, count, "jobs");
    }

    void compare_user_tasks(const WorkspaceId& id) {
        std::size_t count = 0;
        const auto list = [&](const Page& page) {
            return reader_.user_tasks({.workspace_id = id}, page);
        };
        go_through(list, [&](const UserTask& row) {
            count += 1;
            const auto found = rows_.user_tasks.find(row.key);
            if (found == rows_.user_tasks.end() || found->second != row) {
                findings_.add("the store has another user task at " + row.step_id);
            }
            return to_string(row.key.id.value);
        });
        expect_count(rows_.user_tasks, id, count, "user tasks");
    }

    // Whether a waiting one is ready or parked is the store's to say.
    void compare_executions(const WorkspaceId& id) {
        std::size_t count = 0;
        const auto list = [&](const Page& page) {
            return reader_.executions({.workspace_id = id}, page);
        };
        go_through(list, [&](const Execution& row) {
            count += 1;
            const auto found = rows_.executions.find(row.key);
            Execution wanted = found == rows_.executions.end() ? Execution{} : found->second;
            const bool is_in_line = row.place != QueuePlace::due && row.place != QueuePlace::active;
            if (is_in_line && wanted.place != QueuePlace::due) wanted.place = row.place;
            if (wanted != row) findings_.add("the store has another " + named(row.key));
            return to_string(row.key.id.value);
        });
        expect_count(rows_.executions, id, count, "executions");
    }

    void compare_workspaces() {
        std::size_t count = 0;
        const auto list = [&](const Page& page) {
            return reader_.workspaces(page);
        };
        go_through(list, [&](const Workspace& row) {
            count += 1;
            const auto found = rows_.workspaces.find(row.id);
            const bool is_first = row.id.value == kDefaultWorkspace && row.changed_at == Instant{};
            if (found == rows_.workspaces.end() || (found->second != row && !is_first)) {
                findings_.add("the store has another workspace " + row.id.value);
            }
            return row.id.value;
        });
        if (count != rows_.workspaces.size()) findings_.add("the store has other workspaces");
    }

    void compare_timers() {
        constexpr std::int32_t kMany = 100'000;
        const auto due = reader_.due_timers(kEndOfTime, kMany);
        if (!due) return findings_.add("the store cannot be read: " + due.error().detail);
        bool is_same = due->size() == rows_.timers.size();
        for (const TimerKey& key : *due) is_same = is_same && rows_.timers.contains(key);
        if (!is_same) findings_.add("the store has other timers than were committed");
    }

    const Ledger::Rows& rows_;
    Reader& reader_;
    Findings& findings_;
};

}  // namespace

void compare_with_store(const Ledger& ledger, Reader& reader, Findings& findings) {
    Comparison(ledger, reader, findings).compare_all();
}

}  // namespace millrace::sim
