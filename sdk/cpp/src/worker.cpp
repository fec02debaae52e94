#include "millrace/client/worker.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <optional>
#include <random>
#include <thread>

#include "backoff.hpp"
#include "base/mutex.hpp"
#include "lease_keeper.hpp"

namespace millrace::client {
namespace {

using SteadyClock = std::chrono::steady_clock;

// After an empty answer that came before its time, so that a server that does not hold polls is
// not asked without pause.
constexpr Duration kIdlePause = std::chrono::milliseconds(100);

Backoff seeded_backoff() {
    return Backoff(std::random_device{}());
}

Outcome run_handler(const Handler& handler, const Job& job) {
    try {
        return handler(job);
    } catch (const std::exception& exception) {
        return Failed{.message = exception.what()};
    } catch (...) {
        return Failed{.message = "The handler threw something that is no exception."};
    }
}

// The server will never take this result: bad values, or too much of them.
bool is_refused_for_good(const Error& error) {
    return error.status == 400 || error.status == 413 || error.status == 422;
}

}  // namespace

// One thread polls, one extends leases, and each handler has one.
class Worker::Loop {
public:
    Loop(const ClientOptions& server, WorkerOptions options, Handler handler,
         WorkerObserver observer)
        : options_(std::move(options)),
          handler_(std::move(handler)),
          observer_(std::move(observer)),
          polling_(server),
          reporting_(server),
          keeper_(options_.lease_duration, [this](const JobClaim& claim) {
              return reporting_.extend_job(claim, options_.lease_duration);
          }) {
        threads_.emplace_back([this] { poll(); });
        threads_.emplace_back([this] { keep_leases(); });
        for (int i = 0; i < options_.parallel; ++i) threads_.emplace_back([this] { handle(); });
    }

    ~Loop() { stop(); }

    void stop() {
        {
            const MutexLock lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        polling_.interrupt();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

private:
    void poll();
    void keep_leases();
    void handle();

    std::int32_t wait_for_capacity();
    void hand_over(std::vector<Job> jobs);
    std::optional<Job> take();
    void put_away();
    void end_polling();
    void pause(Duration duration, bool unless_stopping);

    // Tells the server, again and again while it cannot be reached and the lease may still be ours.
    Status report(const Job& job, const Outcome& outcome);
    Status report_once(const Job& job, const Outcome& outcome);

    const WorkerOptions options_;
    const Handler handler_;
    const WorkerObserver observer_;
    Client polling_;
    Client reporting_;
    LeaseKeeper keeper_;

    Mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Job> queue_ MILLRACE_GUARDED_BY(mutex_);
    // Jobs in the queue and in handlers.
    std::int32_t at_hand_ MILLRACE_GUARDED_BY(mutex_) = 0;
    bool stopping_ MILLRACE_GUARDED_BY(mutex_) = false;
    bool polling_ended_ MILLRACE_GUARDED_BY(mutex_) = false;

    std::vector<std::thread> threads_;
};

void Worker::Loop::poll() {
    Backoff backoff = seeded_backoff();
    while (const std::int32_t capacity = wait_for_capacity()) {
        const auto asked_at = SteadyClock::now();
        Result<std::vector<Job>> jobs =
            polling_.poll_jobs({.worker_id = options_.worker_id,
                                .job_types = options_.job_types,
                                .jobs_max = capacity,
                                .lease_duration = options_.lease_duration,
                                .wait_duration = options_.wait_duration});
        if (!jobs) {
            if (jobs.error().code == "interrupted") break;
            if (observer_.poll_failed) observer_.poll_failed(jobs.error());
            pause(backoff.next(), true);
            continue;
        }
        backoff.reset();
        if (observer_.poll_answered) observer_.poll_answered();
        const bool is_early = SteadyClock::now() - asked_at < options_.wait_duration;
        if (jobs->empty() && is_early) pause(kIdlePause, true);
        hand_over(std::move(*jobs));
    }
    end_polling();
}

void Worker::Loop::keep_leases() {
    while (true) {
        keeper_.extend_due(SteadyClock::now());
        const auto due_at = keeper_.next_due();
        const MutexLock lock(mutex_);
        if (polling_ended_ && at_hand_ == 0) return;
        if (due_at) {
            changed_.wait_until(mutex_, *due_at);
        } else if (at_hand_ == 0) {
            changed_.wait(mutex_);
        } else {
            // A job was handed over between the two looks: look again soon.
            changed_.wait_for(mutex_, kIdlePause);
        }
    }
}

void Worker::Loop::handle() {
    while (const std::optional<Job> job = take()) {
        const Outcome outcome = run_handler(handler_, *job);
        const Status status = report(*job, outcome);
        keeper_.remove(std::string(job->id()));
        if (observer_.job_done)
            observer_.job_done(*job, outcome, status ? nullptr : &status.error());
        put_away();
    }
}

std::int32_t Worker::Loop::wait_for_capacity() {
    const MutexLock lock(mutex_);
    while (!stopping_ && at_hand_ >= options_.parallel) changed_.wait(mutex_);
    return stopping_ ? 0 : options_.parallel - at_hand_;
}

void Worker::Loop::hand_over(std::vector<Job> jobs) {
    const auto now = SteadyClock::now();
    for (const Job& job : jobs) keeper_.add(claim_of(job), now);
    {
        const MutexLock lock(mutex_);
        at_hand_ += static_cast<std::int32_t>(jobs.size());
        for (Job& job : jobs) queue_.push_back(std::move(job));
    }
    changed_.notify_all();
}

std::optional<Job> Worker::Loop::take() {
    const MutexLock lock(mutex_);
    while (queue_.empty() && !polling_ended_) changed_.wait(mutex_);
    if (queue_.empty()) return std::nullopt;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    return job;
}

void Worker::Loop::put_away() {
    {
        const MutexLock lock(mutex_);
        --at_hand_;
    }
    changed_.notify_all();
}

void Worker::Loop::end_polling() {
    {
        const MutexLock lock(mutex_);
        polling_ended_ = true;
    }
    changed_.notify_all();
}

void Worker::Loop::pause(Duration duration, bool unless_stopping) {
    const auto end = SteadyClock::now() + duration;
    const MutexLock lock(mutex_);
    while (SteadyClock::now() < end && !(unless_stopping && stopping_)) {
        changed_.wait_until(mutex_, end);
    }
}

Status Worker::Loop::report(const Job& job, const Outcome& outcome) {
    Backoff backoff = seeded_backoff();
    const auto give_up_at = SteadyClock::now() + options_.lease_duration;
    Status status = report_once(job, outcome);
    while (!status && is_transient(status.error()) && SteadyClock::now() < give_up_at) {
        pause(backoff.next(), false);
        status = report_once(job, outcome);
    }
    if (!status && is_refused_for_good(status.error()) &&
        std::holds_alternative<Completed>(outcome)) {
        // Otherwise the job would be done and refused again after each lease, without end.
        return report(job, Failed{.message = "The result was refused: " + status.error().message,
                                  .retryable = false});
    }
    return status;
}

Status Worker::Loop::report_once(const Job& job, const Outcome& outcome) {
    if (const Completed* completed = std::get_if<Completed>(&outcome)) {
        return reporting_.complete_job({.claim = claim_of(job), .variables = completed->variables});
    }
    const Failed& failed = std::get<Failed>(outcome);
    return reporting_.fail_job(
        {.claim = claim_of(job), .error_message = failed.message, .retryable = failed.retryable});
}

Worker::Worker(const ClientOptions& server, WorkerOptions options, Handler handler,
               WorkerObserver observer)
    : loop_(std::make_unique<Loop>(server, std::move(options), std::move(handler),
                                   std::move(observer))) {}

Worker::~Worker() = default;

void Worker::stop() {
    loop_->stop();
}

}  // namespace millrace::client
