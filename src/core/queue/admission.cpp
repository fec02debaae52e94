#include "core/queue/admission.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace millrace {

namespace {

using Seconds = std::chrono::duration<double>;

// Clocks of replicas differ by less; so much a rate may stand still when one was set back.
constexpr Duration kClocksApartMost = std::chrono::minutes{1};

// So many may come at once after a pause.
double burst(double rate) {
    return std::max(1.0, rate);
}

RateAllowance refilled(const RateAllowance& allowance, double rate, Instant now) {
    if (!allowance.counted_at) return {.tokens = burst(rate), .counted_at = now};
    // A clock that is behind another one gives nothing twice. One that was set back by far counts
    // from now on: else nothing would be let in until it is there again.
    if (*allowance.counted_at - now > kClocksApartMost) {
        return {.tokens = std::min(burst(rate), allowance.tokens), .counted_at = now};
    }
    const Instant until = std::max(now, *allowance.counted_at);
    const double passed = Seconds(until - *allowance.counted_at).count();
    return {.tokens = std::min(burst(rate), allowance.tokens + passed * rate), .counted_at = until};
}

// When the next whole token is there; a day at most, and then another look.
Instant next_token_at(const RateAllowance& allowance, double rate) {
    constexpr Seconds kDay = std::chrono::hours{24};
    const Seconds missing((1 - allowance.tokens) / rate);
    return *allowance.counted_at + std::chrono::ceil<Duration>(std::min(missing, kDay));
}

// Bounds the quota by the rate. A hair of tolerance: a token that is there but for rounding is
// there.
void bound_by_rate(LineQuota& quota, const RateAllowance& state, double rate, Instant now) {
    constexpr double kHair = 1e-6;
    if (rate <= 0) {
        quota.count = 0;
        return;
    }
    const RateAllowance allowance = refilled(state, rate, now);
    const double whole = std::floor(allowance.tokens + kHair);
    if (whole < 1) quota.rate_until = next_token_at(allowance, rate);
    quota.count = static_cast<std::int32_t>(std::clamp<double>(whole, 0, quota.count));
}

}  // namespace

LineQuota quota_of(const WorkspaceLimits& limits, const LineState& state, std::int64_t active,
                   const AdmissionRound& round, Instant now) {
    LineQuota quota;
    std::int64_t count = std::int64_t{round.share} * std::max(1, limits.weight);
    count = std::min<std::int64_t>(count, round.items_left);
    if (limits.max_active) {
        const std::int64_t free = std::max<std::int64_t>(0, *limits.max_active - active);
        quota.is_full = free == 0;
        count = std::min(count, free);
    }
    quota.count = static_cast<std::int32_t>(std::max<std::int64_t>(0, count));
    if (limits.rate_per_second) {
        bound_by_rate(quota, state.rate, *limits.rate_per_second, now);
    }
    return quota;
}

LineDecision admit(const WorkspaceLine& line, const WorkspaceLimits& limits,
                   const AdmissionRound& round, Instant now) {
    LineDecision decision{.state = line.state};
    const LineQuota quota = quota_of(limits, line.state, line.active, round, now);
    const auto taken_max = static_cast<std::size_t>(quota.count);
    std::map<std::string_view, std::int64_t> let_in;  // By concurrency key.
    std::size_t looked_at = 0;
    for (; looked_at < line.ready.size() && decision.taken.size() < taken_max; ++looked_at) {
        const WaitingExecution& waiting = line.ready[looked_at];
        const Execution& execution = waiting.execution;
        if (execution.deadline && *execution.deadline <= now) {
            decision.expired.push_back(looked_at);
            continue;
        }
        if (execution.executor != ExecutorKind::native &&
            round.targets_closed.contains(execution.target)) {
            decision.postponed.push_back(looked_at);
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
    if (limits.rate_per_second && *limits.rate_per_second > 0) {
        decision.state.rate = refilled(line.state.rate, *limits.rate_per_second, now);
        decision.state.rate.tokens -= taken;  // Below 0 by a hair at most, which is made up for.
    }
    const bool is_cut = std::cmp_greater(line.ready_count, line.ready.size());
    decision.has_more = is_cut || looked_at < line.ready.size();
    decision.left = quota_of(limits, decision.state, line.active + std::ssize(decision.taken),
                             AdmissionRound{}, now);
    decision.state.is_runnable = decision.has_more && decision.left.count > 0;
    return decision;
}

}  // namespace millrace
