#pragma once

#include <cstdint>
#include <vector>

#include "core/queue/execution.hpp"

namespace millrace {

// Finds the execution whose start brings about what the store refuses to keep: rounds get smaller
// until it stands alone. The next round lets it fail, and rounds grow again.
class PoisonSearch {
public:
    explicit PoisonSearch(std::int32_t items_max) : items_max_(items_max), now_max_(items_max) {}

    // For the next round.
    std::int32_t items_max() const { return now_max_; }
    const std::vector<ExecutionKey>& poisoned() const { return poisoned_; }

    // A round begins; it is about to let these in; and how it ended.
    void begin() { tried_.clear(); }
    void tried(std::vector<ExecutionKey> keys) { tried_ = std::move(keys); }
    void refused();
    void succeeded();

private:
    const std::int32_t items_max_;
    std::int32_t now_max_;
    std::vector<ExecutionKey> tried_{};
    std::vector<ExecutionKey> poisoned_{};
};

}  // namespace millrace
