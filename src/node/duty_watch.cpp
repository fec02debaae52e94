#include "node/duty_watch.hpp"

#include "scheduler/refused_duty.hpp"

namespace millrace {

DutyWatch::DutyWatch(std::string duty, observe::Metrics& metrics, observe::Log& log)
    : duty_(std::move(duty)),
      log_(log),
      overdue_(metrics.duty_overdue(duty_)),
      set_aside_(metrics.duty_set_aside(duty_)) {}

void DutyWatch::note_refused(const WorkspaceId& workspace_id, Id128 id, const Error& error) {
    log_.warn("A due row is refused.", {{"duty", duty_},
                                        {"workspaceId", workspace_id.value},
                                        {"id", to_string(id)},
                                        {"error", error.detail}});
}

// Of a store that is away its loops tell.
void DutyWatch::note_set_aside(const WorkspaceId& workspace_id, Id128 id, const Error& error,
                               int failures) {
    if (failures == 1 && !may_pass(error)) note_refused(workspace_id, id, error);
}

void DutyWatch::note_overdue(std::optional<Instant> since, std::size_t aside) {
    overdue_since_ = since.value_or(Instant::max());
    set_aside_.set(static_cast<std::int64_t>(aside));
}

void DutyWatch::measure(Instant now) {
    const Instant since = overdue_since_;
    overdue_.set_seconds(since < now ? Duration(now - since) : Duration::zero());
}

}  // namespace millrace
