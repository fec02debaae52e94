#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "observe/log.hpp"

namespace millrace {

// Logs why the database does not do as asked, or another event. Every connection meets the same
// trouble, again and again: the same reason is told once a minute, and a hundred of them at most.
// Thread-safe.
class TroubleLog {
public:
    TroubleLog(observe::Log& log, const Clock& clock,
               std::string_view event = "The database does not do as asked.")
        : log_(log), clock_(clock), event_(event) {}

    void note(std::string_view trouble);

private:
    observe::Log& log_;
    const Clock& clock_;
    const std::string_view event_;
    Mutex mutex_;
    std::map<std::string, Instant, std::less<>> said_at_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
