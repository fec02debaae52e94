#include "engine/assign_user_task.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/change_variables.hpp"
#include "engine/claim_user_task.hpp"
#include "engine/complete_job.hpp"
#include "engine/extend_lease.hpp"
#include "engine/finish_user_task.hpp"
#include "engine/release_job.hpp"
#include "engine/resume_instance.hpp"
#include "engine/revoke_api_key.hpp"
#include "engine/signal_wait.hpp"
#include "engine/start_instance.hpp"
#include "engine/suspend_instance.hpp"
#include "interleavings/catalogue.hpp"

namespace millrace {

namespace {

const LeaseProof kProof{.worker_id = kWorker, .lease_token = 1};

JobKey job_of(const Turn& turn) {
    return turn.item.leased_job;
}

InstanceKey other_instance(const Turn& turn) {
    return {InstanceId{
                Id128::for_instance(kNoon, static_cast<std::uint64_t>(0x500 + turn.item.number))},
            kWorkspace};
}

// An administrator asks for the execution, too, when told to.
void retry_instance(Turn& turn) {
    const RetryInstance command{turn.item.instance};
    turn.batch.push_back(CommandQueue::make_command(
        command, [&answer = turn.answer, &queue = turn.player.node().queue(),
                  command](const Result<RetriedInstance>& retried) {
            answer = text_of(retried);
            if (!retried || !retried->execution_needed) return;
            RetryInstance again = command;
            again.execution_id = retried->execution_needed;
            queue.submit(again, [&answer](const Result<RetriedInstance>& second) {
                answer = text_of(second);
            });
        }));
}

// A poll takes what it finds.
void claim_all(Turn& turn, const std::string& job_type) {
    const Instant now = turn.player.now();
    const ClaimJobs request{
        .workspace_id = kWorkspace,
        .job_type = {job_type},
        .slots = std::vector<ClaimSlot>(4, {kOtherWorker, kLease}),
        .now = [now] { return now; },
    };
    const auto claimed = turn.player.claimer().claim_jobs(request);
    if (!claimed) {
        turn.answer = text_of(Result<bool>(claimed.error()));
        return;
    }
    for (const DeliveredJob& job : *claimed) {
        turn.done.push_back("claimed " + to_string(job.job.key.id.value) + " " + text_of(job.job) +
                            " " + job.variables.text());
    }
}

json::Value changes(const char* name) {
    return json_of(std::string(R"({")") + name + R"(":1})");
}

}  // namespace

std::vector<Deed> instance_deeds() {
    return {
        {"start",
         [](Turn& t) {
             ask(t, StartInstance{.key = other_instance(t), .definition_id = "order"});
         }},
        {"complete",
         [](Turn& t) {
             ask(t, CompleteJob{job_of(t), kProof, changes("completed")});
         }},
        {"complete_waiting",
         [](Turn& t) {
             ask(t, CompleteJob{.job = t.item.waiting_job});
         }},
        {"fail",
         [](Turn& t) {
             ask(t, FailJob{job_of(t), kProof, false, "broken"});
         }},
        {"fail_retryable",
         [](Turn& t) {
             ask(t, FailJob{job_of(t), kProof, true, "again"});
         }},
        {"expire",
         [](Turn& t) {
             ask(t, ExpireLease{job_of(t)});
         }},
        {"extend",
         [](Turn& t) {
             ask(t, ExtendLease{job_of(t), kProof, kLease});
         }},
        {"release",
         [](Turn& t) {
             ask(t, ReleaseJob{job_of(t), kProof, {}, "full"});
         }},
        {"release_later",
         [](Turn& t) {
             ask(t, ReleaseJob{job_of(t), kProof, kLease, "full"});
         }},
        {"undo_claim",
         [](Turn& t) {
             ask(t, UndoClaim{job_of(t), 1});
         }},
        {"claim", [](Turn& t) { claim_all(t, "waiting"); }, true},
        {"claim_leased", [](Turn& t) { claim_all(t, "charge"); }, true},
        {"fire",
         [](Turn& t) {
             ask(t, FireTimer{t.item.timer});
         }},
        {"signal",
         [](Turn& t) {
             ask(t, SignalWait{t.item.instance, "arrival", changes("signalled")});
         }},
        {"cancel",
         [](Turn& t) {
             ask(t, CancelInstance{t.item.instance, "enough"});
         }},
        {"suspend",
         [](Turn& t) {
             ask(t, SuspendInstance{t.item.instance});
         }},
        {"resume",
         [](Turn& t) {
             ask(t, ResumeInstance{t.item.instance});
         }},
        {"retry", retry_instance},
        {"patch",
         [](Turn& t) {
             ask(t, ChangeVariables{t.item.instance, changes("patched")});
         }},
        {"claim_task",
         [](Turn& t) {
             ask(t, ClaimUserTask{t.item.user_task, "ann"});
         }},
        {"assign_task",
         [](Turn& t) {
             ask(t, AssignUserTask{t.item.user_task, "bob"});
         }},
        {"finish_task",
         [](Turn& t) {
             ask(t, FinishUserTask{t.item.user_task, "", changes("approved")});
         }},
        {"remove_instances",
         [](Turn& t) {
             ask(t, RemoveInstances{{t.item.instance}, kNoon + 30min});
         }},
        {"revoke_key",
         [](Turn& t) {
             ask(t, RevokeApiKey{"key-1"});
         }},
        {"forget_keys", [](Turn& t) { ask(t, ForgetIdempotencyKeys{kNoon + 30min}); }, true},
        {"start_once",
         [](Turn& t) {
             Idempotent<StartInstance> once{
                 .request = {.key = other_instance(t), .definition_id = "order"}};
             once.key = {kWorkspace, "start", "key-" + std::to_string(t.item.number)};
             ask(t, once);
         }},
        {"upload",
         [](Turn& t) {
             ask(t, *make_upload(kWorkspace, json_of(R"({"id":"new","name":"New","steps":[
                 {"id":"done","name":"Done","type":"END"}]})")));
         }},
    };
}

}  // namespace millrace
