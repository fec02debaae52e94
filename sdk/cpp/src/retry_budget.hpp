#pragma once

#include <algorithm>

#include "base/mutex.hpp"

namespace millrace::client {

// Keeps repetitions from multiplying the load of a server in trouble: ten in reserve, and one more
// for ten calls that succeeded.
class RetryBudget {
public:
    // Whether another try is within the budget; takes it.
    bool take() {
        const MutexLock lock(mutex_);
        if (tenths_ < kTenths) return false;
        tenths_ -= kTenths;
        return true;
    }

    void succeeded() {
        const MutexLock lock(mutex_);
        tenths_ = std::min(tenths_ + 1, kReserve * kTenths);
    }

private:
    static constexpr int kReserve = 10;
    static constexpr int kTenths = 10;

    Mutex mutex_;
    int tenths_ MILLRACE_GUARDED_BY(mutex_) = kReserve * kTenths;
};

}  // namespace millrace::client
