// Measures how fast the client of Temporal starts runs, without a server of ours. Prints one JSON
// value. The server is the one that tools/with_temporal.py runs beside us, or another one by its
// address; with --scripted it is one in this process that accepts everything, so that what is
// measured is the client and gRPC.

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <memory>

#include "support/fake_temporal.hpp"
#include "temporal_start/starter.hpp"

int main(int argc, char** argv) {
    using namespace millrace::bench;
    StartOptions options{.target = {.task_queue = "millrace-test"}};
    bool is_scripted = false;
    if (const char* address = std::getenv("MILLRACE_TEST_TEMPORAL")) {
        options.target.address = address;
    }
    CLI::App app("Starts runs on a Temporal server.", "temporal_start");
    app.add_option("--address", options.target.address, "of the server, as host:port");
    app.add_flag("--scripted", is_scripted, "a server in this process instead");
    app.add_option("--namespace", options.target.name_space, "of the runs");
    app.add_option("--task-queue", options.target.task_queue, "of the runs");
    app.add_option("--workflow-type", options.workflow_type, "of the runs");
    app.add_option("--starts", options.starts, "how many");
    app.add_option("--in-flight", options.in_flight, "how many at a time");
    app.add_option("--input-bytes", options.input_bytes, "of each");
    app.add_option("--trace-parent", options.trace_parent, "of all of them");
    double timeout_seconds = 10;
    app.add_option("--timeout", timeout_seconds, "of one start, in seconds");
    CLI11_PARSE(app, argc, argv);
    options.timeout = std::chrono::duration_cast<millrace::Duration>(
        std::chrono::duration<double>(timeout_seconds));

    try {
        std::unique_ptr<millrace::FakeTemporal> scripted;
        if (is_scripted) {
            scripted = std::make_unique<millrace::FakeTemporal>();
            options.target.address = fmt::format("127.0.0.1:{}", scripted->port());
        }
        fmt::print("{}\n", run_starts(options));
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "temporal_start: {}\n", error.what());
        return 1;
    }
}
