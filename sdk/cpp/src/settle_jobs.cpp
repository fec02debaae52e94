#include <algorithm>

#include "outcomes.hpp"
#include "worker_run.hpp"

namespace millrace::client {
namespace {

// Between repetitions beyond the budget: outcomes are not given up, only told more slowly.
constexpr Duration kPauseBeyondBudget = std::chrono::seconds(1);
// Without it only time is lost: the lease runs out.
constexpr Duration kReleaseWithin = std::chrono::seconds(2);

Error lost_error(StopCause cause) {
    return {.code = "lease-lost",
            .message = "The outcome was not reported: " + std::string(name_of(cause)) + "."};
}

Handler with_interceptor(const HandlerInterceptor& interceptor, Handler next) {
    return [&interceptor, next = std::move(next)](const Job& job, JobContext& context) {
        return interceptor(job, context, next);
    };
}

}  // namespace

void Worker::Run::run_handlers() {
    while (const Active active = take()) finish(active, handle(*active));
    {
        const MutexLock lock(mutex_);
        --handler_threads_;
    }
    changed_.notify_all();
}

Worker::Run::Active Worker::Run::take() {
    const MutexLock lock(mutex_);
    while (queue_.empty() && !ended_) queue_changed_.wait(mutex_);
    if (ended_) return nullptr;
    Active active = std::move(queue_.front());
    queue_.pop_front();
    return active;
}

Outcome Worker::Run::handle(ActiveJob& active) {
    const auto found = handlers_.find(active.job.job_type());
    // The server should not have sent it to us; somebody else may know what to do.
    if (found == handlers_.end()) return Released{.reason = "No handler for this type."};
    Handler handler = found->second;
    for (auto each = interceptors_.rbegin(); each != interceptors_.rend(); ++each) {
        handler = with_interceptor(*each, std::move(handler));
    }
    return run_handler(handler, active.job, active);
}

void Worker::Run::finish(const Active& active, Outcome outcome) {
    active->is_reporting = true;
    const std::optional<StopCause> cause = active->cause();
    const bool is_lost = cause && *cause != StopCause::draining;
    outcome = reportable(std::move(outcome), cause);
    const Status status = is_lost ? Status(lost_error(*cause)) : report(*active, outcome);
    keeper_.remove(active->claim.job_id);
    if (!active->is_abandoned) tell_observer(*active, outcome, status);
    put_away(active);
}

void Worker::Run::tell_observer(const ActiveJob& active, const Outcome& outcome,
                                const Status& status) {
    try {
        if (observer_.job_done) {
            observer_.job_done(active.job, outcome, status ? nullptr : &status.error());
        }
    } catch (...) {  // Of no concern for the jobs.
    }
}

Status Worker::Run::report(ActiveJob& active, Outcome& outcome) {
    if (active.is_abandoned || active.is_lost) {
        return lost_error(active.cause().value_or(StopCause::lease_lost));
    }
    Status status = report_once(active, outcome);
    if (!status && is_transient(status.error())) status = report_again(active, outcome, status);
    if (!status && is_refused_for_good(status.error()) &&
        std::holds_alternative<Completed>(outcome)) {
        // Otherwise the job would be done and refused again after each lease, without end.
        outcome = Failed{.message = "The result was refused: " + status.error().message,
                         .retryable = false};
        return report(active, outcome);
    }
    if (status) budget_.succeeded();
    return status;
}

// While the lease lives. The token proves whose outcome it is, so that a lease which ran out while
// the server was away does no harm.
Status Worker::Run::report_again(ActiveJob& active, const Outcome& outcome, Status status) {
    Backoff backoff = seeded_backoff();
    const auto is_over = [&] {
        return active.is_abandoned || active.is_lost;
    };
    const auto give_up_at = SteadyClock::now() + options_.lease_duration;
    while (!status && is_transient(status.error()) && SteadyClock::now() < give_up_at) {
        Duration wait = std::max(backoff.next(), status.error().retry_after.value_or(Duration{}));
        if (!budget_.take()) wait = std::max(wait, kPauseBeyondBudget);
        pause(wait, is_over);
        if (is_over()) break;
        status = report_once(active, outcome);
    }
    return status;
}

Status Worker::Run::report_once(const ActiveJob& active, const Outcome& outcome) {
    const Duration within =
        std::max<Duration>(options_.lease_duration / 3, std::chrono::seconds(1));
    if (const Completed* completed = std::get_if<Completed>(&outcome)) {
        return calls_->complete({.claim = active.claim, .variables = completed->variables}, within);
    }
    if (const Failed* failed = std::get_if<Failed>(&outcome)) {
        return calls_->fail({.claim = active.claim,
                             .error_message = failed->message,
                             .retryable = failed->retryable,
                             .retry_after = failed->retry_after},
                            within);
    }
    const Released& released = std::get<Released>(outcome);
    const Status status =
        calls_->release({.claim = active.claim, .delay = released.delay, .reason = released.reason},
                        kReleaseWithin);
    // A server that does not know releases waits for the end of the lease instead.
    if (!status && status.error().status == 404) return std::monostate{};
    return status;
}

void Worker::Run::put_away(const Active& active) {
    {
        const MutexLock lock(mutex_);
        active_.erase(active);
        slots_.give_back(active->group, 1);
    }
    slots_changed_.notify_all();
    if (stopping_) changed_.notify_all();
}

void Worker::Run::extend_leases() {
    while (true) {
        std::int64_t seen = 0;
        {
            const MutexLock lock(mutex_);
            if (ended_) return;
            seen = taken_;
        }
        if (const auto extension = keeper_.take_due(SteadyClock::now())) {
            leases_changed_.notify_one();  // Somebody else looks after the other leases meanwhile.
            const Status status =
                calls_->extend(extension->claim, options_.lease_duration, extension->within);
            if (status) answered_at_ = SteadyClock::now();
            keeper_.note(*extension, status, SteadyClock::now());
            continue;
        }
        const auto due_at = keeper_.next_due();
        const MutexLock lock(mutex_);
        if (ended_ || seen != taken_) continue;  // A job came between the two looks.
        if (due_at) {
            leases_changed_.wait_until(mutex_, *due_at);
        } else {
            leases_changed_.wait(mutex_);
        }
    }
}

}  // namespace millrace::client
