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
          [this] { thread_->wake(); })),
      tracer_(*exporter_, random, config.sample_ratio),
      thread_(std::make_unique<runtime::LoopThread>("tracing", [this] { return export_once(); })) {}

void Tracing::start() {
    if (thread_) thread_->start();
}

void Tracing::stop(Duration patience) {
    if (!thread_) return;
    exporter_->close(clock_->now() + patience);
    thread_->finish();
}

runtime::LoopThread::Next Tracing::export_once() {
    const otlp::SpanExporter::Round round = exporter_->run_once();
    if (round.progressed) return {.at_once = true};
    if (!round.next_at) return {};
    return {.after = std::max(*round.next_at - clock_->now(), Duration::zero())};
}

}  // namespace millrace
