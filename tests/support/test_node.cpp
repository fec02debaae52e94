#include "support/test_node.hpp"

#include "node/node.hpp"
#include "support/loop_driver.hpp"
#include "support/surroundings.hpp"

namespace millrace {

struct TestNode::Process {
    Process(Database& database, const Clock& clock, RecordingListener& listener)
        : node(surroundings.context(database, clock),
               {.commit_listeners = {&listener}, .dispatch_listeners = {&listener}}) {}

    runtime::Loop& loop(std::string_view name) const { return loop_named(node.loops(), name); }

    Surroundings surroundings{};
    Node node;
    // Where there are several committers, one is enough here.
    runtime::Loop& committer = loop("committer");
    runtime::Loop& broker = loop("dispatch");
    runtime::Loop& timers = loop("timers");
    runtime::Loop& leases = loop("leases");
};

TestNode::TestNode(Database& database, FakeClock& clock)
    : clock_(clock),
      process_(std::make_unique<Process>(database, clock, listener_)),
      reader_(database.reader()) {}

TestNode::~TestNode() = default;

CommandQueue& TestNode::queue() {
    return process_->node.commands();
}

JobBroker& TestNode::broker() {
    return process_->node.broker();
}

Round TestNode::commit_once() {
    const runtime::Loop::Next next = process_->committer.run_once();
    return {.progressed = next.at_once, .unhealthy = next.is_pause};
}

void TestNode::give_up() {
    EXPECT_TRUE(commit_once().unhealthy);
    clock_.advance(limits::kCommandPatience);
    commit_once();
}

void TestNode::commit() {
    for (int round = 0; round < kRoundsMax; ++round) {
        if (commit_once().is_idle()) return;
    }
    ADD_FAILURE() << "the committer does not come to rest";
}

void TestNode::settle() {
    commit();
    process_->broker.run_once();
    commit();
    for (int round = 0; round < 10; ++round) {
        process_->timers.run_once();
        process_->leases.run_once();
        commit();
    }
    process_->broker.run_once();
}

UploadedDefinition TestNode::upload(std::string_view document, const WorkspaceId& workspace_id) {
    const Result<UploadDefinition> command = make_upload(workspace_id, json_of(document));
    EXPECT_TRUE(command) << (command ? "" : command.error().detail);
    const auto uploaded = run(*command);
    EXPECT_TRUE(uploaded) << (uploaded ? "" : uploaded.error().detail);
    return uploaded ? *uploaded : UploadedDefinition{};
}

Result<Instance> TestNode::start(std::string definition_id, std::string_view variables) {
    return run(StartInstance{
        .key = {{Id128::for_instance(clock_.now(), ++random_)}, kWorkspace},
        .definition_id = std::move(definition_id),
        .variables = variables_from(variables),
    });
}

TestNode::Poll TestNode::begin_poll(PollJobs request) {
    Poll poll;
    poll.answer = std::make_shared<std::optional<Result<std::vector<DeliveredJob>>>>();
    poll.id = broker().poll(std::move(request),
                            [answer = poll.answer](Result<std::vector<DeliveredJob>> jobs) {
                                EXPECT_FALSE(*answer) << "a poll is answered once";
                                *answer = std::move(jobs);
                            });
    return poll;
}

std::vector<DeliveredJob> TestNode::poll(std::string job_type, std::int32_t jobs_max,
                                         WorkerId worker_id) {
    const Poll poll = begin_poll({.workspace_id = kWorkspace,
                                  .worker_id = std::move(worker_id),
                                  .job_types = {{std::move(job_type)}},
                                  .jobs_max = jobs_max,
                                  .lease_duration = kLease});
    for (int round = 0; round < kRoundsMax && !poll.is_answered(); ++round) {
        process_->broker.run_once();
    }
    return poll.jobs();
}

Result<Job> TestNode::complete(const DeliveredJob& delivered, std::string_view variables) {
    return run(CompleteJob{
        .job = delivered.job.key,
        .proof = {delivered.job.lease->worker_id, delivered.job.lease_token},
        .variables = json_of(variables),
    });
}

Result<FailedJob> TestNode::fail(const DeliveredJob& delivered, bool retryable,
                                 std::string message) {
    return run(FailJob{
        .job = delivered.job.key,
        .proof = {delivered.job.lease->worker_id, delivered.job.lease_token},
        .retryable = retryable,
        .message = std::move(message),
    });
}

Instance TestNode::instance(const InstanceKey& key) {
    const Result<Instance> found = read(GetInstance{key}, *reader_);
    EXPECT_TRUE(found);
    return found ? *found : Instance{};
}

std::string TestNode::told(const InstanceKey& key) {
    const auto lines = read(GetHistory{key}, *reader_);
    EXPECT_TRUE(lines);
    std::string text;
    for (const StepExecution& line : lines ? lines->lines : std::vector<StepExecution>{}) {
        text +=
            (text.empty() ? "" : " ") + line.step_id + ":" + std::string(to_string(line.status));
    }
    return text;
}

}  // namespace millrace
