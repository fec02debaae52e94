#include "engine/resume_instance.hpp"

#include "core/job/transitions.hpp"
#include "engine/find_instance.hpp"
#include "engine/open_jobs.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const ResumeInstance& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const ResumeInstance& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    if (!is_terminal(instance->status) && !instance->state.is_suspended) {
        return Decision<Instance>{.answer = *instance};
    }
    Footprint missing = is_terminal(instance->status) ? Footprint{} : missing_jobs(rows, *instance);
    if (!missing.empty()) return Decision<Instance>{.missing = std::move(missing)};

    const Instance before = *instance;
    Result<Ran> run = run_event(rows, std::move(*instance), ResumeRequested{}, now);
    if (run && run->missing.empty()) {
        change_open_jobs(rows, before, let_go, run->effects);
    }
    return answer_with_instance(std::move(run));
}

AuditNote audit_note(const ResumeInstance& command, const Instance&) {
    return {.kind = AuditKind::instance_resumed, .instance_id = command.instance.id};
}

}  // namespace millrace
