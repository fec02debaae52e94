#include "server/serve.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <utility>

#include "config/print_config.hpp"
#include "config/read_config.hpp"
#include "config/unknown_variables.hpp"
#include "core/limits.hpp"
#include "node/node.hpp"
#include "runtime/csprng_random.hpp"
#include "runtime/environment.hpp"
#include "runtime/file_limit.hpp"
#include "runtime/loop_thread.hpp"
#include "runtime/stop_signals.hpp"
#include "runtime/store_clock.hpp"
#include "runtime/system_clock.hpp"
#include "server/front.hpp"
#include "server/open_database.hpp"
#include "server/prepare_store.hpp"
#include "server/queue_options.hpp"
#include "server/retention_settings.hpp"
#include "server/tracing.hpp"

namespace millrace {

namespace {

static_assert(kCommandWorkDefault == limits::kCommandWorkMax);

constexpr int kExitUsage = 2;
constexpr int kExitFailure = 1;
constexpr Duration kLastTry = std::chrono::seconds{1};
// What was left behind is looked for soon after a start, however seldom that is done later.
constexpr Duration kFirstNetMax = std::chrono::seconds{5};

observe::LogConfig log_config(const ServerConfig& config) {
    observe::LogConfig log;
    log.level = observe::parse_log_level(config.log_level).value_or(observe::LogLevel::info);
    if (config.log_format == "json") log.format = observe::LogFormat::json;
    if (config.log_format == "text") log.format = observe::LogFormat::text;
    const bool is_plain = !runtime::environment_variable("NO_COLOR").value_or("").empty();
    if (is_plain) log.colour = observe::LogColour::never;
    return log;
}

int usage_error(const std::string& sentence) {
    std::fprintf(stderr, "%s\nTry `millrace serve --help`.\n", sentence.c_str());
    return kExitUsage;
}

Replica this_replica(const ServerConfig& config, const Id128& id) {
    return {.id = id,
            .name = runtime::host_name() + ":" + std::to_string(config.rest_port),
            .version = MILLRACE_VERSION};
}

// A process's own surroundings: where it tells things, its time and its random source.
struct Process {
    explicit Process(const ServerConfig& config) : log(log_config(config)) {
        for (const std::string& warning : config.warnings) log.warn(warning);
        for (const std::string& name : unknown_variables(runtime::environment_names())) {
            log.warn(name + " has no effect: there is no such setting.");
        }
        runtime::raise_file_limit();
    }

    int fail(const std::string& sentence) {
        log.error(sentence);
        return kExitFailure;
    }

    observe::Log log;
    observe::Metrics metrics{};
    runtime::CsprngRandom random{};
    const runtime::SystemClock system_clock{};
    const runtime::SteadyClock steady_clock{};
    runtime::StoreClock clock{system_clock, steady_clock};
};

Duration first_net_after(const ServerConfig& config, Random& random) {
    const Duration most = std::min<Duration>(config.queue.poll_interval, kFirstNetMax);
    const auto ticks = static_cast<std::uint64_t>(most.count());
    return Duration{static_cast<Duration::rep>(random.next() % ticks)};
}

// From the first request to stop until nothing runs any more.
void stop(Process& process, const ServerConfig& config, Front& front, Node& node, Tracing& tracing,
          runtime::LoopThreads& threads) {
    const Instant stop_by = process.system_clock.now() + config.shutdown_patience;
    if (!front.drain(config.shutdown_patience)) process.log.warn("Some requests were cut off.");
    front.stop_long_answers(threads);
    // Whatever is left of the time, what waits is tried once more.
    const auto time_left = [&] {
        return Duration{stop_by - process.system_clock.now()};
    };
    node.stop(threads, process.clock.now() + std::max(time_left(), kLastTry));
    tracing.stop(threads, std::max(time_left(), Duration::zero()));
    front.stop();
}

// Opens the store, builds the engine and what speaks for it, runs them, and stops them in order.
int serve(const ServerConfig& config) {
    // First: all threads inherit that stop signals are blocked.
    std::promise<int> stop_asked;
    bool is_stopping = false;
    const runtime::StopSignals stop_signals([&](int signal) {
        // Whoever asks twice does not want to wait.
        if (std::exchange(is_stopping, true)) std::_Exit(kExitFailure);
        stop_asked.set_value(signal);
    });
    Process process(config);
    const Result<std::unique_ptr<Tracing>> tracing = Tracing::make(
        config.tracing, process.system_clock, process.random, process.metrics, process.log);
    if (!tracing) return usage_error(tracing.error().detail);

    const Replica self =
        this_replica(config, Id128::for_instance(process.clock.now(), process.random.next()));
    const std::unique_ptr<Database> database =
        open_database(config, process.system_clock, process.clock, process.log, self.id);
    const Status prepared = prepare_store(*database, config);
    if (!prepared) return process.fail(prepared.error().detail);
    Result<QueueNode::Options> queue =
        queue_options(config, self, first_net_after(config, process.random));
    if (!queue) return process.fail(queue.error().detail);

    const NodeContext context{*database,       process.clock,        process.random,
                              process.metrics, (*tracing)->tracer(), process.log};
    Node node(context, {.self = self,
                        .retention = retention_rules(config),
                        .command_work_max = config.command_work_max,
                        .queue = std::move(*queue)});
    Front front(context, node, config);

    runtime::LoopThreads threads;
    (*tracing)->start(threads);
    node.start(threads);
    if (const Status started = front.start(threads); !started) {
        process.log.error(started.error().detail);
        node.stop(threads);  // What waits for it must not outlive the front.
        return kExitFailure;
    }
    process.log.info("Millrace is ready.", {{"store", is_sqlite(config) ? "sqlite" : "postgres"},
                                            {"restPort", front.rest_port()},
                                            {"grpcPort", front.grpc_port()},
                                            {"metricsPort", front.metrics_port()}});

    const int signal = stop_asked.get_future().get();
    process.log.info("Stopping.", {{"signal", signal}});
    stop(process, config, front, node, **tracing, threads);
    process.log.info("Stopped.");
    return 0;
}

}  // namespace

int serve_main(std::span<const std::string> arguments) {
    if (std::ranges::find(arguments, "--help") != arguments.end()) {
        std::fputs(config_help().c_str(), stdout);
        return 0;
    }
    std::vector<std::string> flags(arguments.begin(), arguments.end());
    const bool only_prints = std::erase(flags, "--print-config") > 0;
    const Result<ServerConfig> config =
        read_config(flags, runtime::environment_variable, kDefaultConfigFile, flaw_of_value);
    if (!config) return usage_error(config.error().detail);
    if (only_prints) {
        std::fputs(config_yaml(*config).c_str(), stdout);
        return 0;
    }
    // Better no server than one that is open where its owner asked for a lock.
    const bool is_open = config->auth == AuthMode::none;
    if (is_open && !config->is_insecure && !is_loopback(config->listen_address)) {
        return usage_error("There is no authentication, so whoever reaches " +
                           config->listen_address +
                           " may do everything. Say --auth keys, or --insecure if that is meant.");
    }
    return serve(*config);
}

}  // namespace millrace
