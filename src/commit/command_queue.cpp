#include "commit/command_queue.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace millrace {

// Callbacks run without the mutex: they may come back to this queue.
void CommandQueue::push(std::vector<std::unique_ptr<Command>> commands, const CommandTrace& trace) {
    if (commands.empty()) return;
    if (try_append(commands, trace)) return wake_();
    const Error refusal{ErrorCode::unavailable,
                        "The server is busy or shutting down: too many commands wait."};
    for (const std::unique_ptr<Command>& command : commands) command->finish(refusal);
}

bool CommandQueue::try_append(std::vector<std::unique_ptr<Command>>& commands,
                              const CommandTrace& trace) {
    const MutexLock lock(mutex_);
    if (is_closed_ || waiting_.size() + commands.size() > limits::kWaitingCommandsMax) return false;
    for (std::unique_ptr<Command>& command : commands) {
        waiting_.push_back({.command = std::move(command), .trace = trace});
    }
    return true;
}

CommandQueue::Taken CommandQueue::take() {
    const MutexLock lock(mutex_);
    Taken taken;
    std::vector<Ticket> left;
    std::unordered_set<Id128, IdHash> passed_over;
    while (!waiting_.empty() && taken.tickets.size() < limits::kBatchCommandsMax) {
        Ticket ticket = std::move(waiting_.front());
        waiting_.pop_front();
        const std::vector<Id128> holds = ticket.command->rows_needed().holds();
        const bool is_free =
            std::ranges::none_of(holds, [&](const Id128& id) MILLRACE_REQUIRES(mutex_) {
                return held_.contains(id) || passed_over.contains(id);
            });
        if (is_free) {
            taken.holds.insert(taken.holds.end(), holds.begin(), holds.end());
            taken.tickets.push_back(std::move(ticket));
        } else {
            // Nobody may overtake it on any of its instances.
            passed_over.insert(holds.begin(), holds.end());
            left.push_back(std::move(ticket));
        }
    }
    for (auto ticket = left.rbegin(); ticket != left.rend(); ++ticket) {
        waiting_.push_front(std::move(*ticket));
    }
    held_.insert(taken.holds.begin(), taken.holds.end());
    return taken;
}

void CommandQueue::release(const std::vector<Id128>& holds) {
    bool somebody_waits = false;
    {
        const MutexLock lock(mutex_);
        for (const Id128& id : holds) held_.erase(id);
        somebody_waits = !waiting_.empty();
    }
    if (somebody_waits) wake_();
}

void CommandQueue::close() {
    const MutexLock lock(mutex_);
    is_closed_ = true;
}

std::size_t CommandQueue::waiting() const {
    const MutexLock lock(mutex_);
    return waiting_.size();
}

}  // namespace millrace
