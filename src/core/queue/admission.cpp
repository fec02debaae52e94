#include "core/queue/admission.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace millrace {

namespace {

using Seconds = std::chrono::duration<double>;

// So many may come at once after a pause.
double burst(double rate) {
    return std::max(1.0, rate);
}

RateAllowance refilled(const RateAllowance& allowance, double rate, Instant now) {
    if (!allowance.counted_at) return {.tokens = burst(rate), .counted_at = now};
    const double passed = std::max(0.0, Seconds(now - *allowance.counted_at).count());
    return {.tokens = std::min(burst(rate), allowance.tokens + passed * rate), .counted_at = now};
}

// When the next whole token is there.
Instant next_token_at(const RateAllowance& allowance, double rate, Instant now) {
    const Seconds missing((1 - allowance.tokens) / rate);
    return now + std::chrono::ceil<Duration>(missing);
}

}  // namespace

LineQuota quota_of(const WorkspaceLimits& limits, const LineState& state, std::int64_t active,
                   std::int32_t share, Instant now) {
    LineQuota quota;
    std::int64_t count = std::int64_t{share} * std::max(1, limits.weight);
    if (limits.max_active) {
        const std::int64_t free = std::max<std::int64_t>(0, *limits.max_active - active);
        quota.is_full = free == 0;
        count = std::min(count, free);
    }
    if (limits.rate_per_second) {
        const double rate = *limits.rate_per_second;
        const RateAllowance allowance = refilled(state.rate, rate, now);
        // A hair of tolerance: a token that is there but for rounding is there.
        const auto whole = static_cast<std::int64_t>(std::floor(allowance.tokens + 1e-6));
        if (whole == 0) quota.rate_until = next_token_at(allowance, rate, now);
        count = std::min(count, whole);
    }
    quota.count = static_cast<std::int32_t>(count);
    return quota;
}

LineDecision admit(const WorkspaceLine& line, const WorkspaceLimits& limits, std::int32_t share,
                   Instant now) {
    LineDecision decision{
        .state = line.state,
        .quota = quota_of(limits, line.state, line.active, share, now),
    };
    const auto quota = static_cast<std::size_t>(decision.quota.count);
    std::map<std::string_view, std::int64_t> let_in;  // By concurrency key.
    std::size_t looked_at = 0;
    for (; looked_at < line.ready.size() && decision.taken.size() < quota; ++looked_at) {
        const WaitingExecution& waiting = line.ready[looked_at];
        const Execution& execution = waiting.execution;
        if (execution.deadline && *execution.deadline <= now) {
            decision.expired.push_back(looked_at);
            continue;
        }
        if (!execution.concurrency_key.empty()) {
            std::int64_t& count = let_in[execution.concurrency_key];
            if (waiting.active_of_key + count >= limits.max_per_key) {
                decision.parked.push_back(looked_at);
                continue;
            }
            ++count;
        }
        decision.taken.push_back(looked_at);
    }

    const auto taken = static_cast<double>(decision.taken.size());
    decision.state.virtual_time += taken / std::max(1, limits.weight);
    if (limits.rate_per_second) {
        decision.state.rate = refilled(line.state.rate, *limits.rate_per_second, now);
        decision.state.rate.tokens = std::max(0.0, decision.state.rate.tokens - taken);
    }
    const auto behind = std::cmp_greater(line.ready_count, line.ready.size());
    const bool has_more = behind || looked_at < line.ready.size();
    const LineQuota left = quota_of(limits, decision.state,
                                    line.active + static_cast<std::int64_t>(taken), share, now);
    decision.quota = left;
    decision.state.is_runnable = has_more && left.count > 0;
    return decision;
}

}  // namespace millrace
