#include "interleavings/catalogue.hpp"
#include "queue/admit_executions.hpp"
#include "queue/change_workspace.hpp"
#include "queue/complete_execution.hpp"
#include "queue/create_workspace.hpp"
#include "queue/dismiss_dead_letter.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/purge_dead_letter.hpp"
#include "queue/redrive_execution.hpp"
#include "queue/retry_execution.hpp"
#include "support/executions.hpp"

namespace millrace {

namespace {

constexpr std::int64_t kToken = 1;

ExecutionKey other_execution(const Turn& turn, int base) {
    return {ExecutionId{
                Id128::for_instance(kNoon, static_cast<std::uint64_t>(base + turn.item.number))},
            kWorkspace};
}

void enqueue(Turn& turn, const std::string& definition_id, const std::string& concurrency_key) {
    ask(turn, EnqueueExecution{.key = other_execution(turn, 0x600),
                               .definition_id = definition_id,
                               .input = Variables::from_text("{}"),
                               .concurrency_key = concurrency_key});
}

// Asks again with the instance that it is told to name, as the API does.
void cancel(Turn& turn, const CancelExecution& command) {
    turn.batch.push_back(CommandQueue::make_command(
        command, [&answer = turn.answer, &queue = turn.player.node().queue(),
                  command](const Result<CancelledExecution>& cancelled) {
            answer = text_of(cancelled);
            if (!cancelled || !cancelled->instance_needed) return;
            CancelExecution again = command;
            again.instance_id = cancelled->instance_needed;
            queue.submit(again, [&answer](const Result<CancelledExecution>& second) {
                answer = text_of(second);
            });
        }));
}

std::vector<std::string> texts_of(const AdmittedExecutions& round) {
    std::vector<std::string> texts;
    for (const ClaimedExecution& claimed : round.claimed) {
        texts.push_back("claimed " + to_string(claimed.execution.key.id.value));
    }
    for (const Execution& execution : round.dispatched) {
        texts.push_back("dispatched " + to_string(execution.key.id.value));
    }
    for (const Execution& execution : round.failed) {
        texts.push_back("failed " + to_string(execution.key.id.value) + " " + text_of(execution));
    }
    return texts;
}

void admit(Turn& turn, AdmissionRequest request) {
    const AdmitExecutions command{.request = std::move(request),
                                  .owner = kOwner,
                                  .lease = kLease,
                                  .plans = default_plans(),
                                  .asked_at = turn.player.now()};
    turn.batch.push_back(CommandQueue::make_command(
        command,
        [&turn_answer = turn.answer, &done = turn.done](const Result<AdmittedExecutions>& round) {
            if (!round) {
                turn_answer = text_of(Result<bool>(round.error()));
                return;
            }
            for (std::string& text : texts_of(*round)) done.push_back(std::move(text));
        }));
}

void record(Turn& turn, const StartAnswer& answer) {
    ask(turn,
        RecordStart{
            .key = turn.item.execution, .token = kToken, .answer = answer, .look_after = 1min});
}

void end(Turn& turn, QueueStatus status) {
    ask(turn, CompleteExecution{.key = turn.item.execution, .end = status, .message = "over"});
}

void retry_execution(Turn& turn, bool resumes) {
    ask(turn, RetryExecution{.key = turn.item.execution,
                             .resumes = resumes,
                             .instance_id = turn.item.instance.id,
                             .new_id = other_execution(turn, 0x700).id,
                             .input = Variables::from_text("{}")});
}

// As whoever deletes it has seen it: paused, and with nothing open.
void delete_workspace(Turn& turn) {
    const auto seen = turn.player.node().reader().workspace(kWorkspace);
    const bool is_there = seen && *seen;
    ask(turn, DeleteWorkspace{{is_there ? **seen : Workspace{.id = kWorkspace}, {}}});
}

void pause(Turn& turn, bool is_paused) {
    ask(turn, ChangeWorkspace{
                  .id = kWorkspace, .changes = {.is_paused = is_paused}, .plans = default_plans()});
}

std::vector<Deed> deeds_of_runs_elsewhere() {
    return {
        {"record_started",
         [](Turn& t) {
             record(t, {.outcome = StartOutcome::started, .run_id = "run-1"});
         }},
        {"record_refused",
         [](Turn& t) {
             record(t, {.outcome = StartOutcome::refused, .message = "no"});
         }},
        {"record_conflict",
         [](Turn& t) {
             record(t, {.outcome = StartOutcome::conflict, .message = "not ours"});
         }},
        {"record_unreachable",
         [](Turn& t) {
             record(t, {.outcome = StartOutcome::unreachable, .message = "gone"});
         }},
        {"record_unknown",
         [](Turn& t) {
             record(t, {.outcome = StartOutcome::unknown, .message = "who knows"});
         }},
        {"end_completed",
         [](Turn& t) {
             end(t, QueueStatus::completed);
         }},
        {"end_failed",
         [](Turn& t) {
             end(t, QueueStatus::failed);
         }},
        {"recover",
         [](Turn& t) {
             ask(t, RecoverExecution{.key = t.item.execution, .owner = "other", .lease = kLease});
         }},
        {"renew",
         [](Turn& t) {
             ask(t, RenewClaims{{{t.item.execution, kToken}}, kLease});
         }},
        {"take_attention",
         [](Turn& t) {
             ask(t, TakeAttention{.key = t.item.execution, .owner = "other", .lease = kLease});
         }},
        {"note_attention",
         [](Turn& t) {
             ask(t, NoteAttention{t.item.execution, "run-1", t.player.now() + 1min});
         }},
    };
}

}  // namespace

std::vector<Deed> execution_deeds() {
    std::vector<Deed> deeds = {
        {"enqueue",
         [](Turn& t) {
             enqueue(t, "order", "");
         }},
        {"enqueue_key",
         [](Turn& t) {
             enqueue(t, "order", "k");
         }},
        {"enqueue_remote",
         [](Turn& t) {
             enqueue(t, "remote", "");
         }},
        {"admit", [](Turn& t) { admit(t, {.looks_everywhere = true}); }, true},
        {"admit_woken",
         [](Turn& t) {
             admit(t, {.woken = {kWorkspace}, .woken_keys = {{kWorkspace, "k"}}});
         },
         true},
        {"make_ready",
         [](Turn& t) {
             ask(t, MakeReady{t.item.execution});
         }},
        {"cancel_execution",
         [](Turn& t) {
             cancel(t, {.key = t.item.execution});
         }},
        {"cancel_forced",
         [](Turn& t) {
             cancel(t, {.key = t.item.execution, .is_forced = true});
         }},
        {"cancel_parked",
         [](Turn& t) {
             cancel(t, {.key = t.item.parked});
         }},
        {"resume_execution",
         [](Turn& t) {
             retry_execution(t, true);
         }},
        {"retry_execution",
         [](Turn& t) {
             retry_execution(t, false);
         }},
        {"redrive",
         [](Turn& t) {
             ask(t, RedriveExecution{t.item.execution});
         }},
        {"dismiss",
         [](Turn& t) {
             ask(t, DismissDeadLetter{t.item.execution});
         }},
        {"purge",
         [](Turn& t) {
             ask(t, PurgeDeadLetter{t.item.execution});
         }},
        {"remove_executions",
         [](Turn& t) {
             ask(t, RemoveExecutions{{t.item.execution}, kNoon + 30min});
         }},
        {"pause",
         [](Turn& t) {
             pause(t, true);
         }},
        {"unpause",
         [](Turn& t) {
             pause(t, false);
         }},
        {"delete_workspace", delete_workspace},
        {"create_workspace",
         [](Turn& t) {
             ask(t, CreateWorkspace{.id = {"other"}, .plans = default_plans()});
         }},
    };
    for (Deed& deed : deeds_of_runs_elsewhere()) deeds.push_back(std::move(deed));
    return deeds;
}

}  // namespace millrace
