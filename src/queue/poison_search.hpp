#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "core/queue/execution.hpp"

namespace millrace {

// How large rounds are. Finds the execution whose start brings about what the store refuses to
// keep: rounds get smaller until it stands alone. The next round lets it fail, and rounds grow
// again. Rounds that take longer than a transaction may get smaller, too, and stay so for a while.
class PoisonSearch {
public:
    explicit PoisonSearch(std::int32_t items_max) : items_max_(items_max), now_max_(items_max) {}

    // For the next round.
    std::int32_t items_max() const { return now_max_; }
    const std::vector<ExecutionKey>& poisoned() const { return poisoned_; }

    // A round begins; it is about to let these in; and how it ended.
    void begin() { tried_.clear(); }
    void tried(std::vector<ExecutionKey> keys) { tried_ = std::move(keys); }
    // True when it is searching, and the next round may follow at once.
    bool failed(const Error& error);
    void succeeded();

private:
    void refused();
    void took_too_long();

    const std::int32_t items_max_;
    std::int32_t now_max_;
    int rounds_until_growth_ = 0;
    std::vector<ExecutionKey> tried_{};
    std::vector<ExecutionKey> poisoned_{};
};

}  // namespace millrace
