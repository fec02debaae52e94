#include <stdexcept>

#include "load/documents.hpp"
#include "load/http_connection.hpp"
#include "load/samples.hpp"
#include "load/scenarios.hpp"

namespace millrace::bench {

namespace {

constexpr int kStepCount = 10;
constexpr int kWaitSeconds = 10;

}  // namespace

std::string run_sequence(const LoadOptions& options) {
    EventLoop loop;
    HttpConnection client(loop, options.ports.front());
    client.post_and_wait(kDefinitionsPath, definition(options.job_type, kStepCount));
    const std::string start_body = start(options.job_type);
    const std::string poll_body = poll(options.job_type, 1, kWaitSeconds);

    Samples samples;
    for (int round = 0; round < options.rounds; ++round) {
        const auto began = Clock::now();
        client.post_and_wait(kStartPath, start_body);
        for (int step = 0; step < kStepCount; ++step) {
            const std::vector<ClaimedJob> jobs =
                jobs_in(client.post_and_wait(kPollPath, poll_body));
            if (jobs.size() != 1) throw std::runtime_error("a job was not delivered");
            client.post_and_wait(complete_path(jobs.front()), complete(jobs.front()));
        }
        samples.add((Clock::now() - began) / kStepCount);
    }
    return samples.json();
}

}  // namespace millrace::bench
