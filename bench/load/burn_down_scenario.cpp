#include <fmt/format.h>

#include <stdexcept>

#include "load/clients.hpp"
#include "load/documents.hpp"

namespace millrace::bench {

namespace {

using namespace std::chrono_literals;

constexpr int kWaitSeconds = 1;  // Who finds nothing left waits for the end with a parked poll.
constexpr auto kPatience = 10min;

class BurnDown {
public:
    explicit BurnDown(const LoadOptions& options)
        : options_(options),
          poll_(poll(options.job_type, options.batch_size, kWaitSeconds)),
          clients_(connect_clients(loop_, options)) {}

    std::string run() {
        const auto began = Clock::now();
        for (const auto& client : clients_) poll_next(*client);
        const bool is_empty =
            loop_.run_until(began + kPatience, [this] { return completed_ >= options_.count; });
        if (!is_empty) throw std::runtime_error("the backlog did not end");
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        return fmt::format(R"({{"perSecond":{:.1f},"count":{}}})",
                           static_cast<double>(completed_) / seconds, completed_);
    }

private:
    void poll_next(HttpConnection& client) {
        client.post(kPollPath, poll_, [this, &client](std::string_view answer) {
            const std::vector<ClaimedJob> jobs = jobs_in(answer);
            if (jobs.empty()) return poll_next(client);
            complete_all(client, jobs);
        });
    }

    void complete_all(HttpConnection& client, const std::vector<ClaimedJob>& jobs) {
        client.post(kCompleteBatchPath, complete_batch(jobs),
                    [this, &client, count = jobs.size()](std::string_view answer) {
                        expect_successes(answer, count);
                        completed_ += count;
                        poll_next(client);
                    });
    }

    const LoadOptions& options_;
    const std::string poll_;
    std::size_t completed_ = 0;
    EventLoop loop_{};
    const Clients clients_;
};

}  // namespace

std::string run_burn_down(const LoadOptions& options) {
    return BurnDown(options).run();
}

}  // namespace millrace::bench
