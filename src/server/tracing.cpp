#include "server/tracing.hpp"

#include <algorithm>

#include "observe/otlp/http_transport.hpp"

namespace millrace {

namespace otlp = observe::otlp;

Result<std::unique_ptr<Tracing>> Tracing::make(const TracingConfig& config, const Clock& clock,
                                               Random& random, observe::Metrics& metrics,
                                               observe::Log& log) {
    if (config.endpoint.empty()) return std::unique_ptr<Tracing>(new Tracing);
    Result<otlp::Endpoint> endpoint = otlp::parse_endpoint(config.endpoint);
    if (!endpoint) return endpoint.error();
    Result<otlp::Headers> headers = otlp::parse_headers(config.headers);
    if (!headers) return headers.error();
    Result<std::unique_ptr<otlp::HttpTransport>> transport =
        otlp::HttpTransport::make({std::move(*endpoint), std::move(*headers), config.ca_file});
    if (!transport) return transport.error();
    return std::unique_ptr<Tracing>(
        new Tracing(config, std::move(*transport), clock, random, metrics, log));
}

Tracing::Tracing(const TracingConfig& config, Transport transport, const Clock& clock,
                 Random& random, observe::Metrics& metrics, observe::Log& log)
    : clock_(&clock),
      transport_(std::move(transport)),
      exporter_(std::make_unique<otlp::SpanExporter>(
          *transport_, otlp::Resource{{"service.name", config.service_name}}, clock, metrics, log,
          [this] { loop_->wake(); })),
      tracer_(*exporter_, random, config.sample_ratio),
      loop_(std::make_unique<runtime::Loop>("tracing", [this] { return export_once(); })) {}

void Tracing::start(runtime::LoopRunner& runner) {
    if (loop_) runner.start(*loop_);
}

void Tracing::stop(runtime::LoopRunner& runner, Duration patience) {
    if (!loop_) return;
    exporter_->close(clock_->now() + patience);
    runner.finish(*loop_);
}

runtime::Loop::Next Tracing::export_once() {
    const Round round = exporter_->run_once();
    if (round.progressed) return {.at_once = true};
    if (!round.next_at) return {};
    return {.after = std::max(*round.next_at - clock_->now(), Duration::zero())};
}

}  // namespace millrace
