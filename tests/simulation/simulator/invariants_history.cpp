#include <algorithm>

#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

const OpenStep* find_open(const Instance& instance, std::uint32_t sequence) {
    const auto found = std::ranges::find(instance.state.open_steps, sequence, &OpenStep::sequence);
    return found == instance.state.open_steps.end() ? nullptr : &*found;
}

const RowChange<Instance>* change_of(const Changes& changes, const InstanceKey& key) {
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after != nullptr && change.after->key == key) return &change;
    }
    return nullptr;
}

StepExecutionKey line_key(const InstanceKey& key, std::uint32_t sequence) {
    return {{key.id.value.with_sequence(sequence)}, key.workspace_id};
}

void check_tries(const StepExecution& line, Findings& findings) {
    const auto completed = std::ranges::count(line.tries, TryOutcome::completed, &Try::outcome);
    const bool is_done = line.job_status == JobState::completed;
    if (completed != (is_done ? 1 : 0)) {
        findings.add(named(line.key) + " has " + std::to_string(completed) +
                     " tries that were completed, and its job is " +
                     (is_done ? "done" : "not done"));
    }
}

// A line tells of a step that was open before, or that was entered and left by this commit.
void check_line(const StepExecution& line, const Changes& changes, const Ledger& ledger,
                Findings& findings) {
    const InstanceKey key{instance_of(line.key.id), line.key.workspace_id};
    const RowChange<Instance>* change = change_of(changes, key);
    if (change == nullptr) {
        findings.add(named(line.key) + " is over, and its instance does not know");
        return;
    }
    const std::uint32_t sequence = line.key.id.value.sequence();
    const std::uint32_t first = change->before ? change->before->state.sequence : 0;
    const OpenStep* opened = change->before ? find_open(*change->before, sequence) : nullptr;
    const bool is_new = sequence > first && sequence <= change->after->state.sequence;
    const bool was_open = opened != nullptr && opened->step_id == line.step_id &&
                          !is_terminal(change->before->status);
    if (!is_new && !was_open) findings.add(named(line.key) + " is over without being open");
    if (line.status == StepExecutionStatus::running || !line.ended_at) {
        findings.add(named(line.key) + " has a line before its end");
    }
    if (line.step_type == StepType::service_task) {
        check_tries(line, findings);
        if (!line.job_status || ledger.find(JobKey{job_of(line.key.id), key.workspace_id})) {
            findings.add(named(line.key) + " is over, and its job is not");
        }
    }
}

// Each passage through a gateway ends in its join at most once.
void check_join(const StepExecution& line, const Ledger& ledger, Findings& findings) {
    const bool is_fired =
        line.step_type == StepType::join_gateway && line.status == StepExecutionStatus::completed;
    if (!is_fired) return;
    const InstanceKey key{instance_of(line.key.id), line.key.workspace_id};
    const Instance* instance = ledger.find(key);
    const Definition* definition =
        instance == nullptr ? nullptr : ledger.definition_of(instance->definition);
    if (definition == nullptr) return;
    int joined = 0;
    int split = 0;
    for_each_of(ledger.rows().history, key, [&](const StepExecution& each) {
        if (each.status != StepExecutionStatus::completed) return;
        if (each.step_id == line.step_id) joined += 1;
        const Step* step = definition->find_step(each.step_id);
        if (step != nullptr && step->join_step == line.step_id) split += 1;
    });
    if (joined > split) {
        findings.add("the join " + line.step_id + " of " + named(key) + " has fired " +
                     std::to_string(joined) + " times for " + std::to_string(split) + " gateways");
    }
}

void check_steps(const RowChange<Instance>& change, const Ledger& ledger, Findings& findings) {
    const Instance& after = *change.after;
    const bool is_over = is_terminal(after.status);
    for (const OpenStep& step : after.state.open_steps) {
        const bool has_line = ledger.find(line_key(after.key, step.sequence)) != nullptr;
        if (has_line != is_over) {
            findings.add("the step " + step.step_id + " of " + named(after.key) +
                         (is_over ? " is over without a line" : " is open and has a line"));
        }
    }
    if (!change.before || is_terminal(change.before->status)) return;
    for (const OpenStep& step : change.before->state.open_steps) {
        const bool is_open = find_open(after, step.sequence) != nullptr;
        if (!is_open && ledger.find(line_key(after.key, step.sequence)) == nullptr) {
            findings.add("the step " + step.step_id + " of " + named(after.key) +
                         " has gone without a line");
        }
    }
}

}  // namespace

void check_history(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const StepExecution& line : changes.writes->step_executions) {
        check_line(line, changes, ledger, findings);
        check_join(line, ledger, findings);
    }
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after != nullptr) check_steps(change, ledger, findings);
    }
}

}  // namespace millrace::sim
