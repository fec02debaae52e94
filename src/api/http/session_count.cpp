#include "api/http/session_count.hpp"

namespace millrace::http {

void SessionCount::add() {
    ++count_;
    gauge_.add(1);
}

void SessionCount::remove() {
    gauge_.add(-1);
    if (--count_ > 0) return;
    // Whoever has looked and not yet fallen asleep holds the mutex.
    const std::lock_guard lock(mutex_);
    is_none_.notify_all();
}

bool SessionCount::wait_for_none(Duration patience) {
    std::unique_lock lock(mutex_);
    return is_none_.wait_for(lock, patience, [this] { return count_ == 0; });
}

}  // namespace millrace::http
