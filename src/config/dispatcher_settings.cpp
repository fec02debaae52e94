#include <algorithm>

#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

constexpr std::size_t kTableNameBytesMax = 63;  // PostgreSQL cuts longer ones.

bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool is_letter_or_digit(char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
}

// A name that SQL takes without quotes, or several with points between.
bool is_table_name(std::string_view text) {
    if (text.size() > kTableNameBytesMax) return false;
    while (true) {
        const std::string_view name = text.substr(0, text.find('.'));
        if (name.empty() || !is_letter(name.front())) return false;
        if (!std::ranges::all_of(name, is_letter_or_digit)) return false;
        if (name.size() == text.size()) return true;
        text.remove_prefix(name.size() + 1);
    }
}

bool set_mode(ServerConfig& config, const std::string& value) {
    config.queue.mode = value == "single" ? DispatcherMode::single : DispatcherMode::parallel;
    return value == "single" || value == "parallel";
}

std::string get_mode(const ServerConfig& config) {
    return config.queue.mode == DispatcherMode::single ? "single" : "parallel";
}

template <auto member>
Setting in_seconds(Setting setting, double min, double max) {
    setting.kind = SettingKind::number;
    setting.set = [min, max](ServerConfig& config, const std::string& value) {
        return parse_seconds(value, min, max, config.queue.*member);
    };
    setting.get = get_seconds<&ServerConfig::queue, member>;
    return setting;
}

std::vector<Setting> timing_settings() {
    return {
        in_seconds<&QueueSettings::poll_interval>(
            {.key = "dispatcher.pollInterval",
             .flag = "--dispatcher-poll-interval",
             .environment = "MILLRACE_DISPATCHER_POLL_INTERVAL",
             .description = "Seconds between looks at the queue when nothing wakes the dispatcher",
             .expects = "seconds from 0.1 to 3600"},
            0.1, 3600),
        in_seconds<&QueueSettings::recover_interval>(
            {.key = "dispatcher.recoverInterval",
             .flag = "--dispatcher-recover-interval",
             .environment = "MILLRACE_DISPATCHER_RECOVER_INTERVAL",
             .description = "Seconds between looks for stale items; in single mode",
             .expects = "seconds from 0.1 to 3600"},
            0.1, 3600),
        in_seconds<&QueueSettings::stale_after>(
            {.key = "dispatcher.staleAfter",
             .flag = "--dispatcher-stale-after",
             .environment = "MILLRACE_DISPATCHER_STALE_AFTER",
             .description = "Seconds after which a claimed item is stale; in single mode",
             .expects = "seconds from 1 to 86400"},
            1, 86400),
        in_seconds<&QueueSettings::lease>(
            {.key = "dispatcher.leaseSeconds",
             .flag = "--dispatcher-lease-seconds",
             .environment = "MILLRACE_DISPATCHER_LEASE_SECONDS",
             .description = "How long a claim lasts unless it is renewed",
             .expects = "seconds from 1 to 3600"},
            1, 3600),
        in_seconds<&QueueSettings::call_timeout>(
            {.key = "dispatcher.callTimeout",
             .flag = "--dispatcher-call-timeout",
             .environment = "MILLRACE_DISPATCHER_CALL_TIMEOUT",
             .description = "Seconds that one call to an executor may take; less than the lease",
             .expects = "seconds from 0.1 to 600"},
            0.1, 600),
    };
}

std::vector<Setting> count_settings() {
    return {
        {.key = "dispatcher.batchSize",
         .flag = "--dispatcher-batch-size",
         .environment = "MILLRACE_DISPATCHER_BATCH_SIZE",
         .description = "Items of one round in single mode, 1 to 1000; otherwise rounds adapt",
         .expects = "a number from 1 to 1000",
         .kind = SettingKind::number,
         .set = set_integer<1, 1000, &ServerConfig::queue, &QueueSettings::batch_size>,
         .get = get_integer<&ServerConfig::queue, &QueueSettings::batch_size>},
        {.key = "dispatcher.maxAttempts",
         .flag = "--dispatcher-max-attempts",
         .environment = "MILLRACE_DISPATCHER_MAX_ATTEMPTS",
         .description = "Starts that an executor may refuse before the item fails, 1 to 100",
         .expects = "a number from 1 to 100",
         .kind = SettingKind::number,
         .set = set_integer<1, 100, &ServerConfig::queue, &QueueSettings::max_attempts>,
         .get = get_integer<&ServerConfig::queue, &QueueSettings::max_attempts>},
        {.key = "dispatcher.maxRecoveries",
         .flag = "--dispatcher-max-recoveries",
         .environment = "MILLRACE_DISPATCHER_MAX_RECOVERIES",
         .description = "Claims of one item that may be lost before it fails, 1 to 1000",
         .expects = "a number from 1 to 1000",
         .kind = SettingKind::number,
         .set = set_integer<1, 1000, &ServerConfig::queue, &QueueSettings::max_recoveries>,
         .get = get_integer<&ServerConfig::queue, &QueueSettings::max_recoveries>},
        {.key = "dispatcher.parallelCalls",
         .flag = "--dispatcher-parallel-calls",
         .environment = "MILLRACE_DISPATCHER_PARALLEL_CALLS",
         .description = "Calls to one target that may be under way at once, 1 to 1000",
         .expects = "a number from 1 to 1000",
         .kind = SettingKind::number,
         .set = set_integer<1, 1000, &ServerConfig::queue, &QueueSettings::parallel_calls>,
         .get = get_integer<&ServerConfig::queue, &QueueSettings::parallel_calls>},
    };
}

}  // namespace

std::vector<Setting> dispatcher_settings() {
    std::vector<Setting> all{
        {.key = "engine.enabled",
         .key_synonym = "riven.workflow.engine.enabled",
         .flag = "--engine-enabled",
         .environment = "MILLRACE_ENGINE_ENABLED",
         .synonym = "RIVEN_WORKFLOW_ENGINE_ENABLED",
         .description = "False: executions are accepted and kept, but not dispatched",
         .expects = kBoolean,
         .kind = SettingKind::boolean,
         .set = set_boolean<&ServerConfig::queue, &QueueSettings::is_engine_enabled>,
         .get = get_boolean<&ServerConfig::queue, &QueueSettings::is_engine_enabled>},
        {.key = "engine.commandWork",
         .flag = "--engine-command-work",
         .environment = "MILLRACE_ENGINE_COMMAND_WORK",
         .description = "The work that one command may take, in units: 200000 are about 5 ms",
         .expects = "a number from 10000 to 100000000",
         .kind = SettingKind::number,
         .set = set_integer<10'000, 100'000'000, &ServerConfig::command_work_max>,
         .get = get_integer<&ServerConfig::command_work_max>},
        {.key = "dispatcher.mode",
         .flag = "--dispatcher-mode",
         .environment = "MILLRACE_DISPATCHER_MODE",
         .description = "parallel: all servers dispatch; single: one at a time, under a lock",
         .expects = "parallel or single",
         .set = set_mode,
         .get = get_mode},
        {.key = "dispatcher.lockTable",
         .flag = "--dispatcher-lock-table",
         .environment = "MILLRACE_DISPATCHER_LOCK_TABLE",
         .description = "The table of that lock, as ShedLock has it",
         .expects = "the name of a table, of at most 63 letters, digits, _ and points",
         .set =
             [](ServerConfig& config, const std::string& value) {
                 config.queue.lock_table = value;
                 return is_table_name(value);
             },
         .get = get_text<&ServerConfig::queue, &QueueSettings::lock_table>},
    };
    for (const auto& group : {count_settings(), timing_settings()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

}  // namespace millrace::config
