#include "queue/gathered_commands.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

namespace {

constexpr std::size_t kCompany = 64;  // Beyond that another row costs what it costs alone.

}  // namespace

void GatheredCommands::add(std::unique_ptr<Command> command, Urgency urgency, Instant now) {
    const Instant until = urgency == Urgency::at_once ? now : now + patience_;
    until_ = waiting_.empty() ? until : std::min(until_, until);
    waiting_.push_back(std::move(command));
}

void GatheredCommands::hand_over(bool expects_more, Instant now) {
    if (waiting_.empty()) return;
    if (expects_more && now < until_ && waiting_.size() < kCompany) return;
    queue_.push(std::exchange(waiting_, {}));
}

std::optional<Instant> GatheredCommands::next_at() const {
    return waiting_.empty() ? std::nullopt : std::optional(until_);
}

}  // namespace millrace
