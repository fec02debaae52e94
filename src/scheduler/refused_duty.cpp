#include "scheduler/refused_duty.hpp"

#include "engine/fail_step.hpp"

namespace millrace {

bool may_pass(const Error& error) {
    return error.code == ErrorCode::unavailable || error.code == ErrorCode::commit_unknown;
}

namespace {

// In words for the owner of the instance.
std::string reason_of_refusal(const Error& error) {
    if (error.code != ErrorCode::data_refused) return error.detail;
    return "the store can never keep what follows from it";
}

}  // namespace

void end_step_duty(CommandQueue& queue, const InstanceKey& instance, std::uint32_t sequence,
                   std::string_view what, const Status& status, const RefusedNote& note,
                   std::function<void(const Status&)> done) {
    // A row that cannot be read, or a mistake of ours: nobody's instance has to fail for that.
    const bool is_ours = !status && status.error().code == ErrorCode::internal;
    if (status || may_pass(status.error()) || is_ours) return done(status);
    if (note) note(instance, status.error());
    FailStep command{
        .instance = instance,
        .sequence = sequence,
        .reason = std::string(what) + ": " + reason_of_refusal(status.error()),
    };
    queue.submit_duty(std::move(command),
                      [refusal = status.error(), done](const Result<Instance>& failed) {
                          if (failed) return done(ok());
                          // Also where no such step is open: its due row may still be there, and
                          // has to rest.
                          done(may_pass(failed.error()) ? failed.error() : refusal);
                      });
}

}  // namespace millrace
