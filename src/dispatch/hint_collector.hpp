#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "store/effects.hpp"
#include "store/hints.hpp"

namespace millrace {

// Gathers from commits what other replicas should hear, and tells them: one hint at a time, with
// all that has come up since the last one. Jobs that were born claimed are nobody else's business,
// and while there is nobody else, nothing is gathered. Thread-safe; run_once is for one thread.
class HintCollector {
public:
    // Beyond these a hint no longer helps: the others look for themselves.
    static constexpr std::size_t kTypesMax = 200;
    static constexpr std::size_t kKeysMax = 100;
    // Streams of events look by themselves every second: some of them sooner is enough.
    static constexpr std::size_t kInstancesMax = 50;
    // An idle server's hint goes out at once; a busy one's go out so often.
    static constexpr Duration kInterval = std::chrono::milliseconds{5};

    // `wake` is called when run_once should be, on any thread.
    HintCollector(HintSender& sender, const Clock& clock, std::function<void()> wake)
        : sender_(sender), clock_(clock), wake_(std::move(wake)) {}

    // Whether there are other replicas.
    void set_audience(bool has_audience) { has_audience_ = has_audience; }

    // Or perhaps committed: a hint too much costs a look.
    void on_commit(const Writes& writes);

    // This replica comes or goes: goes out whether or not others are known.
    void tell_of_members();

    struct Round {
        bool unhealthy = false;            // The store failed: call again after a pause.
        std::size_t sent = 0;              // Hints: one or none.
        std::size_t coalesced = 0;         // Commits that had no hint of their own.
        std::optional<Instant> next_at{};  // Empty: when woken.
    };

    Round run_once();

private:
    // What waits to be told. Instances never go alone: most of them nobody watches.
    struct Pending {
        std::set<WaitingType> types{};
        std::set<std::string> keys{};
        std::vector<InstanceKey> instances{};
        std::size_t commits = 0;
        bool members_changed = false;
        bool is_incomplete = false;

        bool is_worth_a_hint() const {
            return !types.empty() || !keys.empty() || members_changed || is_incomplete;
        }
    };

    void gather(const Writes& writes) MILLRACE_REQUIRES(mutex_);
    void gather_types(const std::vector<Job>& jobs) MILLRACE_REQUIRES(mutex_);
    void gather_instances(const std::vector<Instance>& instances) MILLRACE_REQUIRES(mutex_);
    static Hint hint_of(Pending pending);

    HintSender& sender_;
    const Clock& clock_;
    std::function<void()> wake_;
    std::atomic<bool> has_audience_ = false;
    Instant next_at_{};

    Mutex mutex_;
    Pending pending_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
