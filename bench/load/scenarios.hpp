#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::bench {

struct LoadOptions {
    std::vector<std::uint16_t> ports{};  // Clients spread over several.
    std::uint16_t grpc_port = 0;         // Of the first of them.
    std::string job_type{};  // Of this run alone: what other runs left behind is not in the way.
    int clients = 1;
    int batch_size = 1;     // 1 makes single calls.
    double seconds = 3;     // How long to load, ...
    std::size_t count = 0;  // ... or how many to do, if it is not 0.
    double interval = 0;    // Also tells the rate of every so many seconds, if it is not 0.
    int rounds = 300;       // Of what is done one at a time.
    int workspaces = 1;     // Executions go to bench-0, bench-1, … in turn.
    double rate = 0;        // Calls per second of all clients together; 0 is as fast as they can.
};

// Each but run_enqueues uploads its definition, runs, and returns its result as a JSON object.

// Starts instances that nobody works on: {"perSecond":…,"count":…}
std::string run_starts(const LoadOptions& options);
// Whole steps. Each client starts, polls and completes in turn: {"perSecond":…,"count":…,
// "total":…,"series":[…]}, where the total has the steps of the warm-up, too.
std::string run_steps(const LoadOptions& options);
// The same by unary calls of millrace.v1, one step at a time each.
std::string run_grpc_steps(const LoadOptions& options);
// As many calls of gRPC's own health service, which does nothing: what is left to gain.
std::string run_grpc_floor(const LoadOptions& options);
// Takes and completes `count` jobs that wait already: {"perSecond":…,"count":…}
std::string run_burn_down(const LoadOptions& options);
// Puts executions of the definition in line, in workspaces that are there and have it:
// {"perSecond":…,"count":…}
std::string run_enqueues(const LoadOptions& options);
// From a start on the first server to its job in the hands of a poll parked on the last, one at a
// time.
std::string run_latency(const LoadOptions& options);
// The same from the enqueue of an execution, in the workspace `default`.
std::string run_enqueue_latency(const LoadOptions& options);
// The time per step of ten in a row with one worker that polls, completes and polls again.
std::string run_sequence(const LoadOptions& options);
// Polls that claim from a backlog, on two or more servers in turn: a list with one result for each.
std::string run_claims(const LoadOptions& options);

}  // namespace millrace::bench
