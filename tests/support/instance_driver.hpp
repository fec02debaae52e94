#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json/parse.hpp"
#include "core/definition/parse_definition.hpp"
#include "core/instance/advance.hpp"
#include "support/jobs.hpp"

namespace millrace {

inline json::Value json_of(std::string_view text) {
    Result<json::Value> value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : json::Value{};
}

// Through the door, as a caller's are.
inline Variables variables_from(std::string_view text) {
    const Result<Variables> variables = Variables::from_value(json_of(text));
    EXPECT_TRUE(variables) << (variables ? "" : variables.error().detail);
    return variables ? *variables : Variables{};
}

inline DefinitionPtr definition_of(std::string_view text) {
    Result<DefinitionPtr> definition = parse_definition(json_of(text));
    EXPECT_TRUE(definition) << (definition ? "" : definition.error().detail);
    return definition ? *definition : nullptr;
}

// A definition from its steps alone: `[{"id": "a", "type": "END"}]`. Names are filled in; `members`
// are further ones of the root.
inline DefinitionPtr flow(std::string_view steps, std::string_view members = "{}") {
    json::Value document = json_of(members);
    document.set("id", "flow");
    document.set("name", "Flow");
    json::Value list = json_of(steps);
    for (json::Value& step : *list.if_array()) step.set("name", *step.find("id"));
    document.set("steps", std::move(list));
    Result<DefinitionPtr> definition = parse_definition(document);
    EXPECT_TRUE(definition) << (definition ? "" : definition.error().detail);
    return definition ? *definition : nullptr;
}

// Runs one instance of a definition as a store would keep it, and checks after each event what must
// always hold: every step closes once, rows exist for exactly what is open, a suspended instance
// makes none, and the version of the variables only grows.
class InstanceDriver {
public:
    explicit InstanceDriver(DefinitionPtr definition, std::string_view variables = "{}")
        : definition_(std::move(definition)) {
        instance_.key = {{Id128::for_instance(kNoon, 7)}, kWorkspace};
        instance_.definition = {1, definition_->id, 1};
        instance_.variables = variables_from(variables);
        instance_.started_at = now_;
    }

    const DefinitionPtr& definition() const { return definition_; }
    const Instance& instance() const { return instance_; }
    std::string variables() const { return instance_.variables.text(); }
    const std::vector<StepExecution>& history() const { return history_; }
    const std::map<JobKey, Job>& jobs() const { return jobs_; }
    const std::map<TimerKey, Timer>& timers() const { return timers_; }
    const std::map<UserTaskKey, UserTask>& user_tasks() const { return user_tasks_; }
    const std::string& chained() const { return chained_; }
    void pass(Duration time) { now_ += time; }
    // Before it starts.
    void set_state(InstanceState state) { instance_.state = std::move(state); }
    // As an older program, or somebody's SQL, has left it.
    Instance& stored() { return instance_; }

    Status handle(const Event& event) {
        Result<InstanceEffects> effects = advance(*definition_, instance_, event, now_);
        if (!effects) return effects.error();
        store(std::move(*effects));
        check();
        return ok();
    }

    Status start() { return handle(Started{}); }

    // The open job of a step; the test fails when there is none.
    JobKey job_at(std::string_view step_id) const {
        for (const auto& [key, job] : jobs_) {
            if (job.step_id == step_id) return key;
        }
        ADD_FAILURE() << "no open job at " << step_id;
        return {};
    }
    Status complete(std::string_view step_id, std::string_view variables = "null") {
        return handle(JobCompleted{.job = job_at(step_id).id,
                                   .variables = json_of(variables),
                                   .last_try = {.ended_at = now_}});
    }
    Status fail(std::string_view step_id, std::string message) {
        return handle(JobFailed{
            .job = job_at(step_id).id,
            .last_try = {.ended_at = now_, .outcome = TryOutcome::failed, .message = message}});
    }
    Status complete_task(std::string step_id, std::string_view variables = "null") {
        return handle(UserTaskCompleted{std::move(step_id), json_of(variables), "ann"});
    }
    Status signal(std::string step_id, std::string_view variables = "null") {
        return handle(SignalReceived{std::move(step_id), json_of(variables)});
    }
    // Fires the timer that is due next.
    Status fire() {
        EXPECT_FALSE(timers_.empty());
        if (timers_.empty()) return Error{};
        const auto next = std::min_element(
            timers_.begin(), timers_.end(),
            [](const auto& a, const auto& b) { return a.second.fire_at < b.second.fire_at; });
        now_ = std::max(now_, next->second.fire_at);
        return handle(TimerFired{next->first.id});
    }

    // "a:COMPLETED b:SKIPPED", in order of entry; open steps are RUNNING.
    std::string told() const {
        std::vector<StepExecution> lines = history_;
        for (StepExecution& open : open_step_executions(instance_)) lines.push_back(open);
        std::ranges::sort(lines, {}, &StepExecution::key);
        std::string text;
        for (const StepExecution& line : lines) {
            if (!text.empty()) text += ' ';
            text += line.step_id + ":" + std::string(to_string(line.status));
        }
        return text;
    }
    std::string current() const {
        std::string text;
        for (const std::string& id : current_step_ids(instance_)) {
            text += (text.empty() ? "" : " ") + id;
        }
        return text;
    }

private:
    void store(InstanceEffects effects) {
        check_variables(effects.instance);
        if (effects.instance.state.is_suspended) {
            EXPECT_TRUE(effects.jobs.empty() && effects.timers.empty() &&
                        effects.user_tasks.empty())
                << "a suspended instance begins nothing";
        }
        instance_ = std::move(effects.instance);
        chained_ = effects.chained_definition;
        for (Job& job : effects.jobs) jobs_.insert_or_assign(job.key, job);
        for (const JobKey& key : effects.jobs_removed) {
            EXPECT_EQ(jobs_.erase(key), 1u) << "a job is removed once";
        }
        for (const JobVariables& each : effects.job_variables) {
            ASSERT_TRUE(jobs_.contains(each.key));
            EXPECT_FALSE(jobs_.at(each.key).variables) << "a snapshot is taken once";
            jobs_.at(each.key).variables = each.variables;
        }
        for (const Timer& timer : effects.timers) timers_.insert_or_assign(timer.key, timer);
        for (const TimerKey& key : effects.timers_removed) timers_.erase(key);
        for (const UserTask& task : effects.user_tasks) user_tasks_.emplace(task.key, task);
        for (const UserTask& task : effects.user_tasks) {
            if (task.status != UserTaskState::open) user_tasks_.erase(task.key);
        }
        for (const UserTaskEnd& end : effects.user_tasks_ended) {
            EXPECT_EQ(user_tasks_.erase(end.key), 1u) << "a user task ends once";
        }
        for (StepExecution& line : effects.step_executions) {
            EXPECT_TRUE(closed_.insert(line.key).second) << line.step_id << " closed twice";
            history_.push_back(std::move(line));
        }
    }

    void check_variables(const Instance& changed) const {
        const std::int64_t before = instance_.state.variables_version;
        EXPECT_GE(changed.state.variables_version, before);
        if (changed.variables != instance_.variables) {
            EXPECT_GT(changed.state.variables_version, before) << "a change has its version";
        }
    }

    void check() const {
        const InstanceState& state = instance_.state;
        const bool is_over = is_terminal(instance_.status);
        EXPECT_EQ(is_over, instance_.completed_at.has_value());
        std::size_t jobs = 0;
        std::size_t tasks = 0;
        std::size_t timers = 0;
        for (const OpenStep& step : state.open_steps) {
            const StepExecutionKey key{{instance_.key.id.value.with_sequence(step.sequence)},
                                       instance_.key.workspace_id};
            EXPECT_EQ(closed_.contains(key), is_over) << step.step_id;
            jobs += step.type == StepType::service_task ? 1 : 0;
            tasks += step.type == StepType::user_task ? 1 : 0;
            timers += step.timers.size();
            if (is_over) continue;
            for (const std::uint32_t activation : step.activations) {
                EXPECT_NE(std::ranges::find(state.activations, activation, &Activation::sequence),
                          state.activations.end());
            }
        }
        EXPECT_EQ(jobs_.size(), is_over ? 0 : jobs);
        EXPECT_EQ(user_tasks_.size(), is_over ? 0 : tasks);
        EXPECT_EQ(timers_.size(), is_over || state.is_suspended ? 0 : timers);
        if (!is_over && !state.is_suspended) {
            EXPECT_FALSE(state.open_steps.empty()) << "an open instance waits for somebody";
            check_joins();
        }
    }

    // A join that waits has somebody to wait for.
    void check_joins() const {
        for (const Activation& activation : instance_.state.activations) {
            const bool is_live =
                std::ranges::any_of(instance_.state.open_steps, [&](const OpenStep& step) {
                    return std::ranges::find(step.activations, activation.sequence) !=
                           step.activations.end();
                });
            EXPECT_TRUE(is_live) << "activation " << activation.sequence << " waits for nobody";
        }
    }

    DefinitionPtr definition_;
    Instance instance_;
    Instant now_ = kNoon;
    std::string chained_;
    std::vector<StepExecution> history_;
    std::set<StepExecutionKey> closed_;
    std::map<JobKey, Job> jobs_;
    std::map<TimerKey, Timer> timers_;
    std::map<UserTaskKey, UserTask> user_tasks_;
};

}  // namespace millrace
