#include "queue/note_attention.hpp"

namespace millrace {

Footprint footprint(const NoteAttention& command) {
    return {.executions = {command.key}};
}

Result<Decision<NotedAttention>> decide(const NoteAttention& command, const WorkingSet& rows,
                                        Instant now) {
    const Execution* found = rows.find(command.key);
    const bool is_running = found != nullptr && found->executor != ExecutorKind::native &&
                            found->queue_status == QueueStatus::dispatched;
    if (!is_running) return Decision<NotedAttention>{};

    Execution execution = *found;
    if (!command.run_id.empty()) execution.run_id = command.run_id;
    const bool has_news = execution.cancel_requested_at != command.cancel_seen ||
                          execution.is_forced != command.is_force_seen;
    execution.due_at = has_news ? now : command.due_at;
    execution.claim.owner.clear();
    return Decision<NotedAttention>{
        .effects = {.executions = {std::move(execution)}},
        .answer = {.is_noted = true},
    };
}

}  // namespace millrace
