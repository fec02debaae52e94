#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <set>
#include <thread>

#include "active_job.hpp"
#include "backoff.hpp"
#include "base/mutex.hpp"
#include "lease_keeper.hpp"
#include "millrace/client/worker.hpp"
#include "retry_budget.hpp"
#include "slots.hpp"

namespace millrace::client {

// What a worker is made of. One thread polls for each group of types, some extend leases, and each
// handler has one. Threads of handlers are not joined: C++ cannot end a handler that does not
// return, so each keeps this object alive instead.
class Worker::Run : public std::enable_shared_from_this<Worker::Run> {
public:
    Run(std::unique_ptr<JobCalls> calls, WorkerOptions options);

    void handle(std::string job_type, Handler handler, HandlerOptions options);
    void intercept(HandlerInterceptor interceptor);
    void observe(WorkerObserver observer) { observer_ = std::move(observer); }
    Status run(const std::stop_token& stop);
    bool is_healthy() const;

private:
    using SteadyClock = std::chrono::steady_clock;
    using Active = std::shared_ptr<ActiveJob>;

    // worker_run.cpp: the threads and their end.
    void start();
    void drain();
    bool wait_until_idle(std::optional<Duration> duration);
    void release_rest();
    void release(const std::vector<Active>& jobs);
    void tell_observer(const ActiveJob& active, const Outcome& outcome, const Status& status);
    void end();
    void wake();
    // Until then, unless `over` says earlier that it need not.
    template <class Over>
    void pause(Duration duration, Over over);

    // poll_jobs.cpp: from the server to a handler.
    void poll(std::size_t group);
    Result<std::vector<Job>> poll_once(std::size_t group, std::int32_t count);
    // False when there is no use in going on.
    bool poll_failed(const Error& error, Backoff& backoff);
    std::int32_t reserve(std::size_t group, std::int32_t count_max);
    void give_back(std::size_t group, std::int32_t count);
    void hand_over(std::size_t group, std::vector<Job> jobs, std::int32_t reserved);
    void begin(const Active& active);
    void add_handler_thread() MILLRACE_REQUIRES(mutex_);
    void answered();

    // settle_jobs.cpp: from a handler to the server.
    void run_handlers();
    Active take();
    Outcome handle(ActiveJob& active);
    void finish(const Active& active, Outcome outcome);
    Status report(ActiveJob& active, Outcome& outcome);
    Status report_again(ActiveJob& active, const Outcome& outcome, Status status);
    Status report_once(const ActiveJob& active, const Outcome& outcome);
    void put_away(const Active& active);
    void extend_leases();

    const std::unique_ptr<JobCalls> calls_;
    const WorkerOptions options_;
    std::map<std::string, Handler, std::less<>> handlers_;
    std::vector<HandlerInterceptor> interceptors_;
    WorkerObserver observer_;
    LeaseKeeper keeper_;
    RetryBudget budget_;
    // Long ago, before the first answer.
    std::atomic<SteadyClock::time_point> answered_at_ = SteadyClock::now() - std::chrono::hours(24);

    Mutex mutex_;
    std::condition_variable_any changed_;
    // Each for some of the threads only, so that a job does not wake all of them.
    std::condition_variable_any slots_changed_;
    std::condition_variable_any queue_changed_;
    std::condition_variable_any leases_changed_;
    Slots slots_ MILLRACE_GUARDED_BY(mutex_);
    std::deque<Active> queue_ MILLRACE_GUARDED_BY(mutex_);
    std::set<Active> active_ MILLRACE_GUARDED_BY(mutex_);
    std::int32_t handler_threads_ MILLRACE_GUARDED_BY(mutex_) = 0;
    // Counts the jobs that were handed over.
    std::int64_t taken_ MILLRACE_GUARDED_BY(mutex_) = 0;
    bool was_answered_ MILLRACE_GUARDED_BY(mutex_) = false;
    std::optional<Error> refusal_ MILLRACE_GUARDED_BY(mutex_);
    // Changed under the mutex, so that nobody who waits misses it.
    std::atomic<bool> stopping_ = false;
    bool ended_ MILLRACE_GUARDED_BY(mutex_) = false;

    std::vector<std::thread> pollers_;
    std::vector<std::thread> extenders_;
};

template <class Over>
void Worker::Run::pause(Duration duration, Over over) {
    const auto end = SteadyClock::now() + duration;
    const MutexLock lock(mutex_);
    while (SteadyClock::now() < end && !over()) changed_.wait_until(mutex_, end);
}

}  // namespace millrace::client
