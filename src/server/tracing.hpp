#pragma once

#include <memory>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "config/server_config.hpp"
#include "observe/otlp/span_exporter.hpp"
#include "observe/tracer.hpp"
#include "runtime/loop_runner.hpp"

namespace millrace {

// The tracer of a server, and when it is on, what brings its spans to a collector and the loop
// for that.
class Tracing {
public:
    // invalid_argument: a setting does not fit; the sentence names it.
    static Result<std::unique_ptr<Tracing>> make(const TracingConfig& config, const Clock& clock,
                                                 Random& random, observe::Metrics& metrics,
                                                 observe::Log& log);

    const observe::Tracer& tracer() const { return tracer_; }

    void start(runtime::LoopRunner& runner);
    // Sends what is left, for as long as that. No span is taken any more.
    void stop(runtime::LoopRunner& runner, Duration patience);

private:
    using Transport = std::unique_ptr<observe::otlp::Transport>;

    Tracing() = default;
    Tracing(const TracingConfig& config, Transport transport, const Clock& clock, Random& random,
            observe::Metrics& metrics, observe::Log& log);

    runtime::Loop::Next export_once();

    const Clock* clock_ = nullptr;
    Transport transport_{};
    std::unique_ptr<observe::otlp::SpanExporter> exporter_{};
    observe::Tracer tracer_{};
    std::unique_ptr<runtime::Loop> loop_{};  // Null: tracing is off.
};

}  // namespace millrace
