#include "queue/poison_search.hpp"

#include <algorithm>

namespace millrace {

bool PoisonSearch::failed(const Error& error) {
    const bool is_refused = error.code == ErrorCode::data_refused;
    if (is_refused) refused();
    const bool is_overrun =
        error.code == ErrorCode::unavailable && error.why == Unavailable::overrun;
    if (is_overrun) took_too_long();
    return is_refused;
}

void PoisonSearch::refused() {
    if (tried_.size() == 1) {
        poisoned_ = tried_;
        return;
    }
    now_max_ = std::max(1, std::min(now_max_, static_cast<std::int32_t>(tried_.size())) / 2);
}

void PoisonSearch::took_too_long() {
    constexpr int kRoundsOfASize = 16;  // A larger one may take that long again.
    now_max_ = std::max(1, now_max_ / 2);
    rounds_until_growth_ = kRoundsOfASize;
}

void PoisonSearch::succeeded() {
    poisoned_.clear();
    if (rounds_until_growth_ > 0 && --rounds_until_growth_ > 0) return;
    now_max_ = std::min(items_max_, now_max_ * 2);
}

}  // namespace millrace
