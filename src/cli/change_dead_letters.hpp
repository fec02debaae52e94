#pragma once

#include <cstdint>
#include <optional>

#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

enum class DeadLetterVerb { redrive, dismiss, purge };

// `millrace dlq redrive`, `dismiss` and `purge` for many: those that are named, or all that match,
// after asking.
struct ChangeDeadLetters {
    DeadLetterVerb verb = DeadLetterVerb::redrive;
    client::SelectDeadLetters selection{};
    // Of a redrive alone.
    std::optional<std::int32_t> trial{};
    std::optional<double> rate_per_second{};
    // Only count what matches.
    bool is_dry_run = false;
    // Do not ask.
    bool is_confirmed = false;
    // At most so many; 0 is all.
    std::int32_t limit = 0;
};

int execute(const ChangeDeadLetters& command, const Context& context);

}  // namespace millrace::cli
