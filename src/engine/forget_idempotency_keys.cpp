#include "engine/forget_idempotency_keys.hpp"

namespace millrace {

Footprint footprint(const ForgetIdempotencyKeys&) {
    return {};
}

Result<Decision<Forgotten>> decide(const ForgetIdempotencyKeys& command, const WorkingSet&,
                                   Instant) {
    return Decision<Forgotten>{.effects = {.idempotency_forgotten_before = command.before}};
}

}  // namespace millrace
