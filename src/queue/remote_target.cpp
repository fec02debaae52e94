#include "queue/remote_target.hpp"

#include <utility>

#include "base/check.hpp"

namespace millrace {

RemoteTarget::RemoteTarget(std::string name, RemoteExecutor& executor, RemoteRunsListener& listener,
                           const RemoteSettings& settings)
    : name_(std::move(name)),
      executor_(executor),
      listener_(listener),
      settings_(settings),
      breaker_(settings.breaker) {}

bool RemoteTarget::enter(Lane lane, Instant now) {
    const std::size_t most =
        lane == Lane::start ? settings_.parallel_calls : settings_.parallel_looks;
    if (under_way(lane) >= most) return false;
    const Breaker::State before = breaker_.state();
    if (!breaker_.admits(now)) return false;
    tell(before);
    under_way(lane) += 1;
    return true;
}

void RemoteTarget::leave(Lane lane) {
    MILLRACE_CHECK(under_way(lane) > 0);
    under_way(lane) -= 1;
}

void RemoteTarget::reached() {
    const Breaker::State before = breaker_.state();
    breaker_.succeeded();
    tell(before);
}

void RemoteTarget::not_reached(Instant now) {
    const Breaker::State before = breaker_.state();
    breaker_.failed(now);
    tell(before);
}

std::optional<Instant> RemoteTarget::paused_until(Instant now) const {
    const std::optional<Instant> tries_at = breaker_.tries_at();
    return tries_at && *tries_at > now ? tries_at : std::nullopt;
}

void RemoteTarget::tell(Breaker::State before) {
    if (breaker_.state() != before) listener_.on_breaker(name_, breaker_.state());
}

}  // namespace millrace
