#include "engine/query_queue.hpp"

#include <optional>

#include "core/limits.hpp"

namespace millrace {

bool QueryQueue::run_once(Reader& reader) {
    std::optional<Query> query;
    bool is_given_up = false;
    {
        const MutexLock lock(mutex_);
        if (waiting_.empty()) return false;
        query = std::move(waiting_.front());
        waiting_.pop_front();
        is_given_up = closed_until_ && clock_ != nullptr && *closed_until_ <= clock_->now();
    }
    (*query)(is_given_up ? nullptr : &reader);
    return true;
}

void QueryQueue::close(Instant give_up_at) {
    const MutexLock lock(mutex_);
    closed_until_ = give_up_at;
}

bool QueryQueue::push(Query query) {
    {
        const MutexLock lock(mutex_);
        if (closed_until_ || waiting_.size() >= limits::kWaitingQueriesMax) return false;
        waiting_.push_back(std::move(query));
    }
    wake_();
    return true;
}

}  // namespace millrace
