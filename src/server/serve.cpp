#include "server/serve.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>

#include "api/access/key_gate.hpp"
#include "api/admin/routes.hpp"
#include "api/http/server.hpp"
#include "api/http/service.hpp"
#include "api/rest/routes.hpp"
#include "config/print_config.hpp"
#include "config/read_config.hpp"
#include "config/unknown_variables.hpp"
#include "core/limits.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "runtime/csprng_random.hpp"
#include "runtime/environment.hpp"
#include "runtime/file_limit.hpp"
#include "runtime/stop_signals.hpp"
#include "runtime/store_clock.hpp"
#include "runtime/system_clock.hpp"
#include "server/local_keys.hpp"
#include "server/long_answers.hpp"
#include "server/node.hpp"
#include "server/open_database.hpp"
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

bool is_loopback(const std::string& address) {
    return address.empty() || address == "localhost" || address == "::1" ||
           address.starts_with("127.");
}

http::ServerConfig listener_config(const ServerConfig& config, std::string name, std::uint16_t port,
                                   const TlsFiles& tls) {
    http::ServerConfig listener;
    listener.name = std::move(name);
    listener.port = port;
    const bool is_default = config.listen_address.empty() || config.listen_address == "localhost";
    if (!is_default) listener.addresses = {config.listen_address};
    if (tls != TlsFiles{}) listener.tls = http::TlsConfig{tls.certificate, tls.key};
    return listener;
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

// With `check` nothing is changed: somebody else migrates, when the time has come.
Status prepare_schema(Database& database, MigrateMode mode) {
    if (mode == MigrateMode::automatic) return database.migrate();
    const Result<std::vector<MigrationStatus>> migrations = database.migrations();
    if (!migrations) return migrations.error();
    if (const Status usable = check_migrations(*migrations); !usable) return usable;
    const std::size_t pending = count_pending(*migrations);
    if (pending == 0) return database.migrate();
    return Error{ErrorCode::conflict,
                 "Its schema is older than this program: " + std::to_string(pending) + " of " +
                     std::to_string(migrations->size()) +
                     " migrations are pending. Run `millrace migrate up`, or start with --migrate "
                     "auto."};
}

// In single mode nothing is dispatched without a lock: better say now that there can be none.
Status prepare_locks(Database& database, const ServerConfig& config) {
    if (config.queue.mode != DispatcherMode::single || !config.queue.is_engine_enabled) return ok();
    const bool may_create = config.migrate == MigrateMode::automatic;
    const Status prepared =
        database.lock_table(config.queue.lock_table)
            ->prepare(may_create ? LockTableMode::create : LockTableMode::check);
    if (prepared) return ok();
    return Error{prepared.error().code, "dispatcher.lockTable: " + prepared.error().detail};
}

// A server that asks for keys and has none lets nobody in: better say so now.
void check_first_key(Database& database, const Clock& clock, observe::Log& log) {
    const Result<bool> has_key = has_admin_key(*database.reader(), clock.now());
    if (!has_key || *has_key) return;  // A store that does not answer is told of elsewhere.
    log.warn(
        "No API key lets an admin in yet. Stop the server, make one with `millrace keys create` on "
        "its store (--store or --data-dir), and start it again.");
}

// Everything that makes a server, put together from top to bottom.
int serve(const ServerConfig& config) {
    // First: all threads inherit that stop signals are blocked.
    std::promise<int> stop;
    bool is_stopping = false;
    const runtime::StopSignals stop_signals([&](int signal) {
        // Whoever asks twice does not want to wait.
        if (std::exchange(is_stopping, true)) std::_Exit(kExitFailure);
        stop.set_value(signal);
    });
    observe::Log log(log_config(config));
    for (const std::string& warning : config.warnings) log.warn(warning);
    for (const std::string& name : unknown_variables(runtime::environment_names())) {
        log.warn(name + " has no effect: there is no such setting.");
    }
    observe::Metrics metrics;
    runtime::raise_file_limit();
    runtime::CsprngRandom random;
    const runtime::SystemClock system_clock;
    runtime::StoreClock clock(system_clock);

    const Result<std::unique_ptr<Tracing>> tracing =
        Tracing::make(config.tracing, system_clock, random, metrics, log);
    if (!tracing) return usage_error(tracing.error().detail);

    const Replica self = this_replica(config, Id128::for_instance(clock.now(), random.next()));
    const std::unique_ptr<Database> database =
        open_database(config, system_clock, clock, log, self.id);
    if (const Status migrated = prepare_schema(*database, config.migrate); !migrated) {
        log.error("The store cannot be used: " + migrated.error().detail);
        return kExitFailure;
    }
    if (const Status prepared = prepare_locks(*database, config); !prepared) {
        log.error(prepared.error().detail);
        return kExitFailure;
    }
    const Duration first_net_max = std::min<Duration>(config.queue.poll_interval, kFirstNetMax);
    const auto first_net_ticks = static_cast<std::uint64_t>(first_net_max.count());
    const Duration first_net_after{static_cast<Duration::rep>(random.next() % first_net_ticks)};
    Result<QueueNode::Options> queue = queue_options(config, self, first_net_after);
    if (!queue) {
        log.error(queue.error().detail);
        return kExitFailure;
    }
    Node node(*database, clock, random, metrics, (*tracing)->tracer(), log,
              {.self = self,
               .retention = retention_rules(config),
               .command_work_max = config.command_work_max,
               .queue = std::move(*queue)});

    access::KeyCache keys(node.queries(), clock);
    node.on_key_changed([&keys](const std::string& id) { keys.renew(id); });
    LongAnswers long_answers(node, *database, keys, clock);

    http::Router rest_router(metrics);
    std::atomic<bool> is_draining = false;
    const auto not_ready = [&]() -> std::vector<std::string> {
        std::vector<std::string> reasons;
        if (!node.is_healthy()) reasons.emplace_back("The store does not answer.");
        if (is_draining) reasons.emplace_back("The server is stopping.");
        return reasons;
    };
    InstanceIds instance_ids(clock, random);
    rest::add_routes(rest_router,
                     {node.commands(), node.queries(), node.broker(), clock, instance_ids, metrics,
                      random, long_answers.event_streams(), std::make_shared<rest::JobWorkspaces>(),
                      long_answers.back_up(), not_ready, config.audit, plans_of(config),
                      dispatch_rules_of(config), [&node] { return node.facts(); }, &keys});
    http::Router admin_router(metrics);
    admin::add_routes(admin_router, metrics, [&node] { node.measure(); });

    access::KeyGate gate(keys, clock, metrics, log);
    const bool asks_for_keys = config.auth == AuthMode::keys;
    if (asks_for_keys) {
        check_first_key(*database, clock, log);
        (void)keys.see_all(*database->reader());  // Or each on its first request.
    }

    const http::ServiceConfig exposure{.is_loopback_only = is_loopback(config.listen_address),
                                       .gate = asks_for_keys ? &gate : nullptr};
    http::ServiceConfig rest_exposure = exposure;
    rest_exposure.tracer = &(*tracing)->tracer();
    http::Service rest_service(rest_router, metrics, log, clock, random, rest_exposure);
    http::Service admin_service(admin_router, metrics, log, clock, random, exposure);
    http::ServerConfig rest_config = listener_config(config, "rest", config.rest_port, config.tls);
    rest_config.thread_count = config.thread_count;
    http::Server rest_server(rest_service, metrics, log, rest_config);
    http::Server admin_server(
        admin_service, metrics, log,
        listener_config(config, "metrics", config.metrics_port, config.metrics_tls));

    (*tracing)->start();
    node.start();
    long_answers.start();
    const std::pair<http::Server*, std::string_view> listeners[] = {
        {&rest_server, "--rest-port"}, {&admin_server, "--metrics-port"}};
    for (const auto& [server, flag] : listeners) {
        if (const Status started = server->start(); !started) {
            const bool is_place = started.error().code == ErrorCode::unavailable;
            log.error(
                started.error().detail +
                (is_place ? " Say --listen or " + std::string(flag) + " for another place." : ""));
            node.stop();  // What waits for it must not outlive the services above.
            return kExitFailure;
        }
    }
    log.info("Millrace is ready.", {{"store", is_sqlite(config) ? "sqlite" : "postgres"},
                                    {"restPort", rest_server.port()},
                                    {"metricsPort", admin_server.port()}});

    const int signal = stop.get_future().get();
    log.info("Stopping.", {{"signal", signal}});
    const Instant stop_by = system_clock.now() + config.shutdown_patience;
    is_draining = true;
    node.answer_polls();
    const bool is_drained = rest_server.drain(config.shutdown_patience);
    if (!is_drained) log.warn("Some requests were cut off.");
    long_answers.stop();
    // Whatever is left of the time, what waits is tried once more.
    node.stop(clock.now() + std::max<Duration>(stop_by - system_clock.now(), kLastTry));
    (*tracing)->stop(std::max(stop_by - system_clock.now(), Duration::zero()));
    admin_server.drain(Duration::zero());
    log.info("Stopped.");
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
