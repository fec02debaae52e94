#include "engine/cancel_instances.hpp"

#include <algorithm>
#include <memory>

#include "base/mutex.hpp"
#include "core/limits.hpp"
#include "engine/list_instances.hpp"

namespace millrace {

namespace {

// Lives until its last callback is gone.
class Cancellation : public std::enable_shared_from_this<Cancellation> {
public:
    Cancellation(CancelInstances request, QueryQueue& queries, CancelOne cancel_one,
                 std::function<void(Result<CancelledInstances>)> done)
        : request_(std::move(request)),
          queries_(queries),
          cancel_one_(std::move(cancel_one)),
          done_(std::move(done)) {
        request_.filter.oldest_first = true;
    }

    void next_page() {
        const std::int64_t left = request_.count_max - matched();
        const Page page{
            .size = static_cast<std::int32_t>(std::min<std::int64_t>(left, limits::kPageSizeMax)),
            .after = after_,
        };
        queries_.submit(ListInstances{request_.filter, page},
                        [self = shared_from_this()](Result<Listing<Instance>> found) {
                            if (!found) return self->done_(found.error());
                            self->take(*found);
                        });
    }

private:
    std::int64_t matched() {
        const MutexLock lock(mutex_);
        return answer_.matched;
    }

    void take(const Listing<Instance>& found) {
        if (found.items.empty()) return finish();
        after_ = to_string(found.items.back().key.id.value);
        {
            const MutexLock lock(mutex_);
            answer_.matched += std::ssize(found.items);
            answer_.has_more = found.has_more;
            in_flight_ = found.items.size();
        }
        if (request_.is_dry_run) return page_is_over();
        for (const Instance& instance : found.items) {
            cancel_one_(instance.key, [self = shared_from_this(), id = instance.key.id](
                                          const Status& status) { self->note(id, status); });
        }
    }

    void note(InstanceId id, const Status& status) {
        {
            const MutexLock lock(mutex_);
            if (status) {
                answer_.cancelled += 1;
            } else {
                answer_.refusals.push_back({id, status.error()});
            }
            if (--in_flight_ > 0) return;
        }
        page_is_over();
    }

    void page_is_over() {
        bool goes_on = false;
        {
            const MutexLock lock(mutex_);
            goes_on = answer_.has_more && answer_.matched < request_.count_max;
        }
        goes_on ? next_page() : finish();
    }

    void finish() {
        CancelledInstances answer;
        {
            const MutexLock lock(mutex_);
            answer = std::move(answer_);
        }
        done_(std::move(answer));
    }

    CancelInstances request_;
    QueryQueue& queries_;
    CancelOne cancel_one_;
    std::function<void(Result<CancelledInstances>)> done_;
    std::string after_;  // Only one page at a time is under way.

    Mutex mutex_;
    CancelledInstances answer_ MILLRACE_GUARDED_BY(mutex_);
    std::size_t in_flight_ MILLRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace

void cancel_instances(CancelInstances request, QueryQueue& queries, CancelOne cancel_one,
                      std::function<void(Result<CancelledInstances>)> done) {
    std::make_shared<Cancellation>(std::move(request), queries, std::move(cancel_one),
                                   std::move(done))
        ->next_page();
}

}  // namespace millrace
