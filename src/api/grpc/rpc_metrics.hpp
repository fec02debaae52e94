#pragma once

#include <array>
#include <atomic>
#include <string>

#include "api/grpc/code.hpp"
#include "observe/metrics.hpp"

namespace millrace::rpc {

// The duration of the calls of one rpc by code, with the series kept at hand. Thread-safe.
class RpcMetrics {
public:
    RpcMetrics(observe::Metrics& metrics, std::string name)
        : metrics_(metrics), name_(std::move(name)) {}

    void record(Code code, Duration duration) {
        auto& kept = by_code_[static_cast<std::size_t>(code)];
        observe::Histogram* histogram = kept.load(std::memory_order_acquire);
        if (histogram == nullptr) {
            histogram = &metrics_.grpc_requests(name_, to_string(code));
            kept.store(histogram, std::memory_order_release);
        }
        histogram->record(duration);
    }

private:
    observe::Metrics& metrics_;
    const std::string name_;
    std::array<std::atomic<observe::Histogram*>, kCodes> by_code_{};
};

}  // namespace millrace::rpc
