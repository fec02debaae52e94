#include "engine/complete_job.hpp"

#include "base/json/measure.hpp"
#include "core/variables/exact_integers.hpp"
#include "core/work_meter.hpp"
#include "engine/end_of_try.hpp"
#include "engine/find_job.hpp"
#include "engine/run_event.hpp"

namespace millrace {

namespace {

// To look a value up by its name, among many, and by its number.
constexpr std::size_t kWorkOfValueRestored = 16;

struct Reported {
    json::Value variables{};
    std::int64_t work = 0;
};

Result<Reported> reported_variables(const CompleteJob& command, const Job& job,
                                    const Instance& instance) {
    if (!command.numbers_are_rounded || !has_rounded_integer(command.variables)) {
        return Reported{command.variables};
    }
    const Variables& sent = job.variables ? *job.variables : instance.variables;
    const Result<json::Value> known = sent.value();
    if (!known) return known.error();
    const std::size_t values =
        json::measure(command.variables).values + json::measure(*known).values;
    const std::size_t work =
        sent.text().size() / bytes_per_unit::kParsed + values * kWorkOfValueRestored;
    return Reported{with_exact_integers(command.variables, *known),
                    static_cast<std::int64_t>(work)};
}

}  // namespace

Footprint footprint(const CompleteJob& command) {
    return footprint_of_job(command.job);
}

Result<Decision<Job>> decide(const CompleteJob& command, const WorkingSet& rows, Instant now) {
    const Result<FoundJob> found = find_job(rows, command.job);
    if (!found) return found.error();
    if (!found->missing.empty()) return Decision<Job>{.missing = found->missing};

    const Result<Job> completed = complete(found->job, command.proof, now);
    if (!completed) return completed.error();
    if (!found->is_open) return Decision<Job>{.answer = *completed};

    Result<Instance> instance = instance_of_job(rows, command.job);
    if (!instance) return instance.error();
    Result<Reported> reported = reported_variables(command, found->job, *instance);
    if (!reported) return reported.error();
    const JobCompleted event{
        .job = command.job.id,
        .variables = std::move(reported->variables),
        .last_try = end_of_try(found->job, command.proof, TryOutcome::completed, {}, now),
    };
    Result<Ran> run = run_event(rows, std::move(*instance), event, now);
    if (!run) return run.error();
    run->effects.work += reported->work;
    return Decision<Job>{
        .effects = std::move(run->effects),
        .answer = *completed,
        .missing = std::move(run->missing),
    };
}

}  // namespace millrace
