#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/json/parse.hpp"
#include "millrace/client/worker.hpp"
#include "scripted_server.hpp"

namespace millrace::client {

using namespace std::chrono_literals;

inline constexpr auto kPatience = 20s;

// Hands out its jobs, one per poll, and notes what becomes of them.
class JobServer {
public:
    explicit JobServer(int jobs) : jobs_left_(jobs) {}

    Answer answer(const Received& request) {
        std::unique_lock lock(mutex_);
        if (request.target == "/v1/jobs/poll") {
            if (!poll_) return poll();
            lock.unlock();
            return poll_(request);
        }
        ++calls_[request.target];
        bodies_[request.target] = request.body;
        changed_.notify_all();
        if (auto& scripted = scripted_[request.target]; !scripted.empty()) {
            Answer answer = scripted.front();
            scripted.pop_front();
            return answer;
        }
        if (unavailable_answers_ > 0) {
            --unavailable_answers_;
            return json_answer(503, R"({"error":"unavailable","message":"m"})");
        }
        if (refused_.contains(request.target)) {
            return json_answer(413, R"({"error":"too-large","message":"Too much."})");
        }
        return no_content();
    }

    void hand_out(int jobs) { jobs_left_ = jobs; }
    void hold_polls() { hand_out(0); }
    void answer_unavailable(int times) { unavailable_answers_ = times; }
    void fail_polls(int times) { failing_polls_ = times; }
    // The next answers to calls of this target, one after the other.
    void answer_once(const std::string& target, Answer answer) {
        const std::unique_lock lock(mutex_);
        scripted_[target].push_back(std::move(answer));
    }
    void set_job_type(const std::string& job_type) { job_type_ = job_type; }
    void set_poll(std::function<Answer(const Received&)> poll) { poll_ = std::move(poll); }
    void refuse(const std::string& target) { refused_.insert(target); }

    // Waits for the event, so that no test sleeps. False when it did not come.
    bool wait_for(const std::string& target, int times = 1) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kPatience, [&] { return calls_[target] >= times; });
    }
    bool wait_for_poll() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kPatience, [&] { return polls_ > 0; });
    }

    // Until that many handlers have begun: each says so by begun().
    bool wait_until_taken(int jobs) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kPatience, [&] { return begun_ >= jobs; });
    }
    void begun() {
        const std::unique_lock lock(mutex_);
        ++begun_;
        changed_.notify_all();
    }

    json::Value body(const std::string& target) {
        const std::unique_lock lock(mutex_);
        return *json::parse(bodies_[target]);
    }
    int calls(const std::string& target) {
        const std::unique_lock lock(mutex_);
        return calls_[target];
    }

private:
    Answer poll() {
        ++polls_;
        changed_.notify_all();
        if (failing_polls_ > 0) {
            --failing_polls_;
            return hang_up();
        }
        if (jobs_left_ == 0) return {};  // Held as a long poll without work.
        --jobs_left_;
        const std::string id = "j" + std::to_string(next_id_++);
        return json_answer(200, R"({"jobs":[{"id":")" + id + R"(","jobType":")" + job_type_ +
                                    R"(","workerId":"w","leaseToken":1,"variables":{"n":2}}]})");
    }

    std::string job_type_ = "t";
    std::function<Answer(const Received&)> poll_;
    std::map<std::string, std::deque<Answer>> scripted_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int jobs_left_;
    int begun_ = 0;
    int next_id_ = 1;
    int polls_ = 0;
    int failing_polls_ = 0;
    int unavailable_answers_ = 0;
    std::set<std::string> refused_;
    std::map<std::string, int> calls_;
    std::map<std::string, std::string> bodies_;
};

// A worker on a thread of its own.
class RunningWorker {
public:
    explicit RunningWorker(std::unique_ptr<Worker> worker) : worker_(std::move(worker)) {
        thread_ = std::thread([this] { status_ = worker_->run(source_.get_token()); });
    }
    ~RunningWorker() { (void)stop(); }
    RunningWorker(const RunningWorker&) = delete;
    RunningWorker& operator=(const RunningWorker&) = delete;

    Status stop() {
        source_.request_stop();
        return wait();
    }
    Status wait() {
        if (thread_.joinable()) thread_.join();
        return status_;
    }
    void ask_to_stop() { source_.request_stop(); }
    bool is_healthy() const { return worker_->is_healthy(); }

private:
    std::unique_ptr<Worker> worker_;
    std::stop_source source_;
    Status status_ = std::monostate{};
    std::thread thread_;
};

class WorkerTest : public testing::Test {
protected:
    std::unique_ptr<Worker> make(int slots = 1) {
        options_.slots = slots;
        auto worker = std::make_unique<Worker>(ClientOptions{.server = http_.url()}, options_);
        worker->observe(observer_);
        return worker;
    }
    std::unique_ptr<RunningWorker> start(const Handler& handler, int slots = 1) {
        auto worker = make(slots);
        worker->handle("t", handler);
        worker->intercept([this](const Job& job, JobContext& context, const Handler& next) {
            server_.begun();
            return next(job, context);
        });
        return std::make_unique<RunningWorker>(std::move(worker));
    }

    JobServer server_{1};
    WorkerOptions options_{.worker_id = "w"};
    WorkerObserver observer_{};
    ScriptedServer http_{[this](const Received& request) {
        return server_.answer(request);
    }};
};

}  // namespace millrace::client
