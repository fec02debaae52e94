#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "store/reader.hpp"

namespace millrace {

// The questions that wait for a reader: they change nothing and commit nothing, so they stay out of
// the committers' way. Any request with `read(request, reader)` can be asked. Thread-safe.
class QueryQueue {
public:
    using Query = std::function<void(Reader*)>;  // Null: nobody is asked any more.

    // `wake` is called when there is something to run, on any thread. Without a clock no question
    // is ever given up.
    explicit QueryQueue(std::function<void()> wake, const Clock* clock = nullptr)
        : wake_(std::move(wake)), clock_(clock) {}

    // `done` is called once, on a reader's thread: it hands over and returns. When too many wait or
    // the queue is closed it is called at once, with unavailable.
    template <class Request, class Done>
    void submit(Request request, Done done) {
        const bool is_accepted = push([request, done](Reader* reader) {
            if (reader == nullptr) return done(refusal());
            done(read(request, *reader));
        });
        if (!is_accepted) done(refusal());
    }

    // Answers the oldest question. False when there is none.
    bool run_once(Reader& reader);

    // Refuses new questions; those that wait are still answered, from `give_up_at` on with
    // unavailable.
    void close(Instant give_up_at);

private:
    bool push(Query query);
    static Error refusal() {
        return {ErrorCode::unavailable,
                "The server is busy or shutting down: too many queries wait."};
    }

    std::function<void()> wake_;
    const Clock* const clock_;
    Mutex mutex_;
    std::deque<Query> waiting_ MILLRACE_GUARDED_BY(mutex_);
    std::optional<Instant> closed_until_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
