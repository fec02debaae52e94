#include "worker_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace millrace::client {
namespace {

constexpr std::int32_t kExtendersMax = 16;
constexpr std::size_t kReleasersMax = 16;

std::string default_worker_id() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
    return std::string(host.data()) + "-" + std::to_string(::getpid());
}

WorkerOptions completed(WorkerOptions options) {
    if (options.worker_id.empty()) options.worker_id = default_worker_id();
    options.slots = std::max(options.slots, 1);
    return options;
}

}  // namespace

Worker::Run::Run(std::unique_ptr<JobCalls> calls, WorkerOptions options)
    : calls_(std::move(calls)),
      options_(completed(std::move(options))),
      keeper_(options_.lease_duration),
      slots_(options_.slots) {}

void Worker::Run::handle(std::string job_type, Handler handler, HandlerOptions options) {
    const MutexLock lock(mutex_);
    const auto [at, is_new] = handlers_.insert_or_assign(std::move(job_type), std::move(handler));
    if (is_new) slots_.add(at->first, options.slots);
}

void Worker::Run::intercept(HandlerInterceptor interceptor) {
    interceptors_.push_back(std::move(interceptor));
}

Status Worker::Run::run(const std::stop_token& stop) {
    start();
    {
        const std::stop_callback asked(stop, [this] { wake(); });
        const MutexLock lock(mutex_);
        while (!stop.stop_requested() && !refusal_) changed_.wait(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    slots_changed_.notify_all();
    drain();
    end();
    const MutexLock lock(mutex_);
    if (refusal_) return *refusal_;
    return std::monostate{};
}

bool Worker::Run::is_healthy() const {
    const Duration interval =
        std::max<Duration>(options_.wait_duration, options_.lease_duration / 3);
    return SteadyClock::now() - answered_at_.load() < 3 * interval;
}

void Worker::Run::start() {
    const std::int32_t extenders = std::min(options_.slots, kExtendersMax);
    for (std::int32_t i = 0; i < extenders; ++i) {
        extenders_.emplace_back([this] { extend_leases(); });
    }
    const MutexLock lock(mutex_);
    for (std::size_t group = 0; group < slots_.groups(); ++group) {
        pollers_.emplace_back([this, group] { poll(group); });
    }
}

void Worker::Run::drain() {
    calls_->end_polls();
    for (std::thread& poller : pollers_) poller.join();
    if (wait_until_idle(options_.drain_duration)) return;
    std::set<Active> running;
    {
        const MutexLock lock(mutex_);
        running = active_;
    }
    // Without the lock: callbacks of the handlers run here.
    for (const Active& active : running) active->end(StopCause::draining);
    if (!wait_until_idle(options_.cancel_duration)) release_rest();
}

bool Worker::Run::wait_until_idle(std::optional<Duration> duration) {
    const auto end = SteadyClock::now() + duration.value_or(Duration{});
    const MutexLock lock(mutex_);
    while (!active_.empty()) {
        if (!duration) {
            changed_.wait(mutex_);
        } else if (SteadyClock::now() >= end) {
            return false;
        } else {
            changed_.wait_until(mutex_, end);
        }
    }
    return true;
}

void Worker::Run::release_rest() {
    std::vector<Active> unfinished;
    {
        const MutexLock lock(mutex_);
        for (const Active& active : active_) {
            active->is_abandoned = true;
            // An outcome on its way may arrive: a release could meet it.
            if (!active->is_reporting && !active->is_lost) unfinished.push_back(active);
        }
    }
    changed_.notify_all();
    release(unfinished);
}

void Worker::Run::release(const std::vector<Active>& jobs) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < std::min(jobs.size(), kReleasersMax); ++i) {
        threads.emplace_back([&] {
            for (std::size_t at = next++; at < jobs.size(); at = next++) {
                const Released outcome{.reason = "The worker stops."};
                tell_observer(*jobs[at], outcome, report_once(*jobs[at], outcome));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

void Worker::Run::end() {
    {
        const MutexLock lock(mutex_);
        ended_ = true;
    }
    queue_changed_.notify_all();
    leases_changed_.notify_all();
    calls_->end_all();
    for (std::thread& extender : extenders_) extender.join();
    // Threads without a job leave at once; the others are those of handlers that did not return.
    const MutexLock lock(mutex_);
    while (handler_threads_ > static_cast<std::int32_t>(active_.size())) changed_.wait(mutex_);
}

void Worker::Run::wake() {
    // A thread between its look and its wait holds the mutex: the notice must not come in between.
    { const MutexLock lock(mutex_); }
    changed_.notify_all();
}

}  // namespace millrace::client
