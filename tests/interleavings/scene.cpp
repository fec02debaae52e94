#include "interleavings/scene.hpp"

#include "engine/suspend_instance.hpp"
#include "queue/admit_executions.hpp"
#include "queue/create_workspace.hpp"
#include "queue/enqueue_execution.hpp"
#include "queue/retry_execution.hpp"
#include "support/executions.hpp"

namespace millrace {

namespace {

// Everything that can stand open in one instance.
constexpr std::string_view kMany = R"({"id":"many","name":"Many","steps":[
    {"id":"split","name":"Split","type":"PARALLEL_GATEWAY",
     "parallelNextSteps":["charge","waiting","arrival","approve"],"joinStep":"meet"},
    {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":1,
     "nextStep":"meet"},
    {"id":"waiting","name":"Waiting","type":"SERVICE_TASK","jobType":"waiting","retryCount":1,
     "nextStep":"meet"},
    {"id":"arrival","name":"Arrival","type":"WAIT","nextStep":"meet"},
    {"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"meet","boundaryEvents":[
        {"type":"TIMER","duration":"PT5M","interrupting":true,"targetStepId":"late"}]},
    {"id":"late","name":"Late","type":"SERVICE_TASK","jobType":"waiting","nextStep":"meet"},
    {"id":"meet","name":"Meet","type":"JOIN_GATEWAY","nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";
// Over with its only job.
constexpr std::string_view kOrder = R"({"id":"order","name":"Order","steps":[
    {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":0,
     "nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";
constexpr std::string_view kChain = R"({"id":"chain","name":"Chain","nextWorkflowId":"order",
    "autoStartNextWorkflow":true,"steps":[
    {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":0,
     "nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";
constexpr std::string_view kRemote = R"({"id":"remote","name":"Remote","executor":{
    "kind":"temporal","target":"main","taskQueue":"q","workflowType":"w"}})";

// Both items compete for nothing: keys differ.
std::string concurrency_key(const Item& item) {
    return item.number == 1 ? "k" : "k2";
}

void enqueue(Player& player, const ExecutionKey& key, const std::string& definition_id,
             const std::string& concurrency_key = "",
             std::optional<Instant> not_before = std::nullopt) {
    MILLRACE_CHECK(
        player.node().run(EnqueueExecution{.key = key,
                                           .definition_id = definition_id,
                                           .input = Variables::from_text(R"({"amount":7})"),
                                           .not_before = not_before,
                                           .concurrency_key = concurrency_key}));
}

void admit(Player& player) {
    MILLRACE_CHECK(player.node().run(AdmitExecutions{.request = {.looks_everywhere = true},
                                                     .owner = kOwner,
                                                     .lease = kLease,
                                                     .plans = default_plans(),
                                                     .asked_at = player.now()}));
}

// Finds what an instance has open, and has its first worker lease the job "charge".
void note_open(Player& player, Item& item) {
    const Instance instance = player.node().instance(item.instance);
    for (const OpenStep& step : instance.state.open_steps) {
        const Id128 next = item.instance.id.value.with_sequence(step.sequence + 1);
        if (step.step_id == "charge") item.leased_job = {{next}, kWorkspace};
        if (step.step_id == "waiting") item.waiting_job = {{next}, kWorkspace};
        if (step.step_id == "approve") item.user_task = {{next}, kWorkspace};
        for (const OpenTimer& timer : step.timers) {
            item.timer = {{item.instance.id.value.with_sequence(timer.sequence)}, kWorkspace};
        }
    }
    player.node().poll("charge");
}

void run(Player& player, Item& item, const std::string& definition_id) {
    enqueue(player, item.execution, definition_id, concurrency_key(item));
    admit(player);
    note_open(player, item);
}

void build_running(Player& player, Item& item) {
    run(player, item, "many");
}
void build_suspended(Player& player, Item& item) {
    run(player, item, "many");
    MILLRACE_CHECK(player.node().run(SuspendInstance{item.instance}));
}
void build_ending(Player& player, Item& item) {
    run(player, item, "order");
}
void build_chaining(Player& player, Item& item) {
    run(player, item, "chain");
}

// A second one of the same key waits behind the first.
void build_parked(Player& player, Item& item) {
    run(player, item, "order");
    enqueue(player, item.parked, "order", concurrency_key(item));
    admit(player);
}

// Started without a queue.
void build_direct(Player& player, Item& item) {
    MILLRACE_CHECK(
        player.node().run(StartInstance{.key = item.instance, .definition_id = "order"}));
    note_open(player, item);
}

void build_waiting(Player& player, Item& item) {
    enqueue(player, item.execution, "order");
}
void build_due(Player& player, Item& item) {
    enqueue(player, item.execution, "order", "", kNoon + 10min);
}
void build_remote_waiting(Player& player, Item& item) {
    enqueue(player, item.execution, "remote");
}
void build_remote_claimed(Player& player, Item& item) {
    enqueue(player, item.execution, "remote");
    admit(player);
}

void record(Player& player, const Item& item, const StartAnswer& answer) {
    MILLRACE_CHECK(player.node().run(
        RecordStart{.key = item.execution, .token = 1, .answer = answer, .look_after = 1min}));
}

void build_remote_running(Player& player, Item& item) {
    build_remote_claimed(player, item);
    record(player, item, {.outcome = StartOutcome::started, .run_id = "run-1"});
}
void build_dead(Player& player, Item& item) {
    build_remote_claimed(player, item);
    record(player, item, {.outcome = StartOutcome::conflict, .message = "not ours"});
}

void build_failed(Player& player, Item& item) {
    build_ending(player, item);
    MILLRACE_CHECK(player.node().run(FailJob{item.leased_job, {kWorker, 1}, false, "broken"}));
}
void build_resuming(Player& player, Item& item) {
    build_failed(player, item);
    MILLRACE_CHECK(player.node().run(RetryInstance{item.instance}));
}
void build_failed_direct(Player& player, Item& item) {
    build_direct(player, item);
    MILLRACE_CHECK(player.node().run(FailJob{item.leased_job, {kWorker, 1}, false, "broken"}));
}
void build_nothing(Player&, Item&) {}

}  // namespace

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> all = {
        {"Running",
         {"complete",
          "complete_waiting",
          "fail",
          "fail_retryable",
          "expire",
          "extend",
          "release",
          "release_later",
          "undo_claim",
          "claim",
          "claim_leased",
          "fire",
          "signal",
          "cancel",
          "suspend",
          "resume",
          "retry",
          "patch",
          "claim_task",
          "assign_task",
          "finish_task",
          "remove_instances",
          "cancel_execution",
          "resume_execution",
          "redrive",
          "end_completed",
          "remove_executions",
          "admit"},
         build_running},
        {"Suspended",
         {"resume", "suspend", "complete", "fail_retryable", "release", "expire", "claim", "fire",
          "signal", "cancel", "patch", "cancel_execution", "admit"},
         build_suspended},
        {"Ending",
         {"complete", "fail", "expire", "claim_leased", "cancel", "suspend", "patch",
          "cancel_execution", "remove_instances", "remove_executions", "retry", "resume_execution",
          "enqueue_key", "admit"},
         build_ending},
        {"Chaining",
         {"complete", "fail", "cancel", "cancel_execution", "patch", "retry", "end_completed",
          "remove_instances", "admit", "claim_leased"},
         build_chaining},
        {"Parked",
         {"complete", "fail", "cancel", "cancel_execution", "cancel_parked", "enqueue_key", "admit",
          "admit_woken", "remove_executions"},
         build_parked},
        {"Direct",
         {"complete", "fail", "expire", "cancel", "suspend", "patch", "retry", "remove_instances",
          "start", "claim_leased"},
         build_direct},
        {"Waiting",
         {"admit", "admit_woken", "cancel_execution", "cancel", "suspend", "patch", "enqueue",
          "make_ready", "pause", "redrive", "remove_executions", "remove_instances", "start"},
         build_waiting},
        {"Due",
         {"make_ready", "cancel_execution", "admit", "enqueue", "remove_executions"},
         build_due},
        {"RemoteWaiting",
         {"admit", "admit_woken", "cancel_execution", "cancel_forced", "enqueue_remote",
          "make_ready", "redrive", "end_completed", "purge"},
         build_remote_waiting},
        {"RemoteClaimed",
         {"record_started", "record_refused", "record_conflict", "record_unreachable",
          "record_unknown", "cancel_execution", "cancel_forced", "end_completed", "end_failed",
          "recover", "renew", "take_attention", "note_attention", "admit", "remove_executions"},
         build_remote_claimed},
        {"RemoteRunning",
         {"record_started", "cancel_execution", "end_completed", "end_failed", "take_attention",
          "note_attention", "recover", "remove_executions", "admit"},
         build_remote_running},
        {"Failed",
         {"retry", "resume_execution", "retry_execution", "redrive", "dismiss", "purge",
          "remove_instances", "remove_executions", "admit", "cancel_execution", "cancel", "patch"},
         build_failed},
        {"Dead",
         {"redrive", "retry_execution", "dismiss", "purge", "remove_executions", "admit",
          "cancel_execution", "record_started"},
         build_dead},
        {"Resuming",
         {"admit", "admit_woken", "remove_instances", "cancel_execution", "cancel", "patch",
          "suspend", "retry", "purge", "remove_executions"},
         build_resuming},
        {"FailedDirect", {"retry", "remove_instances", "cancel", "patch"}, build_failed_direct},
        {"Paused",
         {"enqueue", "start", "delete_workspace", "unpause", "pause", "admit", "upload",
          "create_workspace"},
         build_nothing,
         true},
        {"Keys",
         {"start_once", "upload", "revoke_key", "forget_keys", "start", "create_workspace",
          "pause"},
         build_nothing},
    };
    return all;
}

void build_ground(Player& player) {
    MILLRACE_CHECK(player.node().run(CreateWorkspace{
        .id = kWorkspace,
        .settings = {.plan = "UNLIMITED", .max_per_key = std::optional<std::int32_t>(1)},
        .plans = default_plans()}));
    for (const auto document : {kMany, kOrder, kChain, kRemote}) player.node().upload(document);
    MILLRACE_CHECK(player.node().run(CreateApiKey{{.id = "key-1", .name = "one"}}));
}

Item item_numbered(int number) {
    const auto id = [number](int base) {
        return Id128::for_instance(kNoon, static_cast<std::uint64_t>(base + number));
    };
    Item item{.number = number};
    item.execution = {ExecutionId{id(0x100)}, kWorkspace};
    item.instance = {InstanceId{id(0x100)}, kWorkspace};
    item.parked = {ExecutionId{id(0x200)}, kWorkspace};
    return item;
}

}  // namespace millrace
