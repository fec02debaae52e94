#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "base/time.hpp"
#include "observe/series.hpp"

namespace millrace::http {

// How many connections a server has, over all its loops. Thread-safe.
class SessionCount {
public:
    explicit SessionCount(observe::Gauge& gauge) : gauge_(gauge) {}

    void add();
    void remove();
    std::size_t value() const { return count_.load(); }

    // False when there still are some after that time.
    bool wait_for_none(Duration patience);

private:
    observe::Gauge& gauge_;
    std::atomic<std::size_t> count_{0};
    std::mutex mutex_{};
    std::condition_variable is_none_{};
};

}  // namespace millrace::http
