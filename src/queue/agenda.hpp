#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "base/time.hpp"

namespace millrace {

// What one owner has to do: work that any thread hands over, and work for a time. The owner alone
// runs it, so what the work touches needs no lock.
class Agenda {
public:
    using Work = std::function<void()>;

    // `wake` is called when run should be, on any thread.
    explicit Agenda(std::function<void()> wake) : wake_(std::move(wake)) {}

    // Any thread. Dropped, unrun, once it is closed.
    void post(Work work);

    // The rest is for the owner.
    void at(Instant time, Work work);

    // Does what was handed over before this call, in that order, then what is due by now, the
    // earliest first. What that brings about waits for the next call.
    void run(Instant now);

    // When there is something to do for a time at the latest.
    std::optional<Instant> next_at() const;

    void close();

private:
    std::function<void()> wake_;
    Mutex mutex_;
    std::vector<Work> posted_ MILLRACE_GUARDED_BY(mutex_);
    bool is_closed_ MILLRACE_GUARDED_BY(mutex_) = false;
    // By time, and in the order in which they were asked for.
    std::map<std::pair<Instant, std::uint64_t>, Work> timed_;
    std::uint64_t asked_for_ = 0;
};

}  // namespace millrace
