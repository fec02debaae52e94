#include <algorithm>
#include <memory>
#include <stdexcept>

#include "load/documents.hpp"
#include "load/http_connection.hpp"
#include "load/samples.hpp"
#include "load/scenarios.hpp"

namespace millrace::bench {

namespace {

struct Server {
    std::unique_ptr<HttpConnection> client{};
    Samples samples{};
};

void fill(HttpConnection& client, const LoadOptions& options) {
    constexpr int kStartsMax = 500;
    client.post_and_wait(kDefinitionsPath, definition(options.job_type, 1));
    for (int left = options.rounds * options.batch_size; left > 0; left -= kStartsMax) {
        const int count = std::min(left, kStartsMax);
        expect_successes(
            client.post_and_wait(kStartBatchPath, start_batch(options.job_type, count)),
            static_cast<std::size_t>(count));
    }
}

}  // namespace

// In turn, so that what disturbs the machine disturbs all of them alike.
std::string run_claims(const LoadOptions& options) {
    EventLoop loop;
    std::vector<Server> servers;
    for (const std::uint16_t port : options.ports) {
        servers.push_back({.client = std::make_unique<HttpConnection>(loop, port)});
        fill(*servers.back().client, options);
    }
    const std::string poll_body = poll(options.job_type, options.batch_size, 0);
    for (int round = 0; round < options.rounds; ++round) {
        for (Server& server : servers) {
            const auto began = Clock::now();
            const std::string answer = server.client->post_and_wait(kPollPath, poll_body);
            server.samples.add(Clock::now() - began);
            if (jobs_in(answer).size() != static_cast<std::size_t>(options.batch_size)) {
                throw std::runtime_error("a claim came short");
            }
        }
    }
    std::string out;
    for (const Server& server : servers) {
        out.append(out.empty() ? "[" : ",").append(server.samples.json());
    }
    return out + "]";
}

}  // namespace millrace::bench
