#include "support/remote_node.hpp"

#include "node/node.hpp"
#include "support/borrowed_executor.hpp"
#include "support/loop_driver.hpp"
#include "support/recording_listener.hpp"
#include "support/surroundings.hpp"
#include "support/watched_reader.hpp"

namespace millrace {

namespace {

constexpr int kRoundsMax = 10'000;
constexpr const char* kCommitter = "committer";
constexpr const char* kRemoteRuns = "remote runs";
constexpr const char* kDispatcher = "dispatcher";
constexpr const char* kLooks = "looks";
// Those whose work the tests are about, in the order in which they are called.
constexpr const char* kDriven[] = {kCommitter, kRemoteRuns, kDispatcher, "delays",
                                   kLooks,     "dispatch",  "leases"};

QueueNode::Options queue_options(const RemoteRuns::Executors& executors, RemoteSettings settings,
                                 const std::optional<RemoteNode::Single>& single,
                                 RemoteRunsListener& listener) {
    QueueNode::Options options{.dispatcher = {.owner = settings.owner,
                                              .lease = settings.lease,
                                              .plans = default_plans(),
                                              .rules = settings.rules},
                               .executors = borrowed(executors),
                               .run_listeners = {&listener}};
    if (single) {
        options.single = SingleMode::Options{
            .holder = settings.owner,
            .batch = {.owner = settings.owner, .plans = default_plans()},
            .batch_listeners = {&single->batches},
            .lock_listeners = {&single->locks},
        };
    }
    options.remote = std::move(settings);
    return options;
}

}  // namespace

struct RemoteNode::Process {
    Process(Database& inner, const Clock& clock, const LosesRead& loses_read,
            const observe::Tracer* tracer, QueueNode::Options queue)
        : database(inner, loses_read),
          node(surroundings.context(database, clock, tracer),
               {.queue = std::move(queue), .commit_listeners = {&listener}}) {
        for (const char* name : kDriven) loops.start(loop_named(node.loops(), name));
        loops.retried = {kCommitter};
    }

    void call_only(const RemoteNode& test) {
        loops.resting.clear();
        if (!test.dispatches) loops.resting.insert(kDispatcher);
        if (!test.attends) loops.resting.insert(kLooks);
        if (!test.starts) loops.resting.insert(kRemoteRuns);
    }

    LossyDatabase database;
    Surroundings surroundings{};
    RecordingListener listener{};
    Node node;
    LoopDriver loops{};
};

RemoteNode::RemoteNode(Database& database, FakeClock& clock, const RemoteRuns::Executors& executors,
                       RemoteSettings settings, std::optional<Single> single)
    : reader_(database.reader()) {
    const observe::Tracer* tracer = settings.tracer;
    process_ =
        std::make_unique<Process>(database, clock, fails_to_read, tracer,
                                  queue_options(executors, std::move(settings), single, told_));
    if (single) process_->loops.start(loop_named(process_->node.loops(), "recovery"));
}

RemoteNode::~RemoteNode() = default;

CommandQueue& RemoteNode::commands() {
    return process_->node.commands();
}

JobBroker& RemoteNode::broker() {
    return process_->node.broker();
}

TargetFacts RemoteNode::targets() const {
    return process_->node.facts().targets;
}

int RemoteNode::batches() const {
    return static_cast<int>(process_->listener.batch_sizes.size());
}

void RemoteNode::upload(std::string_view document, const WorkspaceId& workspace_id) {
    const Result<UploadDefinition> command = make_upload(workspace_id, json_of(document));
    ASSERT_TRUE(command) << command.error().detail;
    ASSERT_TRUE(run(*command));
}

ExecutionKey RemoteNode::enqueue(std::uint64_t number, std::string_view input) {
    const ExecutionKey key = execution_key(number);
    EXPECT_TRUE(run(EnqueueExecution{
        .key = key,
        .definition_id = "order",
        .input = Variables::from_text(std::string(input)),
    }));
    return key;
}

Result<CancelledExecution> RemoteNode::cancel(const ExecutionKey& key, bool is_forced) {
    return run(CancelExecution{.key = key, .is_forced = is_forced});
}

StoredExecution RemoteNode::stored(const ExecutionKey& key) {
    const auto found = reader_->execution(key.id);
    EXPECT_TRUE(found && *found);
    return found && *found ? **found : StoredExecution{};
}

std::string RemoteNode::status(const ExecutionKey& key) {
    return std::string(to_string(execution(key).queue_status));
}

void RemoteNode::settle(const std::function<bool()>& goes_on) {
    process_->call_only(*this);
    ASSERT_TRUE(process_->loops.settle(goes_on)) << "it does not come to rest";
}

void RemoteNode::stop(const std::function<void()>& meanwhile) {
    process_->call_only(*this);
    process_->loops.before_finish = [&](const runtime::Loop& loop) {
        if (meanwhile && loop.name() == kRemoteRuns) meanwhile();
    };
    process_->node.stop(process_->loops);
    process_->loops.before_finish = nullptr;
}

void RemoteNode::commit_until(const std::function<bool()>& is_over) {
    runtime::Loop& committer = loop_named(process_->node.loops(), kCommitter);
    for (int round = 0; round < kRoundsMax && !is_over(); ++round) committer.run_once();
}

}  // namespace millrace
