#pragma once

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "engine/audited.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/claim_user_task.hpp"
#include "engine/complete_user_task.hpp"
#include "engine/create_api_key.hpp"
#include "engine/idempotent.hpp"
#include "engine/resume_instance.hpp"
#include "engine/revoke_api_key.hpp"
#include "engine/suspend_instance.hpp"
#include "support/stored_executions.hpp"
#include "support/test_node.hpp"

namespace millrace {

inline constexpr std::string_view kSimple = R"({"id":"simple","name":"Simple","steps":[
    {"id":"work","name":"Work","type":"SERVICE_TASK","jobType":"work","nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";

// Three branches at once: a job with retries that wait and a timer at its side, a task for people,
// and a wait that a timer ends.
inline constexpr std::string_view kOrder = R"({"id":"order","name":"Bestellung ✓","steps":[
    {"id":"price","name":"Price","type":"TRANSFORMATION","nextStep":"fork",
     "transformations":{"total":"${quantity * 20}"}},
    {"id":"fork","name":"Fork","type":"PARALLEL_GATEWAY",
     "parallelNextSteps":["charge","approve","pause"],"joinStep":"join"},
    {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":3,
     "timeout":"PT2M","retryPolicy":{"initialDelay":"PT10S"},"nextStep":"join",
     "boundaryEvents":[{"type":"TIMER","duration":"PT1H","interrupting":false,
                        "targetStepId":"remind"}]},
    {"id":"remind","name":"Remind","type":"SERVICE_TASK","jobType":"remind"},
    {"id":"approve","name":"Approve","type":"USER_TASK","candidateGroups":["clerks","bosses"],
     "nextStep":"join"},
    {"id":"pause","name":"Pause","type":"WAIT","nextStep":"join",
     "boundaryEvents":[{"type":"TIMER","duration":"PT2H","interrupting":true,
                        "targetStepId":"join"}]},
    {"id":"join","name":"Join","type":"JOIN_GATEWAY","nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";

inline constexpr int kOrders = 12;

inline UserTask open_task_of(TestNode& node, const Instance& instance) {
    const auto tasks =
        node.reader().user_tasks({.workspace_id = kWorkspace, .instance_id = instance.key.id}, {});
    EXPECT_TRUE(tasks && tasks->items.size() == 1);
    return tasks->items.at(0);
}

// Executions in every state and place, of workspaces with settings of their own.
inline void fill_queue(Database& database) {
    Execution parked = pending_execution(7);
    parked.place = QueuePlace::parked;
    parked.concurrency_key = "key ✓";
    Execution due =
        *refused(claimed_execution(8), 1, {.reason = "X", .message = "no 'way' 8"}, {}, kNoon);
    due.executor = ExecutorKind::temporal;
    due.retry_of = execution_key(1).id;
    Execution alone = pending_execution(9, {"zeta"});
    Writes writes{.executions_new = {enqueued(parked), enqueued(due), enqueued(alone)},
                  .execution_results = {{execution_key(4), R"({"paid":"✓"})"}},
                  .workspaces = {workspace_named(kWorkspace.value), workspace_named("zeta")},
                  .lines = {{kWorkspace,
                             {.virtual_time = 1.0 / 3,
                              .is_runnable = true,
                              .rate = {.tokens = 0.1, .counted_at = kNoon}}}}};
    writes.workspaces[1].rate_per_second = 0.7;
    writes.workspaces[1].is_paused = true;
    std::uint64_t n = 0;
    using enum QueueStatus;
    for (const QueueStatus status : {pending, claimed, dispatched, completed, failed, cancelled}) {
        writes.executions_new.push_back(enqueued(execution_in(status, ++n)));
    }
    const std::unique_ptr<BatchStore> store = database.batch_store();
    ASSERT_TRUE(store->load({}));
    ASSERT_TRUE(store->apply(writes));
}

// Something of everything that a store can hold, and every row in more than one state.
inline void fill_with_everything(Database& database, FakeClock& clock) {
    ASSERT_TRUE(database.migrate());
    TestNode node(database, clock);
    node.upload(kSimple);
    node.upload(kOrder);
    std::vector<Instance> orders;
    for (int n = 0; n < kOrders; ++n) {
        const Result<Instance> started =
            node.start("order", R"({"quantity":)" + std::to_string(n) + "}");
        ASSERT_TRUE(started) << started.error().detail;
        orders.push_back(*started);
        clock.advance(1s);
    }
    // A transformation that fails.
    ASSERT_TRUE(node.start("order", R"({"quantity":"many"})"));

    const std::vector<DeliveredJob> jobs = node.poll("charge", 6);
    ASSERT_EQ(jobs.size(), 6U);
    ASSERT_TRUE(node.complete(jobs[0], R"({"paid":true})"));
    ASSERT_TRUE(node.fail(jobs[1], true, "no answer"));    // Kept back until its delay is over.
    ASSERT_TRUE(node.fail(jobs[2], false, "no money"));    // With its instance.
    ASSERT_TRUE(node.fail(jobs[3], true, "try again ✗"));  // The others keep their leases.

    ASSERT_TRUE(node.run(ClaimUserTask{open_task_of(node, orders[6]).key, "ada"}));
    ASSERT_TRUE(node.run(
        CompleteUserTask{.instance = orders[0].key, .step_id = "approve", .completed_by = "bob"}));
    ASSERT_TRUE(node.run(SuspendInstance{orders[7].key, "to think"}));
    ASSERT_TRUE(node.run(CancelInstance{orders[8].key}));

    const AuditTrail trail{
        .key = {{Id128::for_instance(clock.now(), 900)}, kWorkspace},
        .actor = {.key_id = "k1", .key_name = "ops", .remote_address = "::1", .request_id = "r1"}};
    const StartInstance start{.key = {{Id128::for_instance(clock.now(), 901)}, kWorkspace},
                              .definition_id = "simple",
                              .business_key = "first"};
    ASSERT_TRUE(node.run(Idempotent<Audited<StartInstance>>{
        .request = {.request = start, .trail = trail},
        .key = IdempotencyKey{kWorkspace, "instance.start", "once"},
        .request_hash = {1, 2, 255}}));
    for (const bool is_revoked : {false, true}) {
        const std::string id = is_revoked ? "bad" : "good";
        ASSERT_TRUE(node.run(CreateApiKey{{.id = id,
                                           .name = "key " + id,
                                           .role = Role::operator_,
                                           .workspace_id = kWorkspace,
                                           .secret_hash = {7, 0, 255},
                                           .expires_at = clock.now() + 1h}}));
        if (is_revoked) {
            ASSERT_TRUE(node.run(RevokeApiKey{.id = id}));
        }
    }
    // Another workspace, and the same names in it.
    const WorkspaceId other{"zeta"};
    ASSERT_TRUE(node.run(*make_upload(other, json_of(kSimple))));
    ASSERT_TRUE(node.run(StartInstance{.key = {{Id128::for_instance(clock.now(), 902)}, other},
                                       .definition_id = "simple",
                                       .variables = variables_from(R"({"a":[]})")}));
    fill_queue(database);
}

template <class Value>
void expect_same(const Result<Value>& source, const Result<Value>& target, const char* what) {
    ASSERT_TRUE(source) << what << ": " << source.error().detail;
    ASSERT_TRUE(target) << what << ": " << target.error().detail;
    EXPECT_EQ(*source, *target) << what;
}

template <class Item>
void expect_same_list(const Result<Listing<Item>>& source, const Result<Listing<Item>>& target,
                      const char* what) {
    ASSERT_TRUE(source && target) << what;
    EXPECT_FALSE(source->items.empty()) << what;
    EXPECT_EQ(source->total, target->total) << what;
    EXPECT_TRUE(source->items == target->items) << what;
}

// But for the lines: each workspace begins a new one.
inline void expect_same_queue(Reader& source, Reader& target, Instant now) {
    const Page all{.size = limits::kPageSizeMax};
    expect_same_list(source.workspaces(all), target.workspaces(all), "workspaces");
    const auto queues = source.busy_queues({}, 100);
    const auto others = target.busy_queues({}, 100);
    ASSERT_TRUE(queues && others);
    ASSERT_EQ(queues->size(), 2U);
    ASSERT_EQ(others->size(), 2U);
    for (std::size_t i = 0; i < queues->size(); ++i) {
        EXPECT_TRUE((*queues)[i].workspace == (*others)[i].workspace);
        EXPECT_TRUE((*queues)[i].counts == (*others)[i].counts);
    }
    for (const WorkspaceId& workspace : {kWorkspace, WorkspaceId{"zeta"}}) {
        const auto executions = source.executions({.workspace_id = workspace}, all);
        expect_same_list(executions, target.executions({.workspace_id = workspace}, all),
                         "executions");
        for (const Execution& each : executions->items) {
            expect_same(source.execution(each.key.id), target.execution(each.key.id), "execution");
        }
    }
    expect_same(source.dead_letter_groups(kWorkspace, 9), target.dead_letter_groups(kWorkspace, 9),
                "dead letters");
    expect_same(source.due_executions(now + 24h, 9), target.due_executions(now + 24h, 9), "due");
    expect_same(source.unattended_executions(Unattended::claims_and_runs, now + 24h, 9),
                target.unattended_executions(Unattended::claims_and_runs, now + 24h, 9),
                "unattended");
}

// Every call of a reader, on both, for everything that they hold.
inline void expect_same_answers(Reader& source, Reader& target, Instant now) {
    const Page all{.size = limits::kPageSizeMax};
    for (const WorkspaceId& workspace : {kWorkspace, WorkspaceId{"zeta"}}) {
        expect_same_list(source.definitions({workspace}, all), target.definitions({workspace}, all),
                         "definitions");
        expect_same_list(source.definition_versions(workspace, "simple", all),
                         target.definition_versions(workspace, "simple", all), "versions");
        for (const char* id : {"simple", "order"}) {
            expect_same(source.definition(workspace, id, 0), target.definition(workspace, id, 0),
                        "definition");
        }
        const auto instances = source.instances({.workspace_id = workspace}, all);
        expect_same_list(instances, target.instances({.workspace_id = workspace}, all),
                         "instances");
        for (const Instance& each : instances->items) {
            expect_same(source.instance(each.key), target.instance(each.key), "instance");
            const auto one = source.history(each.key);
            const auto other = target.history(each.key);
            ASSERT_TRUE(one && *one && other && *other);
            EXPECT_TRUE((*one)->instance == (*other)->instance);
            EXPECT_TRUE((*one)->closed == (*other)->closed) << "history";
        }
        const auto jobs = source.jobs({.workspace_id = workspace}, all);
        expect_same_list(jobs, target.jobs({.workspace_id = workspace}, all), "jobs");
        for (const Job& each : jobs->items) {
            expect_same(source.job(each.key), target.job(each.key), "job");
        }
    }
    const auto tasks = source.user_tasks({.workspace_id = kWorkspace}, all);
    expect_same_list(tasks, target.user_tasks({.workspace_id = kWorkspace}, all), "user tasks");
    for (const UserTask& each : tasks->items) {
        expect_same(source.user_task(each.key), target.user_task(each.key), "user task");
    }
    expect_same_list(source.api_keys({}, all), target.api_keys({}, all), "keys");
    expect_same(source.api_key("good"), target.api_key("good"), "key");
    expect_same_list(source.audit({.workspace_id = kWorkspace}, all),
                     target.audit({.workspace_id = kWorkspace}, all), "audit");
    expect_same(source.oldest_idempotency_record(), target.oldest_idempotency_record(), "record");
    expect_same(source.next_timer(Instant{}), target.next_timer(Instant{}), "next timer");
    expect_same(source.due_timers(now + 24h, 100), target.due_timers(now + 24h, 100), "timers");
    expect_same(source.next_lease_expiry(Instant{}), target.next_lease_expiry(Instant{}),
                "next expiry");
    expect_same(source.expired_leases(now + 24h, 100), target.expired_leases(now + 24h, 100),
                "leases");
    expect_same_queue(source, target, now);
}

// Works everything that fill_with_everything has left open to its end.
inline void finish_everything(Database& database, FakeClock& clock) {
    TestNode node(database, clock);
    const Page all{.size = limits::kPageSizeMax};
    const auto before = node.reader().instances({.workspace_id = kWorkspace}, all);
    ASSERT_TRUE(before);

    // The worker that got these jobs from the other store is still at work.
    const auto leased =
        node.reader().jobs({.workspace_id = kWorkspace, .status = JobState::locked}, all);
    ASSERT_TRUE(leased);
    ASSERT_EQ(leased->items.size(), 2U);
    for (const Job& job : leased->items) {
        ASSERT_TRUE(node.run(
            CompleteJob{.job = job.key, .proof = {job.lease->worker_id, job.lease_token}}));
    }
    // A repetition of what was done there is not done again here.
    const auto repeated = node.run(Idempotent<Audited<StartInstance>>{
        .request = {.request = {.key = {{Id128::for_instance(clock.now(), 999)}, kWorkspace},
                                .definition_id = "simple"}},
        .key = IdempotencyKey{kWorkspace, "instance.start", "once"},
        .request_hash = {1, 2, 255}});
    ASSERT_TRUE(repeated);
    EXPECT_TRUE(repeated->is_replayed());
    EXPECT_EQ(node.upload(kOrder).version, 1) << "the same content is the same version";

    for (const Instance& each : before->items) {
        if (each.state.is_suspended) {
            ASSERT_TRUE(node.run(ResumeInstance{each.key}));
        }
    }
    const auto tasks =
        node.reader().user_tasks({.workspace_id = kWorkspace, .status = UserTaskState::open}, all);
    ASSERT_TRUE(tasks);
    EXPECT_FALSE(tasks->items.empty());
    for (const UserTask& task : tasks->items) {
        const auto done = node.run(
            CompleteUserTask{.instance = {instance_of(task.key.id), kWorkspace},
                             .step_id = "approve",
                             .completed_by = task.assignee.empty() ? "eve" : task.assignee});
        ASSERT_TRUE(done) << done.error().detail;
    }
    clock.advance(3h);
    for (int round = 0; round < 4; ++round) {
        node.settle();
        for (const char* type : {"charge", "remind", "work"}) {
            for (const DeliveredJob& job : node.poll(type, 50)) ASSERT_TRUE(node.complete(job));
        }
    }
    const auto after = node.reader().instances({.workspace_id = kWorkspace}, all);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->total, before->total);
    std::map<InstanceStatus, int> counts;
    for (const Instance& each : after->items) counts[each.status] += 1;
    EXPECT_EQ(counts[InstanceStatus::completed], kOrders - 2 + 1);
    EXPECT_EQ(counts[InstanceStatus::failed], 2);
    EXPECT_EQ(counts[InstanceStatus::cancelled], 1);
    // Numbers go on behind those that the other store gave out.
    node.upload(R"({"id":"later","name":"Later","steps":[{"id":"d","name":"D","type":"END"}]})");
    const Result<Instance> later = node.start("later");
    ASSERT_TRUE(later);
    EXPECT_EQ(later->definition.row_id, 4);
}

}  // namespace millrace
