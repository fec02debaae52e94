#pragma once

#include "base/clock.hpp"
#include "base/id.hpp"
#include "base/mutex.hpp"
#include "base/random.hpp"

namespace millrace {

// Mints the ids of new instances and of audit entries. Those of one process grow from each to the
// next, also within a millisecond, so that lists show them in the order of their starts.
// Thread-safe.
class InstanceIds {
public:
    InstanceIds(const Clock& clock, Random& random) : clock_(clock), random_(random) {}

    InstanceId next();

private:
    const Clock& clock_;
    Random& random_;
    Mutex mutex_;
    Id128 last_ MILLRACE_GUARDED_BY(mutex_){};
};

}  // namespace millrace
