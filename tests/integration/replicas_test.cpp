#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>

#include "engine/cancel_instance.hpp"
#include "engine/start_instance.hpp"
#include "engine/upload_definition.hpp"
#include "node/node.hpp"
#include "runtime/csprng_random.hpp"
#include "runtime/loop_thread.hpp"
#include "runtime/store_clock.hpp"
#include "runtime/system_clock.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/instance_driver.hpp"
#include "support/postgres_server.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kOneTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end",
     "boundaryEvents": [{"type": "TIMER", "duration": "PT1H", "interrupting": true,
                         "targetStepId": "end"}]},
    {"id": "end", "name": "End", "type": "END"}]})";
constexpr auto kPatience = 60s;

// The machine's clock, wrong by hours.
class WrongClock final : public Clock {
public:
    explicit WrongClock(Duration skew) : skew_(skew) {}
    Instant now() const override { return system_.now() + skew_; }

private:
    const runtime::SystemClock system_;
    const Duration skew_;
};

// A server without its network side, with threads and connections of its own.
class Replicated {
public:
    static constexpr Duration kLeaseDuration = 10min;

    Replicated(const PostgresSchema& schema, std::uint64_t n, Duration skew = {},
               bool can_listen = true, Backlog::Pace pace = {})
        : local_(skew),
          database_({.target = schema.target(),
                     .on_server_time =
                         [this](Instant server_now) {
                             const Instant local_now = local_.now();
                             clock_.observe(server_now, local_now, local_now);
                         },
                     .replica_id = {7, n},
                     .can_listen = can_listen}) {
        EXPECT_TRUE(database_.migrate());
        node_.emplace(
            NodeContext{database_, clock_, random_, metrics_, tracer_, log_},
            Node::Options{.self = {.id = {7, n}, .name = std::to_string(n)}, .pace = pace});
        node_->start(threads_);
    }
    ~Replicated() { stop(); }

    PostgresDatabase& database() { return database_; }
    void stop() { node_->stop(threads_); }

    // What a series of the metrics says now.
    std::int64_t value_of(const std::string& series) {
        node_->measure();
        const std::string text = "\n" + metrics_.text();
        const std::size_t place = text.find("\n" + series + " ");
        if (place == std::string::npos) return 0;
        return std::stoll(text.substr(place + series.size() + 2));
    }

    void wait_for(const std::string& series, const std::function<bool(std::int64_t)>& is_right) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        while (!is_right(value_of(series))) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << series;
            std::promise<void>().get_future().wait_for(5ms);
        }
    }

    void wait_for(const std::string& series, std::int64_t value) {
        wait_for(series, [value](std::int64_t now) { return now == value; });
    }

    void wait_for_some(const std::string& series) {
        wait_for(series, [](std::int64_t now) { return now > 0; });
    }

    template <class Request>
    auto run(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        auto answer = std::make_shared<std::promise<Result<Answer>>>();
        node_->commands().submit(std::move(request),
                                 [answer](Result<Answer> result) { answer->set_value(result); });
        return answer->get_future().get();
    }

    Instance start_instance() {
        const Instant now = clock_.now();
        const Result<Instance> started =
            run(StartInstance{.key = {{Id128::for_instance(now, random_.next())}, kWorkspace},
                              .definition_id = "one"});
        EXPECT_TRUE(started);
        return started ? *started : Instance{};
    }

    using Jobs = std::future<std::vector<DeliveredJob>>;

    Jobs poll() {
        auto jobs = std::make_shared<std::promise<std::vector<DeliveredJob>>>();
        node_->broker().poll({.workspace_id = kWorkspace,
                              .worker_id = {"w"},
                              .job_types = {{"t"}},
                              .jobs_max = 1,
                              .lease_duration = kLeaseDuration,
                              .wait_duration = 2 * kPatience},
                             [jobs](Result<std::vector<DeliveredJob>> result) {
                                 jobs->set_value(result ? *result : std::vector<DeliveredJob>{});
                             });
        return jobs->get_future();
    }

private:
    const WrongClock local_;
    runtime::StoreClock clock_{local_};
    runtime::CsprngRandom random_;
    observe::Metrics metrics_;
    const observe::Tracer tracer_;
    observe::Log log_{{.sink = [](std::string_view) {
    }}};
    PostgresDatabase database_;
    std::optional<Node> node_;
    runtime::LoopThreads threads_;
};

constexpr Backlog::Pace kNeverLooks{1h, 1h, 1h};
constexpr const char* kClaims =
    R"(engine_db_lock_wait_duration_seconds_count{operation="job.poll_skip_locked"})";

class ReplicasTest : public testing::Test {
protected:
    void upload(Replicated& replica) {
        ASSERT_TRUE(replica.run(*make_upload(kWorkspace, json_of(kOneTask))));
    }

    PostgresSchema schema_;
};

// Goal: work reaches a worker that waits at another replica by a hint. Method: replicas that would
// look by themselves in an hour.
TEST_F(ReplicasTest, AJobReachesAPollThatIsParkedElsewhere) {
    Replicated here(schema_, 1, {}, true, kNeverLooks);
    Replicated there(schema_, 2, {}, true, kNeverLooks);
    upload(here);
    for (Replicated* each : {&here, &there}) each->wait_for("millrace_replicas_alive", 2);
    // A new listener begins with a look of its own.
    there.wait_for_some("millrace_hints_received_total");
    Replicated::Jobs jobs = there.poll();
    there.wait_for_some(kClaims);
    here.start_instance();
    ASSERT_EQ(jobs.wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(jobs.get().size(), 1u);
    EXPECT_EQ(here.value_of("millrace_job_rechecks_total"), 0);
    EXPECT_EQ(there.value_of("millrace_job_rechecks_total"), 0);
}

TEST_F(ReplicasTest, WithoutHintsItIsFoundByLooking) {
    Replicated here(schema_, 1);
    Replicated there(schema_, 2, {}, false);
    upload(here);
    Replicated::Jobs jobs = there.poll();
    there.wait_for_some(kClaims);
    here.start_instance();
    ASSERT_EQ(jobs.wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(jobs.get().size(), 1u);
    EXPECT_EQ(there.value_of("millrace_hints_received_total"), 0);
}

TEST_F(ReplicasTest, AReplicaThatStopsHandsItsDutiesOver) {
    auto first = std::make_unique<Replicated>(schema_, 1);
    first->wait_for("millrace_duty_lease_held", 1);
    Replicated second(schema_, 2);
    first->wait_for("millrace_replicas_alive", 2);
    EXPECT_EQ(second.value_of("millrace_duty_lease_held"), 0);
    first->stop();
    second.wait_for("millrace_duty_lease_held", 1);
    second.wait_for("millrace_replicas_alive", 1);
    EXPECT_EQ(second.database().cluster()->hold(ClusterMember::kDuty, {7, 2}, 10s)->value().fence,
              2);
}

// Goal: replicas whose clocks are wrong by hours agree on leases and timers. Method: what each
// decides is compared with the right time, which the database has, too.
TEST_F(ReplicasTest, SkewedClocksAgree) {
    Replicated ahead(schema_, 1, 5h);
    Replicated behind(schema_, 2, -5h);
    upload(ahead);
    const runtime::SystemClock right;
    for (Replicated* each : {&ahead, &behind}) {
        const Instant began = right.now();
        const Instance started = each->start_instance();
        Replicated::Jobs jobs = each->poll();
        ASSERT_EQ(jobs.wait_for(kPatience), std::future_status::ready);
        const std::vector<DeliveredJob> claimed = jobs.get();
        ASSERT_EQ(claimed.size(), 1u);
        const Instant ended = right.now();
        const auto expect_now = [&](Instant at) {
            EXPECT_GE(at, began - 1s);
            EXPECT_LE(at, ended);
        };
        expect_now(started.started_at);
        expect_now(claimed[0].job.lease->lock_expires_at - Replicated::kLeaseDuration);
        expect_now(each->database().reader()->next_timer(Instant{})->value() - 1h);
        // So that the next timer is that of the next instance.
        ASSERT_TRUE(each->run(CancelInstance{.instance = started.key}));
    }
}

}  // namespace
}  // namespace millrace
