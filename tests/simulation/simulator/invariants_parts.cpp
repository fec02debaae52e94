#include <algorithm>
#include <ranges>

#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

// One instance that is not over, and its rows.
class Parts {
public:
    Parts(const Instance& instance, const Ledger& ledger, Findings& findings)
        : instance_(instance), rows_(ledger.rows()), ledger_(ledger), findings_(findings) {}

    void check() {
        check_jobs_of_steps();
        check_rows_of_jobs();
        check_open_user_tasks();
        check_timer_rows();
        check_gateways();
        check_way_on();
    }

    void check_nothing_is_left() {
        bool is_left = false;
        for_each_of(rows_.jobs, instance_.key, [&](const Job&) { is_left = true; });
        for_each_of(rows_.timers, instance_.key, [&](const Timer&) { is_left = true; });
        for_each_of(rows_.user_tasks, instance_.key, [&](const UserTask& task) {
            is_left = is_left || task.status == UserTaskState::open;
        });
        if (is_left) find("is over and has rows that are open");
    }

private:
    void find(const std::string& what) { findings_.add(named(instance_.key) + " " + what); }

    StepExecutionId id_of(const OpenStep& step) const {
        return {instance_.key.id.value.with_sequence(step.sequence)};
    }

    const OpenStep* step_of_part(std::uint32_t sequence, StepType type) const {
        for (const OpenStep& step : instance_.state.open_steps) {
            if (step.sequence + 1 == sequence && step.type == type) return &step;
        }
        return nullptr;
    }

    void check_jobs_of_steps() {
        for (const OpenStep& step : instance_.state.open_steps) {
            if (step.type != StepType::service_task) continue;
            const Job* job = ledger_.find(JobKey{job_of(id_of(step)), instance_.key.workspace_id});
            if (job == nullptr) {
                find("waits at " + step.step_id + " for a job that is not there");
            } else if (job->variables.has_value() != step.job_has_variables) {
                find("does not know whether the job at " + step.step_id + " has variables");
            }
        }
    }

    void check_rows_of_jobs() {
        const bool is_suspended = instance_.state.is_suspended;
        for_each_of(rows_.jobs, instance_.key, [&](const Job& job) {
            const OpenStep* step =
                step_of_part(job.key.id.value.sequence(), StepType::service_task);
            if (step == nullptr || step->step_id != job.step_id) {
                find("has a job at " + job.step_id + " that it does not wait for");
            }
            if (is_suspended && job.status == JobState::unlocked) {
                find("is suspended and offers a job");
            }
            const bool is_for_good = is_kept_back(job) && job.lease->lock_expires_at == kEndOfTime;
            if (!is_suspended && is_for_good) find("keeps a job back for ever");
            const Variables* shown = ledger_.variables_of(job.key);
            const Variables& now = job.variables ? *job.variables : instance_.variables;
            if (shown != nullptr && *shown != now) {
                find("shows a job other variables than those at its creation");
            }
        });
    }

    void check_open_user_tasks() {
        for (const OpenStep& step : instance_.state.open_steps) {
            if (step.type != StepType::user_task) continue;
            const UserTask* task =
                ledger_.find(UserTaskKey{user_task_of(id_of(step)), instance_.key.workspace_id});
            const bool is_open = task != nullptr && task->status == UserTaskState::open;
            if (!is_open) find("waits at " + step.step_id + " for a user task that is not open");
        }
        for_each_of(rows_.user_tasks, instance_.key, [&](const UserTask& task) {
            if (task.status != UserTaskState::open) return;
            if (!step_of_part(task.key.id.value.sequence(), StepType::user_task)) {
                find("has a user task at " + task.step_id + " that it does not wait for");
            }
        });
    }

    // Each timer that it waits for has a row, and no other has; a suspended one waits for none.
    void check_timer_rows() {
        std::map<std::uint32_t, std::optional<Instant>> wanted;
        if (!instance_.state.is_suspended) {
            for (const OpenStep& step : instance_.state.open_steps) {
                for (const OpenTimer& timer : step.timers) wanted[timer.sequence] = timer.fire_at;
            }
            if (instance_.state.pending_start) wanted[instance_.state.pending_start->timer] = {};
        }
        for_each_of(rows_.timers, instance_.key, [&](const Timer& timer) {
            const auto found = wanted.find(timer.key.id.value.sequence());
            if (found == wanted.end()) return find("has a timer that is for nothing");
            if (found->second && *found->second != timer.fire_at) {
                find("has a timer with another time than it knows of");
            }
            wanted.erase(found);
        });
        if (!wanted.empty()) find("waits for a timer that has no row");
    }

    // Each passage through a gateway that is not over has a token inside, else its join never
    // fires; and each token is inside of passages that there are.
    void check_gateways() {
        const InstanceState& state = instance_.state;
        std::set<std::uint32_t> known;
        for (const Activation& each : state.activations) known.insert(each.sequence);
        std::set<std::uint32_t> alive;
        const auto look_at = [&](const auto& token) {
            for (const std::uint32_t sequence : token.activations) {
                alive.insert(sequence);
                if (!known.contains(sequence)) {
                    find("has a token at " + token.step_id + " inside of a gateway that is over");
                }
            }
        };
        std::ranges::for_each(state.open_steps, look_at);
        std::ranges::for_each(state.pending_tokens, look_at);
        for (const Activation& each : state.activations) {
            if (!alive.contains(each.sequence)) {
                find("waits at the join " + each.join_step_id + " for nobody");
            }
        }
    }

    void check_way_on() {
        const InstanceState& state = instance_.state;
        const bool is_anywhere = std::ranges::any_of(state.open_steps, [](const OpenStep& step) {
            return step.type != StepType::join_gateway;
        });
        if (!is_anywhere && state.pending_tokens.empty() && !state.pending_start) {
            find("is not over and can never go on");
        }
        if (!state.is_suspended && !state.pending_tokens.empty()) {
            find("holds tokens back without being suspended");
        }
    }

    const Instance& instance_;
    const Ledger::Rows& rows_;
    const Ledger& ledger_;
    Findings& findings_;
};

void check_no_rows_of(const InstanceKey& key, const Ledger& ledger, Findings& findings) {
    bool is_left = false;
    for_each_of(ledger.rows().jobs, key, [&](const Job&) { is_left = true; });
    for_each_of(ledger.rows().timers, key, [&](const Timer&) { is_left = true; });
    for_each_of(ledger.rows().user_tasks, key, [&](const UserTask&) { is_left = true; });
    for_each_of(ledger.rows().history, key, [&](const StepExecution&) { is_left = true; });
    if (is_left) findings.add("there are rows of " + named(key) + ", but not itself");
}

}  // namespace

void check_parts(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const InstanceKey& key : changes.instances_touched) {
        const Instance* instance = ledger.find(key);
        if (instance == nullptr) {
            check_no_rows_of(key, ledger, findings);
            continue;
        }
        Parts parts(*instance, ledger, findings);
        is_terminal(instance->status) ? parts.check_nothing_is_left() : parts.check();
    }
}

}  // namespace millrace::sim
