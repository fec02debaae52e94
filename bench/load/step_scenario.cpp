#include <fmt/format.h>

#include <algorithm>

#include "load/clients.hpp"
#include "load/documents.hpp"

namespace millrace::bench {

namespace {

constexpr int kWaitSeconds = 10;

// Every client goes round start, poll, complete. A poll takes what it gets, whoever started it:
// while polls come short, a backlog grows, and then they are full.
class StepLoad {
public:
    explicit StepLoad(const LoadOptions& options)
        : options_(options),
          is_single_(options.batch_size == 1),
          start_(is_single_ ? start(options.job_type)
                            : start_batch(options.job_type, options.batch_size)),
          poll_(poll(options.job_type, options.batch_size, kWaitSeconds)),
          clients_(connect_clients(loop_, options)) {
        clients_.front()->post_and_wait(kDefinitionsPath, definition(options.job_type, 1));
    }

    std::string run() {
        using namespace std::chrono;
        for (const auto& client : clients_) start_next(*client);
        // The first part of a second is for the backlog, the caches and the checkpoints to settle.
        loop_.run_until(Clock::now() + milliseconds(500));
        const std::size_t warm_up = completed_;
        const double interval = options_.interval > 0 ? options_.interval : options_.seconds;
        const auto began = Clock::now();
        const auto ends =
            began + duration_cast<Clock::duration>(duration<double>(options_.seconds));
        std::vector<double> series;
        while (Clock::now() < ends) series.push_back(rate_until(ends, interval));
        const double seconds = duration<double>(Clock::now() - began).count();
        return fmt::format(R"({{"perSecond":{:.1f},"count":{},"total":{},"series":[{:.0f}]}})",
                           static_cast<double>(completed_ - warm_up) / seconds,
                           completed_ - warm_up, completed_, fmt::join(series, ","));
    }

private:
    // Of the next interval, or of what is left.
    double rate_until(Clock::time_point ends, double interval) {
        using namespace std::chrono;
        const std::size_t completed_before = completed_;
        const auto began = Clock::now();
        loop_.run_until(
            std::min(ends, began + duration_cast<Clock::duration>(duration<double>(interval))));
        const double seconds = duration<double>(Clock::now() - began).count();
        return static_cast<double>(completed_ - completed_before) / seconds;
    }

    void start_next(HttpConnection& client) {
        client.post(is_single_ ? kStartPath : kStartBatchPath, start_,
                    [this, &client](std::string_view answer) {
                        const auto count = static_cast<std::size_t>(options_.batch_size);
                        if (!is_single_) expect_successes(answer, count);
                        poll_next(client);
                    });
    }

    void poll_next(HttpConnection& client) {
        client.post(kPollPath, poll_, [this, &client](std::string_view answer) {
            const std::vector<ClaimedJob> jobs = jobs_in(answer);
            if (jobs.empty()) return start_next(client);
            complete_all(client, jobs);
        });
    }

    void complete_all(HttpConnection& client, const std::vector<ClaimedJob>& jobs) {
        const auto on_answer = [this, &client, count = jobs.size()](std::string_view answer) {
            if (!is_single_) expect_successes(answer, count);
            completed_ += count;
            start_next(client);
        };
        if (is_single_) {
            client.post(complete_path(jobs.front()), complete(jobs.front()), on_answer);
        } else {
            client.post(kCompleteBatchPath, complete_batch(jobs), on_answer);
        }
    }

    const LoadOptions& options_;
    const bool is_single_;
    const std::string start_;
    const std::string poll_;
    std::size_t completed_ = 0;
    EventLoop loop_{};
    const Clients clients_;
};

}  // namespace

std::string run_steps(const LoadOptions& options) {
    return StepLoad(options).run();
}

}  // namespace millrace::bench
