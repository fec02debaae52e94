// Drives a running server over REST or gRPC from another process. Prints one JSON value.

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <stdexcept>

#include "load/scenarios.hpp"

int main(int argc, char** argv) {
    using namespace millrace::bench;
    const std::map<std::string, std::function<std::string(const LoadOptions&)>> scenarios{
        {"starts", run_starts},         {"steps", run_steps},
        {"latency", run_latency},       {"sequence", run_sequence},
        {"claims", run_claims},         {"burn_down", run_burn_down},
        {"enqueues", run_enqueues},     {"enqueue_latency", run_enqueue_latency},
        {"grpc_floor", run_grpc_floor}, {"grpc_steps", run_grpc_steps},
    };
    LoadOptions options{.job_type = fmt::format("bench_{}", getpid())};
    std::string scenario;
    CLI::App app("Drives a running server over REST.", "millrace_load");
    app.add_option("scenario", scenario,
                   "starts, steps, grpc_steps, grpc_floor, latency, sequence, claims, burn_down, "
                   "enqueues or "
                   "enqueue_latency")
        ->required()
        ->check(CLI::IsMember(scenarios));
    app.add_option("--port", options.ports,
                   "REST port on 127.0.0.1; several for clients to spread over")
        ->required();
    app.add_option("--grpc-port", options.grpc_port, "gRPC port on 127.0.0.1, for grpc_…");
    app.add_option("--job-type", options.job_type, "also the id of the definition");
    app.add_option("--clients", options.clients, "connections, each with one call at a time");
    app.add_option("--batch", options.batch_size, "items per call; 1 makes single calls");
    app.add_option("--seconds", options.seconds, "of starts, steps and enqueues");
    app.add_option("--count", options.count,
                   "to start or enqueue instead of --seconds, or jobs to burn down");
    app.add_option("--interval", options.interval, "seconds for which steps tells rates");
    app.add_option("--rounds", options.rounds, "of latencies, sequence and claims");
    app.add_option("--workspaces", options.workspaces, "of enqueues: bench-0, bench-1, … in turn");
    app.add_option("--rate", options.rate, "calls per second of enqueues; 0 for no such limit");
    CLI11_PARSE(app, argc, argv);

    try {
        fmt::print("{}\n", scenarios.at(scenario)(options));
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "millrace_load: {}\n", error.what());
        return 1;
    }
}
