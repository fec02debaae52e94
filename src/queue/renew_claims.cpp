#include "queue/renew_claims.hpp"

#include "core/queue/transitions.hpp"

namespace millrace {

Footprint footprint(const RenewClaims& command) {
    Footprint needed;
    for (const RenewClaims::Held& held : command.claims) needed.executions.push_back(held.key);
    return needed;
}

Result<Decision<RenewedClaims>> decide(const RenewClaims& command, const WorkingSet& rows,
                                       Instant now) {
    Decision<RenewedClaims> decision;
    for (const RenewClaims::Held& held : command.claims) {
        const Execution* found = rows.find(held.key);
        std::optional<Execution> longer;
        if (found != nullptr) longer = renewed(*found, held.token, now + command.lease);
        if (!longer) {
            decision.answer.lost.push_back(held.key);
            continue;
        }
        decision.answer.renewed += 1;
        decision.effects.executions.push_back(std::move(*longer));
    }
    return decision;
}

}  // namespace millrace
