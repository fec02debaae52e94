#include "node/trouble_log.hpp"

#include <chrono>

namespace millrace {

namespace {

constexpr Duration kSilence = std::chrono::minutes(1);
constexpr std::size_t kReasonsMax = 100;  // In that time: a thousand bad rows have a line each.

}  // namespace

void TroubleLog::note(std::string_view trouble) {
    const Instant now = clock_.now();
    {
        const MutexLock lock(mutex_);
        std::erase_if(said_at_, [now](const auto& each) { return now - each.second >= kSilence; });
        if (said_at_.size() >= kReasonsMax || !said_at_.emplace(trouble, now).second) return;
    }
    log_.warn(event_, {{"reason", trouble}});
}

}  // namespace millrace
