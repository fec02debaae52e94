#include <fmt/format.h>

#include "load/clients.hpp"
#include "load/documents.hpp"

namespace millrace::bench {

namespace {

class StartLoad {
public:
    explicit StartLoad(const LoadOptions& options)
        : options_(options),
          path_(options.batch_size == 1 ? kStartPath : kStartBatchPath),
          body_(options.batch_size == 1 ? start(options.job_type)
                                        : start_batch(options.job_type, options.batch_size)),
          clients_(connect_clients(loop_, options)) {
        clients_.front()->post_and_wait(kDefinitionsPath, definition(options.job_type, 1));
    }

    std::string run() {
        using namespace std::chrono;
        const auto began = Clock::now();
        const auto patience =
            options_.count == 0 ? duration<double>(options_.seconds) : minutes(10);
        for (const auto& client : clients_) next(*client);
        loop_.run_until(began + duration_cast<Clock::duration>(patience),
                        [this] { return options_.count != 0 && started_ >= options_.count; });
        const double seconds = duration<double>(Clock::now() - began).count();
        return fmt::format(R"({{"perSecond":{:.1f},"count":{}}})",
                           static_cast<double>(started_) / seconds, started_);
    }

private:
    void next(HttpConnection& client) {
        if (options_.count != 0 && asked_ >= options_.count) return;
        const auto count = static_cast<std::size_t>(options_.batch_size);
        asked_ += count;
        client.post(path_, body_, [this, &client, count](std::string_view answer) {
            if (count > 1) expect_successes(answer, count);
            started_ += count;
            next(client);
        });
    }

    const LoadOptions& options_;
    const std::string_view path_;
    const std::string body_;
    std::size_t asked_ = 0;
    std::size_t started_ = 0;
    EventLoop loop_{};
    const Clients clients_;
};

}  // namespace

std::string run_starts(const LoadOptions& options) {
    return StartLoad(options).run();
}

}  // namespace millrace::bench
