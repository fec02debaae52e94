#include "queue/handle_executions.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/check.hpp"
#include "base/mutex.hpp"
#include "queue/list_executions.hpp"

namespace millrace {

namespace {

// Lives until its last callback is gone. Only one page is under way at a time: what is not guarded
// belongs to whoever goes on with the next one.
class Handling : public std::enable_shared_from_this<Handling> {
public:
    Handling(HandleExecutions request, QueryQueue& queries, HandleOne handle_one,
             std::function<void(Result<HandledExecutions>)> done)
        : request_(std::move(request)),
          queries_(queries),
          handle_one_(std::move(handle_one)),
          done_(std::move(done)) {
        MILLRACE_CHECK(request_.at_once_max > 0);
        request_.filter.oldest_first = true;
    }

    void next_page() {
        const std::int64_t left = request_.count_max - handled_;
        const std::int64_t size = std::min<std::int64_t>(left, request_.at_once_max);
        if (size <= 0) return finish();
        request_.ids.empty() ? find_page(static_cast<std::int32_t>(size)) : take_named(size);
    }

private:
    void find_page(std::int32_t size) {
        const Page page{.size = size, .after = after_};
        queries_.submit(ListExecutions{request_.filter, page},
                        [self = shared_from_this()](const Result<Listing<Execution>>& found) {
                            if (!found) return self->done_(found.error());
                            std::vector<ExecutionKey> keys;
                            for (const Execution& each : found->items) keys.push_back(each.key);
                            self->has_more_ = found->has_more;
                            self->take(std::move(keys));
                        });
    }

    void take_named(std::int64_t size) {
        const auto begin = request_.ids.begin() + handled_;
        const auto end = begin + std::min(size, std::ssize(request_.ids) - handled_);
        std::vector<ExecutionKey> keys;
        for (auto id = begin; id != end; ++id) {
            keys.push_back({*id, request_.filter.workspace_id});
        }
        has_more_ = end != request_.ids.end();
        take(std::move(keys));
    }

    void take(std::vector<ExecutionKey> keys) {
        if (keys.empty()) return finish();
        after_ = to_string(keys.back().id.value);
        const std::int64_t first = handled_;
        handled_ += std::ssize(keys);
        page_ = keys;
        {
            const MutexLock lock(mutex_);
            outcomes_.assign(keys.size(), std::nullopt);
            in_flight_ = keys.size();
        }
        for (std::size_t i = 0; i < keys.size(); ++i) {
            handle_one_(keys[i], first + static_cast<std::int64_t>(i),
                        [self = shared_from_this(), i](const Result<ExecutionId>& outcome) {
                            self->note(i, outcome);
                        });
        }
    }

    void note(std::size_t index, const Result<ExecutionId>& outcome) {
        {
            const MutexLock lock(mutex_);
            outcomes_[index] = outcome;
            if (--in_flight_ > 0) return;
        }
        page_is_over();
    }

    void page_is_over() {
        {
            const MutexLock lock(mutex_);
            for (std::size_t i = 0; i < page_.size(); ++i) add(page_[i].id, *outcomes_[i]);
        }
        has_more_ ? next_page() : finish();
    }

    void add(ExecutionId id, const Result<ExecutionId>& outcome) {
        if (outcome) {
            answer_.done.push_back({id, *outcome});
        } else {
            answer_.refusals.push_back({id, outcome.error()});
        }
    }

    void finish() {
        if (!request_.ids.empty()) {
            answer_.remaining = std::ssize(request_.ids) - handled_;
            return done_(std::move(answer_));
        }
        queries_.submit(ListExecutions{request_.filter, {.size = 1}},
                        [self = shared_from_this()](const Result<Listing<Execution>>& found) {
                            if (!found) return self->done_(found.error());
                            self->answer_.remaining = found->total;
                            self->done_(std::move(self->answer_));
                        });
    }

    HandleExecutions request_;
    QueryQueue& queries_;
    HandleOne handle_one_;
    std::function<void(Result<HandledExecutions>)> done_;
    HandledExecutions answer_;
    std::vector<ExecutionKey> page_;
    std::string after_;
    std::int64_t handled_ = 0;
    bool has_more_ = false;

    Mutex mutex_;
    std::vector<std::optional<Result<ExecutionId>>> outcomes_ MILLRACE_GUARDED_BY(mutex_);
    std::size_t in_flight_ MILLRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace

void handle_executions(HandleExecutions request, QueryQueue& queries, HandleOne handle_one,
                       std::function<void(Result<HandledExecutions>)> done) {
    std::make_shared<Handling>(std::move(request), queries, std::move(handle_one), std::move(done))
        ->next_page();
}

}  // namespace millrace
