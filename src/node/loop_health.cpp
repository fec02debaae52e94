#include "node/loop_health.hpp"

#include <utility>

namespace millrace {

runtime::Loop::Next LoopHealth::failed(std::string_view detail) {
    if (std::exchange(is_healthy_, false)) {
        unhealthy_loops_ += 1;
        log_.warn("The store does not answer; trying again.",
                  {{"loop", detail.empty() ? std::string_view(name_) : detail}});
    }
    return {.after = backoff_.next(), .is_pause = true};
}

void LoopHealth::succeeded() {
    if (std::exchange(is_healthy_, true)) return;
    backoff_.reset();
    unhealthy_loops_ -= 1;
    log_.info("The store answers again.", {{"loop", name_}});
}

}  // namespace millrace
