#pragma once

#include <grpcpp/generic/async_generic_service.h>

#include <set>

#include "api/grpc/reflection.hpp"
#include "base/clock.hpp"
#include "base/mutex.hpp"

namespace millrace::rpc {

class ReflectionCall;

// All conversations with the reflection service. What it says is no secret: it is in the files that
// we give away. So nobody is asked for a key, and what it takes is bounded instead. Thread-safe.
class ReflectionCalls {
public:
    ReflectionCalls(const std::vector<std::string>& services, const Clock& clock)
        : reflection_(services), clock_(clock) {}

    // gRPC keeps it from now on.
    grpc::ServerGenericBidiReactor* start(grpc::GenericCallbackServerContext& context);
    // Now and then: ends those whose client neither asks nor reads.
    void end_idle();

    const Reflection& reflection() const { return reflection_; }
    Instant now() const { return clock_.now(); }
    void remove(ReflectionCall& call);

private:
    const Reflection reflection_;
    const Clock& clock_;
    Mutex mutex_;
    std::set<ReflectionCall*> open_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::rpc
