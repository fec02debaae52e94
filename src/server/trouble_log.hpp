#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "observe/log.hpp"

namespace millrace {

// Logs why the database does not do as asked. Every connection meets the same trouble, again and
// again: the same sentence is said once a minute. Thread-safe.
class TroubleLog {
public:
    TroubleLog(observe::Log& log, const Clock& clock) : log_(log), clock_(clock) {}

    void note(std::string_view trouble);

private:
    observe::Log& log_;
    const Clock& clock_;
    Mutex mutex_;
    std::map<std::string, Instant, std::less<>> said_at_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
