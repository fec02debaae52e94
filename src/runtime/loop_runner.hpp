#pragma once

#include "runtime/loop.hpp"

namespace millrace::runtime {

// Runs the loops of a passive object, each until it is ended here.
class LoopRunner {
public:
    virtual ~LoopRunner() = default;

    virtual void start(Loop& loop) = 0;
    // Ends the loop after the call under way, and waits for that. Nothing when it does not run.
    virtual void stop(Loop& loop) = 0;
    // The same as soon as it has nothing to do.
    virtual void finish(Loop& loop) = 0;
};

}  // namespace millrace::runtime
