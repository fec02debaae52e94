#include "queue/held_claims.hpp"

namespace millrace {

void HeldClaims::hold(const ExecutionKey& key, std::int64_t token, Instant lease_until) {
    Claim& claim = claims_[key];
    due_.erase({claim.renew_at, key});
    claim = {.token = token, .lease_until = lease_until};
    schedule(key, claim, lease_until - lease_ / 2);
}

void HeldClaims::drop(const ExecutionKey& key) {
    const auto found = claims_.find(key);
    if (found == claims_.end()) return;
    due_.erase({found->second.renew_at, key});
    claims_.erase(found);
}

bool HeldClaims::lasts(const ExecutionKey& key, Instant until) const {
    const auto found = claims_.find(key);
    return found != claims_.end() && found->second.lease_until >= until;
}

std::vector<RenewClaims::Held> HeldClaims::take_due(Instant now, std::size_t count_max) {
    std::vector<RenewClaims::Held> taken;
    while (!due_.empty() && due_.begin()->first <= now && taken.size() < count_max) {
        const ExecutionKey key = due_.begin()->second;
        Claim& claim = claims_.at(key);
        taken.push_back({key, claim.token});
        schedule(key, claim, Instant::max());
    }
    return taken;
}

void HeldClaims::renewed(const std::vector<RenewClaims::Held>& claims, Instant lease_until) {
    for (const RenewClaims::Held& held : claims) {
        Claim* claim = find(held);
        if (claim == nullptr) continue;
        claim->lease_until = lease_until;
        schedule(held.key, *claim, lease_until - lease_ / 2);
    }
}

void HeldClaims::renew_again(const std::vector<RenewClaims::Held>& claims, Instant at) {
    for (const RenewClaims::Held& held : claims) {
        Claim* claim = find(held);
        if (claim != nullptr) schedule(held.key, *claim, at);
    }
}

std::optional<Instant> HeldClaims::next_at() const {
    if (due_.empty() || due_.begin()->first == Instant::max()) return std::nullopt;
    return due_.begin()->first;
}

HeldClaims::Claim* HeldClaims::find(const RenewClaims::Held& held) {
    const auto found = claims_.find(held.key);
    if (found == claims_.end() || found->second.token != held.token) return nullptr;
    return &found->second;
}

void HeldClaims::schedule(const ExecutionKey& key, Claim& claim, Instant renew_at) {
    due_.erase({claim.renew_at, key});
    claim.renew_at = renew_at;
    due_.emplace(renew_at, key);
}

}  // namespace millrace
