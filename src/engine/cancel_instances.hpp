#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commit/command_queue.hpp"
#include "engine/query_queue.hpp"
#include "store/reader.hpp"

namespace millrace {

// Cancels the instances that a filter finds and that are not over, oldest first, page by page:
// each by a command of its own, so that one that has moved on does not stop the others.
struct CancelInstances {
    InstanceFilter filter{};
    std::string reason{};
    std::int64_t count_max = 0;
    bool is_dry_run = false;  // Only counts.
};

struct CancelledInstances {
    struct Refusal {
        InstanceId id{};
        Error error{};
    };

    std::int64_t matched = 0;
    std::int64_t cancelled = 0;
    std::vector<Refusal> refusals{};
    bool has_more = false;  // The filter finds more than count_max.
};

// Submits the cancellation of one instance; calls back once.
using CancelOne = std::function<void(const InstanceKey&, std::function<void(Status)>)>;

// Calls `done` once, on some thread, when all are answered. An error means that the instances could
// not be found; those that were cancelled by then stay so.
void cancel_instances(CancelInstances request, QueryQueue& queries, CancelOne cancel_one,
                      std::function<void(Result<CancelledInstances>)> done);

}  // namespace millrace
