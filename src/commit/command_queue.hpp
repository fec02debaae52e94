#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/mutex.hpp"
#include "base/trace_context.hpp"
#include "commit/command.hpp"

namespace millrace {

// Where a command comes from, for those who follow a trace.
struct CommandTrace {
    TraceContext request{};
    Instant submitted_at{};  // Only known when the request is recorded.
};

struct Ticket {
    std::unique_ptr<Command> command{};
    CommandTrace trace{};
    Status verdict = ok();  // What was decided in the latest try of its batch,
    std::optional<InstanceKey> instance_moved{};  // and on what; only when its trace is recorded.
};

struct IdHash {
    // The random bits of an id are in its middle: any mix of both halves spreads well.
    std::size_t operator()(const Id128& id) const {
        return static_cast<std::size_t>(id.high ^ (id.low >> 32) * 0x9E3779B97F4A7C15u);
    }
};

// The commands that wait for a commit: one queue per store, drained by its committers. Two
// committers never hold the same instance, so they never wait for each other's row locks, and
// commands that share an instance commit in the order in which they came.
class CommandQueue {
public:
    // `wake` is called when there may be something to take, on any thread.
    explicit CommandQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

    // `done` is called once, on a committer's thread: it hands over and returns. When the queue is
    // full or closed it is called at once, with unavailable.
    template <class Request>
    void submit(Request request, typename PendingCommand<Request>::Done done,
                const CommandTrace& trace = {}) {
        std::vector<std::unique_ptr<Command>> one;
        one.push_back(make_command(std::move(request), std::move(done)));
        push(std::move(one), trace);
    }

    template <class Request>
    static std::unique_ptr<Command> make_command(Request request,
                                                 typename PendingCommand<Request>::Done done) {
        return std::make_unique<PendingCommand<Request>>(std::move(request), std::move(done));
    }

    // Several at once, so that they can share a commit.
    void push(std::vector<std::unique_ptr<Command>> commands, const CommandTrace& trace = {});

    struct Taken {
        std::vector<Ticket> tickets{};
        std::vector<Id128> holds{};
    };

    // Everything that waits and whose instances are free, oldest first, up to kBatchCommandsMax.
    // The caller holds the instances until it releases them.
    Taken take();
    void release(const std::vector<Id128>& holds);

    // Refuses new commands; those that wait are still taken.
    void close();

    std::size_t waiting() const;

private:
    bool try_append(std::vector<std::unique_ptr<Command>>& commands, const CommandTrace& trace);

    std::function<void()> wake_;
    mutable Mutex mutex_;
    std::deque<Ticket> waiting_ MILLRACE_GUARDED_BY(mutex_);
    std::unordered_set<Id128, IdHash> held_ MILLRACE_GUARDED_BY(mutex_);
    bool is_closed_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace
