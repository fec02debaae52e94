#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "core/instance/machine.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

// At the end, and once before it for jobs of other branches. More are a loop.
constexpr int kWritesIncluded = 2;

// What reading one text and writing another costs.
std::size_t work_of_merge(const Variables& before, const Variables& after) {
    return before.text().size() / bytes_per_unit::kParsed +
           after.text().size() / bytes_per_unit::kWritten;
}

}  // namespace

Result<OpenVariables*> Machine::open_variables() {
    if (variables_) return &*variables_;
    const Variables& stored = instance().variables;
    // Once for each instance, whatever its size: nothing can be decided without it.
    meter_.charge(stored.text().size() / bytes_per_unit::kParsed);
    Result<json::Value> object = stored.value();
    if (!object) return object.error();
    return &variables_.emplace(std::move(*object));
}

void Machine::write_variables() {
    if (!variables_ || !variables_->is_changed()) return;
    mutable_instance().variables = variables_->take_text();
    const std::size_t work = instance().variables.text().size() / bytes_per_unit::kWritten;
    variables_written_ += 1;
    if (variables_written_ <= kWritesIncluded) return meter_.charge(work);
    (void)meter_.spend(work);
}

Status Machine::merge_variables(const json::Value& changes, std::uint32_t by_sequence) {
    Result<Variables> merged = instance().variables.merged(changes);
    if (!merged) return merged.error();
    replace_variables(std::move(*merged), by_sequence);
    return ok();
}

Status Machine::change_variables(const json::Value& changes,
                                 const std::vector<std::string>& removed) {
    Result<Variables> changed = instance().variables.merged(changes);
    if (changed && !removed.empty()) {
        Result<json::Value> kept = changed->value();
        if (!kept) return kept.error();
        const std::unordered_set<std::string_view> names(removed.begin(), removed.end());
        std::erase_if(*kept->if_object(),
                      [&](const json::Member& member) { return names.contains(member.key); });
        changed = Variables::from_value(*kept);
    }
    if (!changed) return changed.error();
    const std::size_t copies = jobs_without_variables(0);
    if (copies * instance().variables.text().size() > limits::kCommandBytesMax) {
        return Error{ErrorCode::too_large, "The " + std::to_string(copies) +
                                               " open jobs of the instance would keep more than " +
                                               std::to_string(limits::kCommandBytesMax) +
                                               " bytes of variables."};
    }
    replace_variables(std::move(*changed), 0);
    return ok();
}

void Machine::replace_variables(Variables variables, std::uint32_t by_sequence) {
    meter_.charge(work_of_merge(instance().variables, variables));
    if (variables == instance().variables) return;
    store_job_variables(by_sequence);
    mutable_instance().variables = std::move(variables);
    state().variables_version += 1;
    variables_.reset();
}

std::size_t Machine::jobs_without_variables(std::uint32_t except_sequence) const {
    if (is_terminal(instance().status)) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(instance().state.open_steps, [&](const OpenStep& step) {
            const bool has_job = step.type == StepType::service_task;
            return has_job && !step.job_has_variables && step.sequence != except_sequence;
        }));
}

// A job shows the variables at its creation. As long as they do not change, it borrows the
// instance's; before they do, the open jobs get a copy of their own. An instance that is over has
// no jobs, whatever it shows as open.
void Machine::store_job_variables(std::uint32_t except_sequence) {
    if (is_terminal(instance().status)) return;
    for (OpenStep& step : state().open_steps) {
        const bool has_job = step.type == StepType::service_task;
        if (!has_job || step.job_has_variables || step.sequence == except_sequence) continue;
        step.job_has_variables = true;
        const StepExecutionId id{instance().key.id.value.with_sequence(step.sequence)};
        const JobKey key{job_of(id), instance().key.workspace_id};
        const auto fresh = std::ranges::find(effects_.jobs, key, &Job::key);
        if (fresh != effects_.jobs.end()) {
            fresh->variables = instance().variables;
        } else {
            effects_.job_variables.push_back({key, instance().variables});
        }
    }
}

}  // namespace millrace
