#include "store/postgres/admission_load.hpp"

#include <map>
#include <set>
#include <utility>

#include "store/postgres/decode.hpp"
#include "store/postgres/queue_rows.hpp"
#include "store/postgres/row_parameters.hpp"

namespace millrace::postgres {

namespace {

constexpr std::int64_t kNetMax = 256;      // Workspaces, and keys, that the net looks at each time.
constexpr int kFreeInstanceBytes = 17;     // Where a statement tells how long an instance is.
constexpr std::int64_t kOrphansMax = 100;  // At once: there should be none at all.

Parameters names(const std::vector<WorkspaceId>& ids) {
    Parameters p;
    p.add_column(ids, [](const WorkspaceId& id) -> std::string_view { return id.value; });
    return p;
}

Call wake(const std::vector<WorkspaceId>& ids, double mark) {
    Parameters p = names(ids);
    p.add(mark);
    return call(sql::wake_lines, std::move(p));
}

Call unpark(const std::vector<ConcurrencyKey>& keys, std::int32_t max_per_key) {
    using Key = ConcurrencyKey;
    Parameters p;
    p.add_column(keys, [](const Key& key) -> std::string_view { return key.workspace_id.value; });
    p.add_column(keys, [](const Key& key) -> std::string_view { return key.key; });
    p.add(max_per_key);
    return call(sql::unpark_executions, std::move(p));
}

Call waiting_workspaces(const WorkspaceId& after) {
    Parameters p;
    p.add(std::string_view(after.value));
    p.add(kNetMax);
    return call(sql::waiting_workspaces, std::move(p));
}

Call parked_keys(const ConcurrencyKey& after) {
    Parameters p;
    p.add(std::string_view(after.workspace_id.value));
    p.add(std::string_view(after.key));
    p.add(kNetMax);
    return call(sql::parked_keys, std::move(p));
}

Call lock_lines_call(double mark, std::int32_t lines_max) {
    Parameters p;
    p.add(mark);
    p.add(std::int64_t{lines_max});
    return call(sql::lock_lines, std::move(p));
}

Call orphans(const std::vector<WorkspaceId>& ids) {
    Parameters p = names(ids);
    p.add(kOrphansMax);
    return call(sql::load_orphaned_executions, std::move(p));
}

Result<WaitingExecution> decode_waiting(Fields& fields) {
    Result<Execution> execution = decode_execution(fields);
    if (!execution) return execution.error();
    WaitingExecution waiting{.execution = std::move(*execution)};
    waiting.input = Variables::from_text(std::string(fields.text()));
    waiting.active_of_key = fields.int64();
    if (fields.is_corrupt()) {
        return Error{
            ErrorCode::internal,
            "The row of execution " + to_string(waiting.execution.key.id.value) + " is corrupt."};
    }
    return waiting;
}

std::optional<InstanceKey> resumed_instance_of(const Execution& execution) {
    if (!execution.is_resuming || !execution.instance_id) return std::nullopt;
    return InstanceKey{*execution.instance_id, execution.key.workspace_id};
}

// Gives those that resume their instances; those whose instance somebody else has locked stay in
// the line, unseen by this admission.
void hand_over(WorkspaceLine& line, const std::map<InstanceKey, Instance>& free,
               const std::set<InstanceKey>& taken) {
    std::erase_if(line.ready, [&](const WaitingExecution& waiting) {
        const auto key = resumed_instance_of(waiting.execution);
        return key && taken.contains(*key);
    });
    for (WaitingExecution& waiting : line.ready) {
        const auto key = resumed_instance_of(waiting.execution);
        const auto found = key ? free.find(*key) : free.end();
        if (found != free.end()) waiting.instance = found->second;
    }
}

}  // namespace

void AdmissionLoad::append_calls(std::vector<Call>& calls) const {
    if (request_.looks_everywhere) {
        calls.push_back(waiting_workspaces(request_.lines_after));
        calls.push_back(parked_keys(request_.keys_after));
        return;
    }
    calls.push_back(unpark(request_.woken_keys, request_.max_per_key));
    calls.push_back(wake(request_.woken, request_.virtual_time_mark));
    calls.push_back(call(sql::sleeping_lines, names(request_.woken)));
    calls.push_back(lock_lines_call(request_.virtual_time_mark, request_.lines_max));
}

std::size_t AdmissionLoad::size() const {
    return request_.looks_everywhere ? 2 : 4;
}

Status AdmissionLoad::read(std::span<const Rows> answers) {
    if (!request_.looks_everywhere) {
        if (const Status status = read_sleeping(answers[2]); !status) return status;
        read_lines(answers[3]);
        return ok();
    }
    for (int i = 0; i < answers[0].size(); ++i) {
        Fields fields(answers[0], i);
        const WorkspaceId id{std::string(fields.text())};
        (fields.boolean() ? waiting_ : orphaned_).push_back(id);
        rows_.lines_looked_at = id;
    }
    if (answers[0].size() < kNetMax) rows_.lines_looked_at = {};
    for (int i = 0; i < answers[1].size(); ++i) {
        Fields fields(answers[1], i);
        ConcurrencyKey& key = parked_.emplace_back();
        key.workspace_id.value = fields.text();
        key.key = fields.text();
    }
    if (std::cmp_equal(parked_.size(), kNetMax)) rows_.keys_looked_at = parked_.back();
    return ok();
}

Status AdmissionLoad::complete(Connection& connection) {
    if (request_.looks_everywhere) {
        if (const Status status = look_everywhere(connection); !status) return status;
    }
    if (rows_.lines.empty()) return ok();
    if (const Status status = read_workspaces(connection); !status) return status;
    if (rows_.lines.empty()) return ok();
    if (const Status status = count(connection); !status) return status;
    if (const Status status = read_ready(connection); !status) return status;
    return read_resuming(connection);
}

Status AdmissionLoad::look_everywhere(Connection& connection) {
    std::vector<WorkspaceId> woken = request_.woken;
    woken.insert(woken.end(), waiting_.begin(), waiting_.end());
    std::vector<ConcurrencyKey> keys = request_.woken_keys;
    for (const ConcurrencyKey& key : parked_) {
        keys.push_back(key);
        woken.push_back(key.workspace_id);
    }
    std::vector<Call> calls;
    calls.push_back(unpark(keys, request_.max_per_key));
    calls.push_back(wake(woken, 0));
    calls.push_back(call(sql::sleeping_lines, names(request_.woken)));
    calls.push_back(lock_lines_call(0, request_.lines_max));
    calls.push_back(orphans(orphaned_));
    const Result<std::vector<Rows>> answers = connection.run(calls);
    if (!answers) return answers.error();
    if (const Status status = read_sleeping((*answers)[2]); !status) return status;
    for (int i = 0; i < answers->back().size(); ++i) {
        Fields fields(answers->back(), i);
        const Fields named = fields;
        Result<Execution> execution = decode_execution(fields);
        if (execution) {
            rows_.orphans.push_back(std::move(*execution));
        } else {
            note_unreadable(named, execution.error());
        }
    }
    read_lines((*answers)[3]);
    return ok();
}

void AdmissionLoad::note_unreadable(const Fields& row, const Error& error) {
    rows_.unreadable.push_back(decode_key<ExecutionKey>(row));
    unreadable_.reasons.push_back(error.detail);
}

Status AdmissionLoad::read_sleeping(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        rows_.still_asleep.push_back({std::string(Fields(answer, i).text())});
    }
    return ok();
}

void AdmissionLoad::read_lines(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        WorkspaceLine& line = rows_.lines.emplace_back();
        line.workspace.id.value = fields.text();
        line.state = decode_line(fields);
    }
}

// After their lines are locked: a workspace that was removed before has none, one that is to be
// removed waits.
Status AdmissionLoad::read_workspaces(Connection& connection) {
    std::vector<WorkspaceId> ids;
    for (const WorkspaceLine& line : rows_.lines) ids.push_back(line.workspace.id);
    const Result<std::vector<Rows>> answers =
        connection.run({call(sql::load_workspaces, names(ids))});
    if (!answers) return answers.error();
    std::map<WorkspaceId, Workspace> found;
    for (int i = 0; i < answers->front().size(); ++i) {
        Fields fields(answers->front(), i);
        Result<Workspace> workspace = decode_workspace_row(fields);
        // Its items wait until somebody mends it.
        if (!workspace) {
            unreadable_.reasons.push_back(workspace.error().detail);
            continue;
        }
        const WorkspaceId id = workspace->id;
        found.emplace(id, std::move(*workspace));
    }
    std::erase_if(rows_.lines,
                  [&](const WorkspaceLine& line) { return !found.contains(line.workspace.id); });
    for (WorkspaceLine& line : rows_.lines) line.workspace = found.at(line.workspace.id);
    return ok();
}

Status AdmissionLoad::count(Connection& connection) {
    const auto active_counted = [this](const WorkspaceLine& line) -> std::optional<std::int32_t> {
        if (!request_.active_counted) return std::nullopt;
        return request_.active_counted(line.workspace);
    };
    Parameters p;
    p.add_column(rows_.lines, [](const WorkspaceLine& line) -> std::string_view {
        return line.workspace.id.value;
    });
    p.add_column(rows_.lines, active_counted);
    p.add(std::int64_t{request_.count_max});
    std::vector<Call> calls;
    calls.push_back(call(sql::count_lines, std::move(p)));
    const Result<std::vector<Rows>> answers = connection.run(calls);
    if (!answers) return answers.error();
    for (std::size_t i = 0; i < rows_.lines.size(); ++i) {
        Fields fields(answers->front(), static_cast<int>(i));
        rows_.lines[i].active = fields.int64();
        rows_.lines[i].ready_count = fields.int64();
    }
    return ok();
}

Status AdmissionLoad::read_ready(Connection& connection) {
    std::vector<std::pair<std::size_t, std::int32_t>> wanted;  // Places of lines, and how many.
    for (std::size_t i = 0; i < rows_.lines.size(); ++i) {
        const WorkspaceLine& line = rows_.lines[i];
        const std::int32_t count =
            line.ready_count == 0 ? 0 : request_.quota(line, rows_.lines.size());
        if (count > 0) wanted.emplace_back(i, count);
    }
    if (wanted.empty()) return ok();
    Parameters p;
    p.add_column(wanted, [this](const auto& line) -> std::string_view {
        return rows_.lines[line.first].workspace.id.value;
    });
    p.add_column(wanted, [](const auto& line) { return line.second; });
    p.add(request_.bytes_max);
    std::vector<Call> calls;
    calls.push_back(call(sql::load_ready_executions, std::move(p)));
    const Result<std::vector<Rows>> answers = connection.run(calls);
    if (!answers) return answers.error();

    const Rows& ready = answers->front();
    for (int i = 0; i < ready.size(); ++i) {
        Fields fields(ready, i);
        const auto place = static_cast<std::size_t>(fields.int64() - 1);
        const Fields named = fields;
        Result<WaitingExecution> waiting = decode_waiting(fields);
        if (!waiting) {
            note_unreadable(named, waiting.error());
            continue;
        }
        // Its definition may have been removed with its workspace's.
        if (fields.boolean()) definitions_.push_back(waiting->execution.definition);
        rows_.lines[wanted[place].first].ready.push_back(std::move(*waiting));
    }
    return ok();
}

// Instances come before executions in the order of locks: here they are taken only if they are
// free. One that is not, waits for the next admission; only one that is not there is gone.
Status AdmissionLoad::read_resuming(Connection& connection) {
    std::vector<InstanceKey> keys;
    for (const WorkspaceLine& line : rows_.lines) {
        for (const WaitingExecution& waiting : line.ready) {
            if (const auto key = resumed_instance_of(waiting.execution)) keys.push_back(*key);
        }
    }
    if (keys.empty()) return ok();
    const ReadingBound bound{.bytes_max = request_.bytes_max};
    const std::int64_t each_max = bytes_each_max(bound, keys.size());
    const Result<std::vector<Rows>> answers =
        connection.run({call(sql::load_free_instances, measured_columns(keys, each_max)),
                        call(sql::present_instances, key_columns(keys))});
    if (!answers) return answers.error();
    FreeInstances found;
    const LargeRows<InstanceKey> large = read_free(answers->front(), each_max, found);
    if (!large.empty()) {
        const std::vector<InstanceKey> fitting = large.parts(bound).fitting;
        const Result<std::vector<Rows>> more =
            connection.run({call(sql::load_free_instances, measured_columns(fitting, kAnyLength))});
        if (!more) return more.error();
        read_free(more->front(), kAnyLength, found);
    }
    // Locked by somebody else, or too large for this time.
    std::set<InstanceKey> taken;
    for (int i = 0; i < answers->back().size(); ++i) {
        Fields fields(answers->back(), i);
        const InstanceKey key = decode_key<InstanceKey>(fields);
        if (!found.readable.contains(key) && !found.unreadable.contains(key)) taken.insert(key);
    }
    for (WorkspaceLine& line : rows_.lines) {
        hand_over(line, found.readable, taken);
        for (WaitingExecution& waiting : line.ready) {
            const auto key = resumed_instance_of(waiting.execution);
            waiting.is_instance_unreadable = key && found.unreadable.contains(*key);
        }
    }
    return ok();
}

// Those that are too large are locked, and given back.
LargeRows<InstanceKey> AdmissionLoad::read_free(const Rows& answer, std::int64_t each_max,
                                                FreeInstances& found) {
    LargeRows<InstanceKey> large;
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        const InstanceKey key = decode_key<InstanceKey>(fields);
        const std::int64_t bytes = Fields(answer, i, kFreeInstanceBytes).int64();
        if (bytes > each_max) {
            large.add(key, bytes);
            continue;
        }
        Result<Instance> instance = decode_instance(fields);
        if (!instance) {
            unreadable_.reasons.push_back(instance.error().detail);
            found.unreadable.insert(key);
            continue;
        }
        if (fields.boolean()) definitions_.push_back(instance->definition);
        found.readable.emplace(key, std::move(*instance));
    }
    return large;
}

}  // namespace millrace::postgres
