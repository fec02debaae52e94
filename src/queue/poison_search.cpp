#include "queue/poison_search.hpp"

#include <algorithm>

namespace millrace {

void PoisonSearch::refused() {
    if (tried_.size() == 1) {
        poisoned_ = tried_;
        return;
    }
    now_max_ = std::max(1, std::min(now_max_, static_cast<std::int32_t>(tried_.size())) / 2);
}

void PoisonSearch::succeeded() {
    poisoned_.clear();
    now_max_ = std::min(items_max_, now_max_ * 2);
}

}  // namespace millrace
