#pragma once

#include <deque>
#include <functional>
#include <utility>

#include "base/mutex.hpp"
#include "store/reader.hpp"

namespace millrace {

// The questions that wait for a reader: they change nothing and commit nothing, so they stay out of
// the committers' way. Any request with `read(request, reader)` can be asked. Thread-safe.
class QueryQueue {
public:
    using Query = std::function<void(Reader&)>;

    // `wake` is called when there is something to run, on any thread.
    explicit QueryQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

    // `done` is called once, on a reader's thread: it hands over and returns. When too many wait it
    // is called at once, with unavailable.
    template <class Request, class Done>
    void submit(Request request, Done done) {
        const bool is_accepted =
            push([request, done](Reader& reader) { done(read(request, reader)); });
        if (!is_accepted) done(Error{ErrorCode::unavailable, "Too many queries wait."});
    }

    // Answers the oldest question. False when there is none.
    bool run_once(Reader& reader);

private:
    bool push(Query query);

    std::function<void()> wake_;
    Mutex mutex_;
    std::deque<Query> waiting_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
