#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/json/value.hpp"
#include "millrace/client/client.hpp"

namespace millrace::client {

// What a handler made of its job.
struct Completed {
    json::Value variables = json::Object{};
};
struct Failed {
    std::string message{};
    // Whether another try may help. The server tries again while the step has retries left.
    bool retryable = true;
};
using Outcome = std::variant<Completed, Failed>;

// Runs on one of the worker's threads. An exception counts as a failure that may be retried.
using Handler = std::function<Outcome(const Job&)>;

// For logs: called from the worker's threads, several at once.
struct WorkerObserver {
    // The outcome has been told to the server, or could not be: then `error` says why.
    std::function<void(const Job&, const Outcome&, const Error* error)> job_done{};
    std::function<void(const Error&)> poll_failed{};
    // The server has answered with jobs, or that there are none.
    std::function<void()> poll_answered{};
};

struct WorkerOptions {
    std::vector<std::string> job_types{};
    std::string worker_id{};
    // How many handlers run at once; no more jobs than that are taken.
    std::int32_t parallel = 1;
    // Leases of running handlers are extended after each third of this.
    std::chrono::seconds lease_duration{30};
    // How long one poll waits at the server for work.
    std::chrono::seconds wait_duration{20};
};

// Takes jobs from a server and runs a handler for each, several at once, until it is stopped.
// When the server cannot be reached it tries again, ever more slowly, up to every 30 s.
class Worker {
public:
    Worker(const ClientOptions& server, WorkerOptions options, Handler handler,
           WorkerObserver observer = {});
    // Stops it, as stop() does.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Takes no more jobs; returns when those at hand have ended and their outcomes are told. May be
    // called more than once.
    void stop();

private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

}  // namespace millrace::client
