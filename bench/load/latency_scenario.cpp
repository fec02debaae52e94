#include <stdexcept>

#include "load/documents.hpp"
#include "load/http_connection.hpp"
#include "load/samples.hpp"
#include "load/scenarios.hpp"

namespace millrace::bench {

namespace {

using namespace std::chrono_literals;

constexpr int kWaitSeconds = 30;
constexpr auto kTimeToPark = 3ms;  // Long after the server has read the poll; and it is idle then.

// From a call that makes a job to the job in the hands of a poll.
std::string run(const LoadOptions& options, std::string_view path, const std::string& body) {
    EventLoop loop;
    HttpConnection starter(loop, options.ports.front());
    HttpConnection worker(loop, options.ports.back());
    starter.post_and_wait(kDefinitionsPath, definition(options.job_type, 1));
    const std::string poll_body = poll(options.job_type, 1, kWaitSeconds);

    Samples samples;
    for (int round = 0; round < options.rounds; ++round) {
        Clock::time_point delivered_at{};
        bool is_started = false;
        std::vector<ClaimedJob> jobs;
        worker.post(kPollPath, poll_body, [&](std::string_view answer) {
            delivered_at = Clock::now();
            jobs = jobs_in(answer);
        });
        loop.run_until(Clock::now() + kTimeToPark);
        const auto began = Clock::now();
        starter.post(path, body, [&](std::string_view) { is_started = true; });
        const bool is_delivered = loop.run_until(
            began + 10s, [&] { return is_started && delivered_at != Clock::time_point{}; });
        if (!is_delivered || jobs.size() != 1) throw std::runtime_error("a job was not delivered");
        samples.add(delivered_at - began);
        worker.post_and_wait(complete_path(jobs.front()), complete(jobs.front()));
    }
    return samples.json();
}

}  // namespace

std::string run_latency(const LoadOptions& options) {
    return run(options, kStartPath, start(options.job_type));
}

std::string run_enqueue_latency(const LoadOptions& options) {
    return run(options, enqueue_path("default"), enqueue(options.job_type));
}

}  // namespace millrace::bench
