// Goal: whatever call to the database fails while people operate an instance, it ends as it would
// have without the fault, and the audit has one entry for each change.
// Method: an instance times out, fails, is mended, retried, suspended and resumed, its user task
// claimed and finished, between the creation of an API key and its end. Callers repeat under an
// idempotency key what was not answered with success, and once more what was.

#include "engine/audited.hpp"
#include "engine/change_variables.hpp"
#include "engine/claim_user_task.hpp"
#include "engine/create_api_key.hpp"
#include "engine/extend_lease.hpp"
#include "engine/finish_user_task.hpp"
#include "engine/idempotent.hpp"
#include "engine/resume_instance.hpp"
#include "engine/retry_instance.hpp"
#include "engine/revoke_api_key.hpp"
#include "engine/suspend_instance.hpp"
#include "simulation/every_fault.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kRepair = R"({"id": "repair", "name": "Repair", "steps": [
    {"id": "fork", "name": "F", "type": "PARALLEL_GATEWAY", "joinStep": "join",
     "parallelNextSteps": ["fetch", "pack", "approve"]},
    {"id": "fetch", "name": "F", "type": "SERVICE_TASK", "jobType": "fetch", "retryCount": 2,
     "retryPolicy": {"initialDelay": "PT1M", "factor": 2}, "timeout": "PT10M", "nextStep": "join"},
    {"id": "pack", "name": "P", "type": "SERVICE_TASK", "jobType": "pack", "nextStep": "join"},
    {"id": "approve", "name": "A", "type": "USER_TASK", "nextStep": "join"},
    {"id": "join", "name": "J", "type": "JOIN_GATEWAY", "nextStep": "check"},
    {"id": "check", "name": "C", "type": "DECISION", "conditionalNextSteps": {"mended": "end"}},
    {"id": "end", "name": "E", "type": "END"}]})";

constexpr std::string_view kToldOfRepair =
    "fork:COMPLETED fetch:FAILED pack:SKIPPED approve:SKIPPED fetch:COMPLETED pack:COMPLETED "
    "approve:COMPLETED join:COMPLETED check:COMPLETED end:COMPLETED";

constexpr std::string_view kAudited =
    "KEY_CREATED DEFINITION_UPLOADED INSTANCE_STARTED VARIABLES_CHANGED INSTANCE_RETRIED "
    "INSTANCE_SUSPENDED INSTANCE_RESUMED USER_TASK_CLAIMED USER_TASK_COMPLETED KEY_REVOKED ";

constexpr int kTriesMax = 50;

class Operations {
public:
    Operations(Database& database, FakeClock& clock) : clock_(clock), node_(database, clock) {}

    void run() {
        begin();
        fail();
        mend();
        suspend_and_resume();
        finish();
        expect_the_same_end();
    }

private:
    void begin() {
        do_once(CreateApiKey{{.id = "key", .name = "robot", .role = Role::operator_}});
        do_once(*make_upload(kWorkspace, json_of(kRepair)));
        order_ = {{Id128::for_instance(clock_.now(), 77)}, kWorkspace};
        do_once(StartInstance{.key = order_, .definition_id = "repair"});
    }

    // One try takes too long, two fail, and with the last one the instance.
    void fail() {
        const DeliveredJob slow = hold("fetch");
        repeat(ExtendLease{slow.job.key, proof_of(slow), 1h});
        clock_.advance(10min);
        wait_until([&] { return retries_of(slow.job.key) == 1; });
        for (const int retries : {1, 0}) {
            EXPECT_TRUE(node_.poll("fetch").empty()) << "the delay is not over";
            const DeliveredJob held = hold("fetch");
            EXPECT_EQ(held.job.retries_remaining, retries);
            repeat(FailJob{
                .job = held.job.key, .proof = proof_of(held), .retryable = true, .message = "no"});
        }
        EXPECT_EQ(node_.instance(order_).status, InstanceStatus::failed);
    }

    void mend() {
        do_once(ChangeVariables{
            .instance = order_, .changes = json_of(R"({"mended": true})"), .expected_version = 0});
        do_once(RetryInstance{order_});
    }

    // The job that is held may end, the other one is kept back.
    void suspend_and_resume() {
        const DeliveredJob held = hold("fetch");
        EXPECT_EQ(held.job.retries_remaining, 2);
        do_once(SuspendInstance{.instance = order_});
        EXPECT_TRUE(node_.poll("pack").empty());
        complete(held);
        EXPECT_TRUE(node_.poll("pack").empty());
        EXPECT_TRUE(node_.instance(order_).state.is_suspended);
        do_once(ResumeInstance{order_});
    }

    void finish() {
        complete(hold("pack"));
        const auto open = node_.reader().user_tasks(
            {.workspace_id = kWorkspace, .status = UserTaskState::open}, {});
        ASSERT_EQ(open->total, 1);
        const UserTaskKey task = open->items.front().key;
        do_once(ClaimUserTask{task, "ann"});
        do_once(FinishUserTask{.task = task, .user_id = "ann"});
        do_once(RevokeApiKey{.id = "key"});
    }

    void expect_the_same_end() {
        EXPECT_EQ(node_.told(order_), kToldOfRepair);
        const Instance ended = node_.instance(order_);
        EXPECT_EQ(ended.status, InstanceStatus::completed);
        EXPECT_EQ(ended.variables.text(), R"({"mended":true,"done":true})");
        EXPECT_EQ(ended.state.variables_version, 2);
        EXPECT_EQ(tries_told(), "TIMED_OUT FAILED FAILED COMPLETED COMPLETED ");

        Reader& reader = node_.reader();
        EXPECT_EQ(reader.instances({kWorkspace}, {})->total, 1);
        EXPECT_EQ(reader.jobs({kWorkspace}, {})->total, 0);
        const auto tasks = reader.user_tasks({kWorkspace}, {});
        ASSERT_EQ(tasks->total, 2);
        EXPECT_EQ(tasks->items[0].completed_by, "ann");
        EXPECT_EQ(tasks->items[1].status, UserTaskState::cancelled);
        const auto keys = reader.api_keys({}, {});
        ASSERT_EQ(keys->total, 1);
        EXPECT_TRUE(keys->items[0].revoked_at);
        EXPECT_EQ(audit_told(), kAudited);
    }

    // How tries ended, but for those whose claim got lost: no worker knows of them.
    std::string tries_told() {
        std::string told;
        const auto lines = read(GetHistory{order_}, node_.reader());
        for (const StepExecution& line : lines->lines) {
            for (const Try& ended : line.tries) {
                if (ended.outcome == TryOutcome::expired) continue;
                told += std::string(to_string(ended.outcome)) + " ";
            }
        }
        return told;
    }

    std::string audit_told() {
        std::string told;
        const auto entries = node_.reader().audit({kWorkspace}, {});
        for (const AuditEntry& entry : entries->items) {
            told = std::string(to_string(entry.kind)) + " " + told;
        }
        return told;
    }

    // What a person asks for until it is done, and once more.
    template <class Request>
    void do_once(const Request& request) {
        const std::string key = std::to_string(++keys_);
        for (int again = 0; again < 2; ++again) {
            bool is_done = false;
            for (int tries = 0; tries < kTriesMax && !is_done; ++tries) {
                clock_.advance(1ms);
                const AuditKey entry{{Id128::for_instance(clock_.now(), 1)}, kWorkspace};
                const auto once = node_.run(Idempotent<Audited<Request>>{
                    .request = {.request = request, .trail = AuditTrail{entry, {}}},
                    .key = IdempotencyKey{kWorkspace, std::string(Request::kName), key},
                });
                is_done = static_cast<bool>(once);
                if (once) {
                    EXPECT_TRUE(again == 0 || once->is_replayed());
                }
                if (!once) expect_nobody_could_tell(once.error());
            }
            EXPECT_TRUE(is_done) << Request::kName;
        }
    }

    // What a worker says until it is heard.
    template <class Request>
    void repeat(const Request& request) {
        for (int tries = 0; tries < kTriesMax; ++tries) {
            const auto answer = node_.run(request);
            if (answer) return;
            expect_nobody_could_tell(answer.error());
        }
        ADD_FAILURE() << Request::kName << " is never heard";
    }

    // A fault is never taken for a refusal.
    static void expect_nobody_could_tell(const Error& error) {
        EXPECT_TRUE(error.code == ErrorCode::unavailable || error.code == ErrorCode::commit_unknown)
            << error.detail;
    }

    void complete(const DeliveredJob& held) {
        repeat(CompleteJob{.job = held.job.key,
                           .proof = proof_of(held),
                           .variables = json_of(R"({"done": true})")});
    }

    DeliveredJob hold(const std::string& job_type) {
        std::vector<DeliveredJob> jobs;
        wait_until([&] {
            jobs = node_.poll(job_type);
            return !jobs.empty();
        });
        return jobs.empty() ? DeliveredJob{} : jobs.front();
    }

    // Leases run out and delays end in the meantime.
    void wait_until(const std::function<bool()>& is_reached) {
        for (int tries = 0; tries < kTriesMax; ++tries) {
            node_.settle();
            if (is_reached()) return;
            clock_.advance(kLease);
        }
        ADD_FAILURE() << "nothing comes of waiting: " << node_.told(order_);
    }

    std::int32_t retries_of(const JobKey& key) {
        const auto job = node_.reader().job(key);
        return job && *job ? (*job)->retries_remaining : -1;
    }

    static LeaseProof proof_of(const DeliveredJob& held) {
        return {held.job.lease->worker_id, held.job.lease_token};
    }

    FakeClock& clock_;
    TestNode node_;
    InstanceKey order_;
    int keys_ = 0;
};

class EveryFaultOfOperations : public EveryFault {};

TEST_P(EveryFaultOfOperations, LeavesTheSameEndAndOneEntryForEachChange) {
    const auto [fault, count] = GetParam();
    run_with_every_fault<Operations>(fault, count, 60);
}

// Five in a row and more are beyond the committer: the callers hear of them.
INSTANTIATE_TEST_SUITE_P(All, EveryFaultOfOperations,
                         testing::Combine(testing::Values(Fault::refused, Fault::reply_lost,
                                                          Fault::commit_lost),
                                          testing::Values(1, 2, 4, 5, 7)),
                         case_name);

}  // namespace
}  // namespace millrace
