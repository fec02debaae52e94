#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace millrace {

// parallel: every replica dispatches, as soon as there is something to do. single: one at a time,
// which holds the lock of the others, in rounds.
enum class DispatcherMode { parallel, single };

// How the execution queue is worked off.
struct QueueSettings {
    // False: executions are accepted and kept, none is dispatched or recovered.
    bool is_engine_enabled = true;
    DispatcherMode mode = DispatcherMode::parallel;
    int batch_size = 10;  // Items of one round in single mode. In parallel mode batches adapt.
    std::chrono::milliseconds poll_interval = std::chrono::seconds(5);
    std::chrono::milliseconds recover_interval = std::chrono::seconds(60);  // In single mode.
    std::chrono::milliseconds stale_after = std::chrono::seconds(300);      // In single mode.
    std::chrono::milliseconds lease = std::chrono::seconds(30);
    int max_attempts = 3;     // Where neither definition nor workspace says otherwise.
    int max_recoveries = 10;  // Of one execution.
    int parallel_calls = 64;  // To one target.
    std::chrono::milliseconds call_timeout = std::chrono::seconds(10);  // Shorter than the lease.
    std::string lock_table = "shedlock";  // A name, or one with its schema in front.

    friend bool operator==(const QueueSettings&, const QueueSettings&) = default;
};

// What a plan allows to each of its workspaces. Absent: no limit.
struct PlanSettings {
    std::optional<std::int32_t> max_active{};
    std::optional<double> rate_per_second{};

    friend bool operator==(const PlanSettings&, const PlanSettings&) = default;
};

// FREE 1, PRO 5, ENTERPRISE 20, UNLIMITED: what a server has before it is told more.
std::map<std::string, PlanSettings> default_plan_settings();

// Used when a definition names no target.
inline constexpr const char* kDefaultTarget = "default";

// How a Temporal cluster is reached. What is empty has no effect.
struct TemporalSettings {
    std::string address{};  // HOST:PORT.
    std::string name_space{};
    std::string task_queue{};
    std::string ca{};           // PEM file: who may sign the cluster's certificate.
    std::string certificate{};  // PEM files: who we are. Both or neither.
    std::string key{};
    std::string server_name{};  // That the certificate must be for; empty: that of the address.
    std::string api_key{};      // Secret.

    friend bool operator==(const TemporalSettings&, const TemporalSettings&) = default;
};

// As soon as anything is said about it. An API key never travels in the clear.
bool uses_tls(const TemporalSettings& target);

}  // namespace millrace
