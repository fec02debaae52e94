#include "server/trouble_log.hpp"

#include <chrono>

namespace millrace {

namespace {

constexpr Duration kSilence = std::chrono::minutes(1);

}  // namespace

void TroubleLog::note(std::string_view trouble) {
    const Instant now = clock_.now();
    {
        const MutexLock lock(mutex_);
        std::erase_if(said_at_, [now](const auto& each) { return now - each.second >= kSilence; });
        if (!said_at_.emplace(trouble, now).second) return;
    }
    log_.warn("The database does not do as asked.", {{"reason", trouble}});
}

}  // namespace millrace
