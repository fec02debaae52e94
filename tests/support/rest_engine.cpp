#include "support/rest_engine.hpp"

#include "api/access/key_gate.hpp"
#include "api/access/minted_key.hpp"
#include "api/http/service.hpp"
#include "api/http/url.hpp"
#include "api/rest/routes.hpp"
#include "base/json/parse.hpp"
#include "node/node.hpp"
#include "store/memory/memory_database.hpp"
#include "support/loop_driver.hpp"
#include "support/surroundings.hpp"

namespace millrace {

namespace {

// A round of the dispatcher that fails is a surprise.
class FailureListener final : public DispatcherListener {
public:
    void on_round(const AdmittedExecutions&, Duration) override {}
    void on_capacity_reached(const WorkspaceAtCapacity&) override {}
    void on_failure(const Error& error) override { ADD_FAILURE() << error.detail; }
};

}  // namespace

struct RestEngine::Process {
    Process(RestEngine& test, Keys keys)
        : log({.sink =
                   [&test](std::string_view line) {
                       if (test.is_quiet_) ADD_FAILURE() << line;
                   }}),
          node(around.context(database, test.clock_),
               {.queue = {.dispatcher = {.owner = "a test", .plans = default_plans()},
                          .dispatcher_listeners = {&failures}}}),
          key_cache(node.queries(), test.clock_),
          event_streams(node.queries(), node.watch(), key_cache, test.clock_, {}, [] {}),
          instance_ids(test.clock_, around.random),
          gate(key_cache, test.clock_, around.metrics, log),
          service(router, around.metrics, log, test.clock_, around.random,
                  {.gate = keys == Keys::asked_for ? &gate : nullptr}) {
        rest::add_routes(router, context(test));
        node.on_key_changed([this](const std::string& id) { key_cache.renew(id); });
        for (const char* name : {"committer", "dispatch", "reader"}) loops.start(loop(name));
    }

    rest::Context context(RestEngine& test) {
        return {
            .commands = node.commands(),
            .queries = node.queries(),
            .broker = node.broker(),
            .clock = test.clock_,
            .instance_ids = instance_ids,
            .metrics = around.metrics,
            .random = around.random,
            .event_streams = event_streams,
            .back_up =
                [&test](std::function<void(Result<rest::FileToSend>)> done) { done(test.backup); },
            .not_ready = [&test] { return test.not_ready; },
            .process_facts =
                [&test] { return ProcessFacts{.is_engine_enabled = test.is_engine_enabled}; },
            .keys = &key_cache};
    }

    runtime::Loop& loop(std::string_view name) const { return loop_named(node.loops(), name); }

    Surroundings around{};
    observe::Log log;  // Of what is around the node.
    FailureListener failures{};
    MemoryDatabase database{};
    std::unique_ptr<BatchStore> store = database.batch_store();
    std::unique_ptr<Reader> reader = database.reader();
    Node node;
    LoopDriver loops{};
    access::KeyCache key_cache;
    rest::EventStreams event_streams;
    InstanceIds instance_ids;
    http::Router router{around.metrics};
    access::KeyGate gate;
    http::Service service;
    http::Trail trail{};
};

http::HttpHeaders headers_of(const std::string& key, const std::string& workspace) {
    http::HttpHeaders headers;
    if (!key.empty()) headers.add("Authorization", "Bearer " + key);
    if (!workspace.empty()) headers.add("Millrace-Workspace", workspace);
    return headers;
}

RestEngine::RestEngine(Keys keys) : process_(std::make_unique<Process>(*this, keys)) {}

RestEngine::~RestEngine() = default;

std::string RestEngine::add_key(Role role, std::optional<WorkspaceId> workspace_id) {
    const access::MintedKey minted = access::mint_key(process_->around.random);
    write({.api_keys = {{.id = minted.text.id,
                         .name = "a key",
                         .role = role,
                         .workspace_id = std::move(workspace_id),
                         .secret_hash = minted.secret_hash,
                         .created_at = clock_.now()}}});
    return to_string(minted.text);
}

void RestEngine::write(const Writes& writes) {
    EXPECT_TRUE(process_->store->load({}));
    EXPECT_TRUE(process_->store->apply(writes));
}

Reader& RestEngine::reader() {
    return *process_->reader;
}

std::string RestEngine::Answer::operator[](std::string_view key) const {
    const json::Value* member = body.find(key);
    const std::string* value = member == nullptr ? nullptr : member->if_string();
    return value == nullptr ? "" : *value;
}

std::shared_ptr<FakeExchange> RestEngine::send(std::string method, std::string_view target,
                                               std::string body, const http::HttpHeaders& headers,
                                               const http::ClientTraits& client) {
    const auto parts = http::split_target(target);
    http::HttpRequest request{.method = std::move(method),
                              .path = std::string(parts->path),
                              .query = std::string(parts->query),
                              .headers = headers,
                              .body = std::move(body),
                              .client = client};
    process_->trail = process_->service.begin(request);
    const auto exchange = std::make_shared<FakeExchange>(request.request_id);
    process_->service.handle(std::move(request), process_->trail, http::Responder(exchange));
    work();
    return exchange;
}

RestEngine::Answer RestEngine::answer_of(const FakeExchange& exchange) {
    if (!exchange.answer()) {
        ADD_FAILURE() << "no answer";
        return {};
    }
    Answer answer{.status = exchange.answer()->status, .text = exchange.answer()->body};
    if (auto value = json::parse(answer.text)) answer.body = std::move(*value);
    return answer;
}

void RestEngine::work() {
    ASSERT_TRUE(process_->loops.settle()) << "it does not come to rest";
}

void RestEngine::pass(Duration time) {
    clock_.advance(time);
    process_->loop("leases").run_once();
    work();
}

void RestEngine::dispatch() {
    constexpr int kRounds = 10;
    for (int i = 0; i < kRounds; ++i) {
        process_->loop("dispatcher").run_once();
        work();
    }
}

void RestEngine::make_due_ready() {
    process_->loop("delays").run_once();
    work();
}

http::Router& RestEngine::router() {
    return process_->router;
}

rest::EventStreams& RestEngine::event_streams() {
    return process_->event_streams;
}

QueryQueue& RestEngine::queries() {
    return process_->node.queries();
}

}  // namespace millrace
