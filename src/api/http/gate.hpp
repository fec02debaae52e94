#pragma once

#include <functional>

#include "api/http/exchange.hpp"
#include "core/access/policy.hpp"

namespace millrace::http {

// Stands before the routes that are not open, and finds out who asks. Thread-safe.
class Gate {
public:
    virtual ~Gate() = default;

    using Pass = std::function<void(HttpRequest request)>;

    // Either answers the request or hands it to `pass`, with its principal; once, now or later, on
    // any thread. Does not block.
    virtual void admit(HttpRequest request, Access access, const Responder& respond, Pass pass) = 0;
};

}  // namespace millrace::http
