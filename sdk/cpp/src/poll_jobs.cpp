#include <algorithm>
#include <system_error>

#include "outcomes.hpp"
#include "worker_run.hpp"

namespace millrace::client {
namespace {

// After an empty answer that came before its time, so that a server that does not hold polls is
// not asked without pause.
constexpr Duration kIdlePause = std::chrono::milliseconds(100);
// Jobs in one answer, which is read in one piece.
constexpr std::int32_t kAskMax = 64;
// Where groups take turns for too few slots.
constexpr std::chrono::seconds kShortWait{1};

// How many jobs to ask for at once. An answer that cannot be read is too large: half as many then.
// Groups that share slots begin with one and ask for more while all of them come, so that an idle
// group holds few slots.
class Appetite {
public:
    explicit Appetite(bool is_shared) : is_shared_(is_shared), count_(is_shared ? 1 : kAskMax) {}

    std::int32_t count() const { return count_; }

    void answered(std::int32_t asked, std::int32_t came) {
        if (is_shared_ && came == 0) {
            count_ = 1;
        } else if (came == asked && asked == count_) {
            count_ = std::min(is_shared_ && !was_unreadable_ ? count_ * 2 : count_ + 1, kAskMax);
        }
    }
    void unreadable(std::int32_t asked) {
        was_unreadable_ = true;
        count_ = std::max(asked / 2, 1);
    }

private:
    const bool is_shared_;
    bool was_unreadable_ = false;
    std::int32_t count_;
};

}  // namespace

void Worker::Run::poll(std::size_t group) {
    Backoff backoff = seeded_backoff();
    const bool is_shared = [&] {
        const MutexLock lock(mutex_);
        return slots_.groups() > 1;
    }();
    Appetite appetite(is_shared);
    while (const std::int32_t count = reserve(group, appetite.count())) {
        const auto asked_at = SteadyClock::now();
        Result<std::vector<Job>> jobs = poll_once(group, count);
        if (!jobs) {
            give_back(group, count);
            if (jobs.error().code == "bad-reply") appetite.unreadable(count);
            if (!poll_failed(jobs.error(), backoff)) return;
            continue;
        }
        backoff.reset();
        answered();
        const auto came = static_cast<std::int32_t>(jobs->size());
        appetite.answered(count, came);
        hand_over(group, std::move(*jobs), count);
        const bool is_early = SteadyClock::now() - asked_at < options_.wait_duration;
        if (came == 0 && is_early) {
            pause(kIdlePause, [this] { return stopping_.load(); });
        }
    }
}

Result<std::vector<Job>> Worker::Run::poll_once(std::size_t group, std::int32_t count) {
    PollJobs poll{.worker_id = options_.worker_id,
                  .jobs_max = count,
                  .lease_duration = options_.lease_duration,
                  .wait_duration = options_.wait_duration};
    {
        const MutexLock lock(mutex_);
        poll.job_types = slots_.job_types(group);
        if (slots_.has_fewer_than_groups()) {
            poll.wait_duration = std::min(poll.wait_duration, kShortWait);
        }
    }
    return calls_->poll(poll);
}

bool Worker::Run::poll_failed(const Error& error, Backoff& backoff) {
    if (error.code == "interrupted") return false;
    try {
        if (observer_.poll_failed) observer_.poll_failed(error);
    } catch (...) {  // Of no concern for the jobs.
    }
    {
        const MutexLock lock(mutex_);
        if (!was_answered_ && refuses_worker(error)) refusal_ = error;
        if (refusal_) {
            changed_.notify_all();
            return false;
        }
    }
    pause(std::max(backoff.next(), error.retry_after.value_or(Duration{})),
          [this] { return stopping_.load(); });
    return true;
}

std::int32_t Worker::Run::reserve(std::size_t group, std::int32_t count_max) {
    const MutexLock lock(mutex_);
    while (!stopping_ && slots_.free(group) <= 0) slots_changed_.wait(mutex_);
    if (stopping_) return 0;
    const std::int32_t count = std::min(slots_.free(group), count_max);
    slots_.take(group, count);
    return count;
}

void Worker::Run::give_back(std::size_t group, std::int32_t count) {
    if (count == 0) return;
    {
        const MutexLock lock(mutex_);
        slots_.give_back(group, count);
    }
    slots_changed_.notify_all();
}

void Worker::Run::hand_over(std::size_t group, std::vector<Job> jobs, std::int32_t reserved) {
    std::vector<Active> surplus;
    std::int32_t used = 0;
    for (Job& job : jobs) {
        const auto active = std::make_shared<ActiveJob>(std::move(job), group);
        if (used < reserved) {
            ++used;
            begin(active);
        } else {
            surplus.push_back(active);
        }
    }
    give_back(group, reserved - used);
    release(surplus);
}

void Worker::Run::begin(const Active& active) {
    keeper_.add(active->claim, SteadyClock::now(), [active, this](StopCause cause) {
        active->is_lost = true;
        active->end(cause);
        wake();
    });
    {
        const MutexLock lock(mutex_);
        queue_.push_back(active);
        active_.insert(active);
        ++taken_;
        add_handler_thread();
    }
    queue_changed_.notify_one();
    leases_changed_.notify_one();
}

// One for each job at hand, at most; those that are there wait for more.
void Worker::Run::add_handler_thread() {
    if (handler_threads_ >= static_cast<std::int32_t>(active_.size())) return;
    try {
        std::thread([self = shared_from_this()] { self->run_handlers(); }).detach();
        ++handler_threads_;
    } catch (const std::system_error&) {
        // No more threads: the job waits for one of the others, or for the next try.
    }
}

void Worker::Run::answered() {
    answered_at_ = SteadyClock::now();
    {
        const MutexLock lock(mutex_);
        was_answered_ = true;
    }
    try {
        if (observer_.poll_answered) observer_.poll_answered();
    } catch (...) {  // Of no concern for the jobs.
    }
}

}  // namespace millrace::client
