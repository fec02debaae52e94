#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace::observe::otlp {

struct Reply {
    int status = 0;  // Of HTTP.
    std::optional<Duration> retry_after{};
};

// The way to a collector. Blocks; called by one thread.
class Transport {
public:
    virtual ~Transport() = default;

    // unavailable: no answer came, or `gives_up` was true before it did; it is asked often.
    virtual Result<Reply> post(const std::string& body, const std::function<bool()>& gives_up) = 0;
};

}  // namespace millrace::observe::otlp
