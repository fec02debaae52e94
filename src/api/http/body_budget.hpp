#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.hpp"
#include "core/limits.hpp"

namespace millrace::http {

// The memory that large bodies may take at once, over all connections: from when one is let in
// until its request is answered. A client may have as much as it leaves free for the others, so
// that one alone gets half of it, and whoever comes next still finds room. Thread-safe; its shares
// keep it alive.
class BodyBudget {
public:
    explicit BodyBudget(std::size_t bytes_max = limits::kBodiesBytesMax) : bytes_max_(bytes_max) {}

    // What one request has of it, until it dies. Belongs to one thread at a time.
    class Share {
    public:
        Share() = default;  // Nothing, of no budget.
        // Nothing yet, to be grown.
        Share(std::shared_ptr<BodyBudget> budget, std::string client)
            : budget_(std::move(budget)), client_(std::move(client)) {}
        Share(Share&& other) noexcept { swap(other); }
        Share& operator=(Share&& other) noexcept {
            Share taken(std::move(other));
            swap(taken);
            return *this;
        }
        ~Share();

        std::size_t bytes() const { return bytes_; }
        // Makes it so large, at least. False when there is no room: it stays as it is.
        bool grow_to(std::size_t bytes);

    private:
        void swap(Share& other) noexcept;

        std::shared_ptr<BodyBudget> budget_{};
        std::string client_{};
        std::size_t bytes_ = 0;
    };

    std::size_t bytes_taken() const;

private:
    bool take(const std::string& client, std::size_t bytes);
    void give_back(const std::string& client, std::size_t bytes);

    const std::size_t bytes_max_;
    mutable Mutex mutex_;
    std::size_t taken_ MILLRACE_GUARDED_BY(mutex_) = 0;
    std::map<std::string, std::size_t> by_client_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::http
