#pragma once

#include "commit/command.hpp"

namespace millrace {

// Forgets what was done under keys before a time, up to kIdempotencyForgottenMax of them, the
// oldest first. Whether there are more, the reader knows.
struct ForgetIdempotencyKeys {
    static constexpr std::string_view kName = "idempotency.forget";
    static constexpr bool kIsBulky = true;

    Instant before{};
};

struct Forgotten {};

Footprint footprint(const ForgetIdempotencyKeys& command);
Result<Decision<Forgotten>> decide(const ForgetIdempotencyKeys& command, const WorkingSet& rows,
                                   Instant now);

}  // namespace millrace
