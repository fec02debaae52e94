#include "engine/query_queue.hpp"

#include <optional>

#include "core/limits.hpp"

namespace millrace {

bool QueryQueue::run_once(Reader& reader) {
    std::optional<Query> query;
    {
        const MutexLock lock(mutex_);
        if (waiting_.empty()) return false;
        query = std::move(waiting_.front());
        waiting_.pop_front();
    }
    (*query)(reader);
    return true;
}

bool QueryQueue::push(Query query) {
    {
        const MutexLock lock(mutex_);
        if (waiting_.size() >= limits::kWaitingQueriesMax) return false;
        waiting_.push_back(std::move(query));
    }
    wake_();
    return true;
}

}  // namespace millrace
