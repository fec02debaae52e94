#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "millrace/client/client.hpp"
#include "millrace/client/job_calls.hpp"
#include "millrace/client/job_context.hpp"
#include "millrace/client/outcome.hpp"

namespace millrace::client {

// Runs on one of the worker's threads. What it returns is the outcome; what it throws fails the job
// (see NonRetryable and RetryAfter).
using Handler = std::function<Outcome(const Job&, JobContext&)>;

// Runs instead of a handler, and may run it by `next`: for traces, measurements, common errors.
using HandlerInterceptor = std::function<Outcome(const Job&, JobContext&, const Handler& next)>;

struct HandlerOptions {
    // How many jobs of this type are taken at once, within the slots of the worker; 0 is as many as
    // these.
    std::int32_t slots = 0;
};

// For logs: called from the worker's threads, several at once. What they throw is dropped.
struct WorkerObserver {
    // The outcome has been told to the server, or could not be: then `error` says why. The code
    // lease-lost: it was not told, for the context had ended.
    std::function<void(const Job&, const Outcome&, const Error* error)> job_done{};
    std::function<void(const Error&)> poll_failed{};
    // The server has answered with jobs, or that there are none.
    std::function<void()> poll_answered{};
};

struct WorkerOptions {
    // HOST-PID when empty.
    std::string worker_id{};
    // How many handlers run at once; no more jobs than that are taken.
    std::int32_t slots = 1;
    // Leases of running handlers are extended after each third of this.
    std::chrono::seconds lease_duration{30};
    // How long one poll waits at the server for work.
    std::chrono::seconds wait_duration{20};
    // How long running handlers may go on once the worker shall stop; nullopt is without end.
    std::optional<Duration> drain_duration = std::chrono::seconds(20);
    // How long they may take to end after that, when their contexts have ended.
    Duration cancel_duration = std::chrono::seconds(5);
};

// Takes jobs from a server and runs a handler for each, several at once, until it is stopped.
//
//     client::Worker worker({.server = "http://127.0.0.1:8080"}, {.slots = 8});
//     worker.handle("charge", [](const Job& job, JobContext& context) -> Outcome { ... });
//     worker.run(stop);
//
// When the server cannot be reached it tries again, ever more slowly, up to every 30 s; outcomes
// are told again while the lease lives.
class Worker {
public:
    explicit Worker(const ClientOptions& server, WorkerOptions options = {});
    Worker(std::unique_ptr<JobCalls> calls, WorkerOptions options);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Before run().
    Worker& handle(std::string job_type, Handler handler, HandlerOptions options = {});
    // Around each handler; the first is the outermost.
    Worker& intercept(HandlerInterceptor interceptor);
    Worker& observe(WorkerObserver observer);

    // Runs until the token asks it to stop: then takes no more jobs, lets handlers end, ends their
    // contexts after drain_duration, releases jobs whose handlers have not returned
    // cancel_duration later, and returns. The thread of such a handler lives on, and what it
    // refers to must, too. An error: the server refused the very first poll, so that trying again
    // would not help. Runs once.
    Status run(std::stop_token stop);

    // Whether the server has answered lately.
    bool is_healthy() const;

private:
    class Run;
    std::shared_ptr<Run> run_;
};

}  // namespace millrace::client
