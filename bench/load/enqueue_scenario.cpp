#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "load/clients.hpp"
#include "load/documents.hpp"

namespace millrace::bench {

namespace {

// Clients without a call stand idle until the next one is due.
class EnqueueLoad {
public:
    explicit EnqueueLoad(const LoadOptions& options)
        : options_(options),
          count_max_(options.count == 0 ? std::numeric_limits<std::size_t>::max() : options.count),
          body_(options.batch_size == 1 ? enqueue(options.job_type)
                                        : enqueue_batch(options.job_type, options.batch_size)),
          clients_(connect_clients(loop_, options)) {
        for (int number = 0; number < options.workspaces; ++number) {
            const std::string workspace = fmt::format("bench-{}", number);
            paths_.push_back(options.batch_size == 1 ? enqueue_path(workspace)
                                                     : enqueue_batch_path(workspace));
        }
        for (const auto& client : clients_) idle_.push_back(client.get());
    }

    std::string run() {
        using namespace std::chrono;
        const auto patience =
            options_.count == 0 ? duration<double>(options_.seconds) : minutes(10);
        began_ = Clock::now();
        const auto ends = began_ + duration_cast<Clock::duration>(patience);
        while (enqueued_ < count_max_ && Clock::now() < ends) {
            while (!idle_.empty() && is_due()) call();
            const auto until = idle_.empty() || asked_ >= count_max_ ? ends : next_at();
            loop_.run_until(std::min(ends, until), [this] {
                return enqueued_ >= count_max_ || (!idle_.empty() && is_due());
            });
        }
        const double seconds = duration<double>(Clock::now() - began_).count();
        return fmt::format(R"({{"perSecond":{:.1f},"count":{}}})",
                           static_cast<double>(enqueued_) / seconds, enqueued_);
    }

private:
    Clock::time_point next_at() const {
        if (options_.rate <= 0) return began_;
        const std::chrono::duration<double> after(static_cast<double>(calls_) / options_.rate);
        return began_ + std::chrono::duration_cast<Clock::duration>(after);
    }

    bool is_due() const { return asked_ < count_max_ && Clock::now() >= next_at(); }

    void call() {
        HttpConnection* client = idle_.back();
        idle_.pop_back();
        const auto count = static_cast<std::size_t>(options_.batch_size);
        const std::string& path = paths_[calls_++ % paths_.size()];
        asked_ += count;
        client->post(path, body_, [this, client, count](std::string_view answer) {
            if (count > 1) expect_successes(answer, count);
            enqueued_ += count;
            idle_.push_back(client);
        });
    }

    const LoadOptions& options_;
    const std::size_t count_max_;
    const std::string body_;
    std::vector<std::string> paths_;
    Clock::time_point began_{};
    std::size_t calls_ = 0;
    std::size_t asked_ = 0;
    std::size_t enqueued_ = 0;
    std::vector<HttpConnection*> idle_;
    EventLoop loop_{};
    const Clients clients_;
};

}  // namespace

std::string run_enqueues(const LoadOptions& options) {
    return EnqueueLoad(options).run();
}

}  // namespace millrace::bench
