#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/access/key_gate.hpp"
#include "api/access/minted_key.hpp"
#include "api/http/service.hpp"
#include "api/http/url.hpp"
#include "api/rest/routes.hpp"
#include "base/json/parse.hpp"
#include "commit/committer.hpp"
#include "queue/dispatcher.hpp"
#include "queue/make_ready.hpp"
#include "scheduler/lease_reaper.hpp"
#include "store/memory/memory_database.hpp"
#include "support/counting_random.hpp"
#include "support/fake_clock.hpp"

namespace millrace {

// A stream whose client reads all at once. Keeps what was written, and goes away when told to.
class FakeStream final : public http::StreamBody {
public:
    bool write(std::string_view bytes) override {
        if (is_lost_) close();
        if (is_open_) text_ += bytes;
        return is_open_;
    }
    void end() override { is_ended_ = std::exchange(is_open_, false) || is_ended_; }
    bool is_open() const override { return is_open_; }
    std::size_t buffered() const override { return 0; }
    void on_drained(std::function<void()> hook) override { on_drained_ = std::move(hook); }
    void on_closed(std::function<void()> hook) override { on_closed_ = std::move(hook); }

    const std::string& text() const { return text_; }
    bool is_ended() const { return is_ended_; }
    // The loop's part: calls the hook that waits for the client to read. False without one.
    bool drain() {
        const auto hook = std::exchange(on_drained_, nullptr);
        if (hook) hook();
        return hook != nullptr;
    }
    void close() {
        is_open_ = false;
        if (const auto hook = std::exchange(on_closed_, nullptr)) hook();
    }
    // The next write finds out, as it does when the loop has ended.
    void lose() { is_lost_ = true; }

private:
    bool is_open_ = true;
    bool is_lost_ = false;
    bool is_ended_ = false;
    std::string text_;
    std::function<void()> on_drained_;
    std::function<void()> on_closed_;
};

// A request without a socket. Keeps its answer for the test.
class FakeExchange final : public http::Exchange {
public:
    explicit FakeExchange(std::string request_id) : request_id_(std::move(request_id)) {}
    // A connection always ends, and what it carries with it.
    ~FakeExchange() override {
        if (stream_ != nullptr) stream_->close();
    }

    const std::string& request_id() const override { return request_id_; }
    TraceContext trace() const override { return {}; }
    void respond(http::HttpResponse response) override { answer_ = std::move(response); }
    http::ResponseStream stream(http::HttpResponse head, http::StreamKind) override {
        answer_ = std::move(head);
        stream_ = std::make_shared<FakeStream>();
        return http::ResponseStream(stream_);
    }
    void on_client_gone(std::function<void()> hook) override { hook_ = std::move(hook); }

    const std::optional<http::HttpResponse>& answer() const { return answer_; }
    const std::shared_ptr<FakeStream>& stream() const { return stream_; }
    void client_gone() { hook_(); }

private:
    std::string request_id_;
    std::optional<http::HttpResponse> answer_;
    std::shared_ptr<FakeStream> stream_;
    std::function<void()> hook_;
};

class SilentListener final : public CommitListener, public DispatchListener {
public:
    explicit SilentListener(InstanceWatch& watch) : watch_(watch) {}

    void on_commit(const Writes& writes) override {
        watch_.on_commit(writes);
        if (note_commit) note_commit(writes);
    }
    void on_batch(std::size_t, Duration, Duration) override {}
    void on_command(std::string_view, Duration) override {}
    void on_delivered(std::span<const DeliveredJob>, Instant) override {}
    void on_claimed(Duration) override {}
    void on_empty_poll() override {}
    void on_claim_conflict() override {}

    std::function<void(const Writes&)> note_commit{};

private:
    InstanceWatch& watch_;
};

class SilentDispatcherListener final : public DispatcherListener {
public:
    void on_round(const AdmittedExecutions&, Duration) override {}
    void on_capacity_reached(const WorkspaceAtCapacity&) override {}
    void on_failure(const Error& error) override { ADD_FAILURE() << error.detail; }
};

// What a caller sends to say who it is, and for whom; neither when empty.
inline http::HttpHeaders headers_of(const std::string& key, const std::string& workspace = {}) {
    http::HttpHeaders headers;
    if (!key.empty()) headers.add("Authorization", "Bearer " + key);
    if (!workspace.empty()) headers.add("Millrace-Workspace", workspace);
    return headers;
}

// The whole engine behind the routes, in memory and in one thread: the test is every loop.
class RestEngine {
public:
    enum class Keys { not_asked_for, asked_for };

    explicit RestEngine(Keys keys = Keys::not_asked_for)
        : service_(router_, metrics_, log_, clock_, random_,
                   {.gate = keys == Keys::asked_for ? &gate_ : nullptr}) {
        rest::add_routes(router_, context_);
        listener_.note_commit = [this](const Writes& writes) {
            for (const ApiKey& key : writes.api_keys) key_cache_.renew(key.id);
            for (const auto& revoked : writes.api_keys_revoked) key_cache_.renew(revoked.id);
            dispatcher_.on_commit(writes);
        };
    }

    // Puts a key into the store and returns its text.
    std::string add_key(Role role, std::optional<WorkspaceId> workspace_id = {}) {
        const access::MintedKey minted = access::mint_key(random_);
        const ApiKey key{.id = minted.text.id,
                         .name = "a key",
                         .role = role,
                         .workspace_id = std::move(workspace_id),
                         .secret_hash = minted.secret_hash,
                         .created_at = clock_.now()};
        EXPECT_TRUE(store_->load({}));
        EXPECT_TRUE(store_->apply({.api_keys = {key}}));
        return to_string(minted.text);
    }

    // As retention does.
    void remove_instance(const InstanceKey& key) {
        EXPECT_TRUE(store_->load({}));
        EXPECT_TRUE(store_->apply({.instances_removed = {key}}));
    }

    // What the engine writes by itself: ends of executions elsewhere, for instance.
    void write(const Writes& writes) {
        EXPECT_TRUE(store_->load({}));
        EXPECT_TRUE(store_->apply(writes));
    }
    Reader& reader() { return *reader_; }

    struct Answer {
        int status = 0;
        std::string text{};
        json::Value body{};  // Null when the text is no JSON.

        // The text of a member, for brevity in tests.
        std::string operator[](std::string_view key) const {
            const json::Value* member = body.find(key);
            const std::string* value = member == nullptr ? nullptr : member->if_string();
            return value == nullptr ? "" : *value;
        }
    };

    // Sends a request and lets the engine work until there is nothing to do.
    std::shared_ptr<FakeExchange> send(std::string method, std::string_view target,
                                       std::string body = {},
                                       const http::HttpHeaders& headers = {}) {
        const auto parts = http::split_target(target);
        http::HttpRequest request{.method = std::move(method),
                                  .path = std::string(parts->path),
                                  .query = std::string(parts->query),
                                  .headers = headers,
                                  .body = std::move(body)};
        trail_ = service_.begin(request);
        const auto exchange = std::make_shared<FakeExchange>(request.request_id);
        service_.handle(std::move(request), trail_, http::Responder(exchange));
        work();
        return exchange;
    }

    Answer ask(std::string method, std::string_view target, std::string body = {},
               const http::HttpHeaders& headers = {}) {
        return answer_of(*send(std::move(method), target, std::move(body), headers));
    }
    Answer get(std::string_view target) { return ask("GET", target); }
    Answer post(std::string_view target, std::string body = {}) {
        return ask("POST", target, std::move(body));
    }

    static Answer answer_of(const FakeExchange& exchange) {
        if (!exchange.answer()) {
            ADD_FAILURE() << "no answer";
            return {};
        }
        Answer answer{.status = exchange.answer()->status, .text = exchange.answer()->body};
        if (auto value = json::parse(answer.text)) answer.body = std::move(*value);
        return answer;
    }

    void work() {
        bool is_busy = true;
        while (is_busy) {
            is_busy = committer_.run_once().progressed;
            is_busy = broker_.run_once().progressed || is_busy;
            is_busy = queries_.run_once(*reader_) || is_busy;
        }
    }

    // Lets time pass, and what falls due happen.
    void pass(Duration time) {
        clock_.advance(time);
        lease_reaper_.run_once();
        work();
    }

    // Lets in what waits in the queue, until there is nothing more to let in. What is to run
    // elsewhere stays CLAIMED.
    void dispatch() {
        constexpr int kRounds = 10;
        for (int i = 0; i < kRounds; ++i) {
            dispatcher_.run_once();
            work();
        }
    }

    // The same for executions whose time has come.
    void make_due_ready() {
        const auto due = reader_->due_executions(clock_.now(), 1'000);
        ASSERT_TRUE(due);
        for (const ExecutionKey& key : *due) {
            commands_.submit(MakeReady{key}, [](const Result<MadeReady>&) {});
        }
        work();
    }

    FakeClock& clock() { return clock_; }
    // From now on a line in the log is no surprise.
    void expect_log_lines() { is_quiet_ = false; }
    http::Router& router() { return router_; }
    std::vector<std::string> not_ready{};
    bool is_engine_enabled = true;
    Result<rest::FileToSend> backup = Error{ErrorCode::conflict, "no backup"};
    rest::EventStreams& event_streams() { return event_streams_; }
    QueryQueue& queries() { return queries_; }

private:
    FakeClock clock_{Instant{std::chrono::seconds{1'800'000'000}}};
    CountingRandom random_;
    InstanceIds instance_ids_{clock_, random_};
    observe::Metrics metrics_;
    bool is_quiet_ = true;
    observe::Log log_{{.sink = [this](std::string_view line) {
        if (is_quiet_) ADD_FAILURE() << line;
    }}};
    InstanceWatch watch_;
    SilentListener listener_{watch_};
    MemoryDatabase database_;
    CommandQueue commands_{[] {
    }};
    QueryQueue queries_{[] {
    }};
    std::unique_ptr<JobClaimer> claimer_ = database_.job_claimer();
    std::unique_ptr<BatchStore> store_ = database_.batch_store();
    std::unique_ptr<Reader> reader_ = database_.reader();
    JobBroker broker_{*claimer_, commands_, listener_, clock_, {}, [] {
                      }};
    LeaseReaper lease_reaper_{lease_source(*reader_, commands_, [] {}), clock_, std::nullopt, [] {
                              }};
    Committer committer_{*store_, commands_, broker_, listener_, clock_};
    SilentDispatcherListener dispatcher_listener_;
    Dispatcher dispatcher_{commands_,
                           dispatcher_listener_,
                           clock_,
                           {.owner = "a test", .plans = default_plans()},
                           {},
                           [] {
                           }};
    access::KeyCache key_cache_{queries_, clock_};
    rest::EventStreams event_streams_{queries_, watch_, key_cache_, clock_, {}, [] {
                                      }};
    rest::Context context_{
        .commands = commands_,
        .queries = queries_,
        .broker = broker_,
        .clock = clock_,
        .instance_ids = instance_ids_,
        .metrics = metrics_,
        .random = random_,
        .event_streams = event_streams_,
        .back_up = [this](std::function<void(Result<rest::FileToSend>)> done) { done(backup); },
        .not_ready = [this] { return not_ready; },
        .process_facts = [this] { return ProcessFacts{.is_engine_enabled = is_engine_enabled}; },
        .keys = &key_cache_};
    http::Router router_{metrics_};
    access::KeyGate gate_{key_cache_, clock_, metrics_, log_};
    http::Service service_;
    http::Trail trail_;
};

}  // namespace millrace
