// Settings of the execution queue: dispatcher, plans, Temporal clusters.

#include "config/queue_config.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "config/read_config.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;
using Variables = std::map<std::string, std::string, std::less<>>;

class QueueConfig : public testing::Test {
protected:
    Result<ServerConfig> config_of(const std::string& file,
                                   const std::vector<std::string>& arguments = {},
                                   const Variables& variables = {}) {
        std::ofstream(folder_.path() / "default.yaml") << file;
        const auto environment = [&](std::string_view name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional(found->second);
        };
        return read_config(arguments, environment, folder_.path() / "default.yaml");
    }

    ServerConfig good(const std::string& file, const std::vector<std::string>& arguments = {},
                      const Variables& variables = {}) {
        const auto config = config_of(file, arguments, variables);
        EXPECT_TRUE(config) << config.error().detail;
        return config ? *config : ServerConfig{};
    }

    Names flaws(const std::string& file, const std::vector<std::string>& arguments = {},
                const Variables& variables = {}) {
        const auto config = config_of(file, arguments, variables);
        Names names;
        if (config) return names;
        for (const ErrorDetail& each : config.error().details) names.push_back(each.path);
        return names;
    }

    TemporaryFolder folder_;
};

TEST_F(QueueConfig, ReadsEverySettingOfTheDispatcher) {
    const ServerConfig config = good(R"(
engine: {enabled: no}
dispatcher:
  mode: single
  batchSize: 1000
  pollInterval: 0.25
  recoverInterval: 30
  staleAfter: 86400
  leaseSeconds: 5.5
  maxAttempts: 7
  maxRecoveries: 2
  parallelCalls: 1
  callTimeout: 5
  lockTable: jobs.shed_lock2
)");
    const QueueSettings expected{.is_engine_enabled = false,
                                 .mode = DispatcherMode::single,
                                 .batch_size = 1000,
                                 .poll_interval = 250ms,
                                 .recover_interval = 30s,
                                 .stale_after = 24h,
                                 .lease = 5500ms,
                                 .max_attempts = 7,
                                 .max_recoveries = 2,
                                 .parallel_calls = 1,
                                 .call_timeout = 5s,
                                 .lock_table = "jobs.shed_lock2"};
    EXPECT_EQ(config.queue, expected);
}

TEST_F(QueueConfig, TakesTheDispatcherFromFlagsAndVariables) {
    const std::string file = "dispatcher: {maxAttempts: 5, batchSize: 20}\n";
    const ServerConfig config =
        good(file, {"--dispatcher-max-attempts", "6", "--engine-enabled=false"},
             {{"MILLRACE_DISPATCHER_BATCH_SIZE", "30"}, {"MILLRACE_DISPATCHER_MODE", "single"}});
    EXPECT_EQ(config.queue.max_attempts, 6);
    EXPECT_EQ(config.queue.batch_size, 30);
    EXPECT_EQ(config.queue.mode, DispatcherMode::single);
    EXPECT_FALSE(config.queue.is_engine_enabled);
}

TEST_F(QueueConfig, KnowsTheOtherNameOfTheSwitch) {
    EXPECT_FALSE(good("riven: {workflow: {engine: {enabled: false}}}\n").queue.is_engine_enabled);
    EXPECT_FALSE(good("riven.workflow.engine.enabled: false\n").queue.is_engine_enabled);
    EXPECT_TRUE(good("engine.enabled: true\nriven.workflow.engine.enabled: false\n")
                    .queue.is_engine_enabled)
        << "our own name wins";
    const Variables variables{{"RIVEN_WORKFLOW_ENGINE_ENABLED", "false"}};
    EXPECT_FALSE(good("engine.enabled: true\n", {}, variables).queue.is_engine_enabled);
}

TEST_F(QueueConfig, NamesWhatDoesNotFit) {
    struct Row {
        std::string file;
        Names names;
    };
    for (const Row& row : std::vector<Row>{
             {"engine: {enabled: maybe}\n", {"engine.enabled"}},
             {"engine: {colour: red}\n", {"engine.colour"}},
             {"dispatcher: {mode: both}\n", {"dispatcher.mode"}},
             {"dispatcher: {mode: [single]}\n", {"dispatcher.mode"}},
             {"dispatcher: {batchSize: 0}\n", {"dispatcher.batchSize"}},
             {"dispatcher: {batchSize: 1001}\n", {"dispatcher.batchSize"}},
             {"dispatcher: {batchSize: 1.5}\n", {"dispatcher.batchSize"}},
             {"dispatcher: {pollInterval: 0}\n", {"dispatcher.pollInterval"}},
             {"dispatcher: {pollInterval: PT5S}\n", {"dispatcher.pollInterval"}},
             {"dispatcher: {pollInterval: nan}\n", {"dispatcher.pollInterval"}},
             {"dispatcher: {staleAfter: 0.5}\n", {"dispatcher.staleAfter"}},
             {"dispatcher: {maxAttempts: 101}\n", {"dispatcher.maxAttempts"}},
             {"dispatcher: {maxRecoveries: -1}\n", {"dispatcher.maxRecoveries"}},
             {"dispatcher: {parallelCalls: many}\n", {"dispatcher.parallelCalls"}},
             {"dispatcher: {callTimeout: 30}\n", {"dispatcher.callTimeout"}},
             {"dispatcher: {leaseSeconds: 10}\n", {"dispatcher.callTimeout"}},
             {"dispatcher: {lockTable: 'a b'}\n", {"dispatcher.lockTable"}},
             {"dispatcher: {lockTable: 'a;drop'}\n", {"dispatcher.lockTable"}},
             {"dispatcher: {lockTable: 1st}\n", {"dispatcher.lockTable"}},
             {"dispatcher: {lockTable: a..b}\n", {"dispatcher.lockTable"}},
             {"dispatcher: {lockTable: a.}\n", {"dispatcher.lockTable"}},
             {"dispatcher: {lockTable: " + std::string(64, 'a') + "}\n", {"dispatcher.lockTable"}},
             {"dispatcher: {colour: red}\n", {"dispatcher.colour"}},
             {"plans: {FREE: {maxActive: -1}}\n", {"plans.FREE.maxActive"}},
             {"plans: {FREE: {maxActive: 1.5}}\n", {"plans.FREE.maxActive"}},
             {"plans: {FREE: {maxActive: 1000001}}\n", {"plans.FREE.maxActive"}},
             {"plans: {FREE: {ratePerSecond: 0}}\n", {"plans.FREE.ratePerSecond"}},
             {"plans: {FREE: {colour: red}}\n", {"plans.FREE.colour"}},
             {"plans: {FREE: 3}\n", {"plans.FREE"}},
             {"plans: {free: {maxActive: 1}}\n", {"plans.free"}},
             {"plans: {GOLD-X: {maxActive: 1}}\n", {"plans.GOLD-X"}},
             {"plans: {" + std::string(33, 'A') + ": {maxActive: 1}}\n",
              {"plans." + std::string(33, 'A')}},
             {"plans: FREE\n", {"plans"}},
             {"plans: free=1\n", {"plans"}},
             {"plans: FREE=1,\n", {"plans"}},
             {"plans: FREE=1@\n", {"plans"}},
             {"plans: FREE=@5\n", {"plans"}},
             {"temporal: {address: 'h:1'}\n", {"temporal.address"}},
             {"temporal: {eu: {address: h}}\n", {"temporal.eu.address"}},
             {"temporal: {eu: {address: 'h:0'}}\n", {"temporal.eu.address"}},
             {"temporal: {eu: {address: 'http://h:1'}}\n", {"temporal.eu.address"}},
             {"temporal: {eu: {address: '::1:7233'}}\n", {"temporal.eu.address"}},
             {"temporal: {eu: {namespace: n}}\n", {"temporal.eu.address"}},
             {"temporal: {eu: {address: 'h:1', colour: red}}\n", {"temporal.eu.colour"}},
             {"temporal: {eu: {address: 'h:1', tls: {colour: red}}}\n", {"temporal.eu.tls.colour"}},
             {"temporal: {eu: {address: 'h:1', tls: {key: k}}}\n", {"temporal.eu.tls.certificate"}},
             {"temporal: {eu: {address: 'h:1', taskQueue: \"a\\nb\"}}\n",
              {"temporal.eu.taskQueue"}},
             {"temporal: {eu.west: {address: 'h:1'}}\n", {"temporal.eu.west.address"}},
             {"temporal: {_eu: {address: 'h:1'}}\n", {"temporal._eu"}},
             {"temporal: {eu: {address: 'h:1', apiKeyFile: /nowhere/at/all}}\n",
              {"temporal.eu.apiKeyFile"}},
             {"temporal: {eu: {address: 'h:1', addressFile: /nowhere}}\n",
              {"temporal.eu.addressFile"}},
         }) {
        EXPECT_EQ(flaws(row.file), row.names) << row.file;
    }
    EXPECT_EQ(flaws("", {"--dispatcher-call-timeout", "601"}), Names{"--dispatcher-call-timeout"});
    EXPECT_EQ(flaws("", {}, {{"MILLRACE_PLANS", "FREE=x"}}), Names{"MILLRACE_PLANS"});
    EXPECT_EQ(flaws("", {"--temporal-namespace", "n"}), Names{"temporal.default.address"});
}

TEST_F(QueueConfig, LimitsPlansAndTargets) {
    std::string plans = "plans:\n";
    std::string targets = "temporal:\n";
    for (int i = 0; i < 97; ++i) plans += "  P" + std::to_string(i) + ": {maxActive: 1}\n";
    for (int i = 0; i < 33; ++i) targets += "  t" + std::to_string(i) + ": {address: 'h:1'}\n";
    EXPECT_EQ(flaws(plans), Names{"plans"});
    EXPECT_EQ(flaws(targets), Names{"temporal"});
}

TEST_F(QueueConfig, MergesPlansOverTheDefaults) {
    const auto defaults = default_plan_settings();
    struct Row {
        std::string file;
        std::vector<std::string> arguments;
        std::string name;
        PlanSettings expected;
    };
    for (const Row& row : std::vector<Row>{
             {"", {}, "FREE", {.max_active = 1}},
             {"plans: {FREE: {maxActive: 2}}\n", {}, "FREE", {.max_active = 2}},
             {"plans: {PRO: {ratePerSecond: 2.5}}\n",
              {},
              "PRO",
              {.max_active = 5, .rate_per_second = 2.5}},
             {"plans: {PRO: {maxActive: none}}\n", {}, "PRO", {}},
             {"plans: {GOLD_2: {maxActive: 0}}\n", {}, "GOLD_2", {.max_active = 0}},
             {"plans: PRO=6@20\n", {}, "PRO", {.max_active = 6, .rate_per_second = 20}},
             {"plans: {PRO: {maxActive: 6, ratePerSecond: 2}}\n",
              {"--plans=GOLD=3,PRO=7"},
              "PRO",
              {.max_active = 7}},
             {"plans: {PRO: {maxActive: 6}}\n", {"--plans=GOLD=3"}, "PRO", {.max_active = 6}},
             {"", {"--plans=UNLIMITED=none@100"}, "UNLIMITED", {.rate_per_second = 100}},
         }) {
        const ServerConfig config = good(row.file, row.arguments);
        ASSERT_TRUE(config.plans.contains(row.name)) << row.file;
        EXPECT_EQ(config.plans.at(row.name), row.expected) << row.file;
        for (const auto& [name, plan] : defaults) {
            ASSERT_TRUE(config.plans.contains(name)) << row.file << name;
            if (name == row.name) continue;
            EXPECT_EQ(config.plans.at(name), plan) << row.file << name;
        }
    }
}

TEST_F(QueueConfig, ReadsTargets) {
    std::ofstream(folder_.path() / "key") << "secret key\n";
    const ServerConfig config = good(
        "temporal:\n"
        "  default: {address: 'a:1', taskQueue: q}\n"
        "  eu-1_b:\n"
        "    address: '[::1]:7233'\n"
        "    namespace: n\n"
        "    tls: {ca: c, certificate: d, key: e, serverName: f}\n"
        "    apiKeyFile: " +
            (folder_.path() / "key").string() + "\n",
        {"--temporal-address", "b:2"}, {{"MILLRACE_TEMPORAL_NAMESPACE", "m"}});
    const std::map<std::string, TemporalSettings> expected{
        {"default", {.address = "b:2", .name_space = "m", .task_queue = "q"}},
        {"eu-1_b",
         {.address = "[::1]:7233",
          .name_space = "n",
          .ca = "c",
          .certificate = "d",
          .key = "e",
          .server_name = "f",
          .api_key = "secret key"}},
    };
    EXPECT_EQ(config.temporal, expected);
    EXPECT_TRUE(good("").temporal.empty());
}

TEST_F(QueueConfig, TakesTheKeyOfTheDefaultTargetFromAFile) {
    const std::string path = folder_.path() / "key";
    std::ofstream(path) << "secret key\n";
    const std::string file = "temporal: {default: {address: 'a:1'}}\n";
    EXPECT_EQ(good(file, {"--temporal-api-key-file", path}).temporal.at("default").api_key,
              "secret key");
    EXPECT_EQ(
        good(file, {}, {{"MILLRACE_TEMPORAL_API_KEY_FILE", path}}).temporal.at("default").api_key,
        "secret key");
    const auto refused = config_of(file, {"--temporal-api-key", "pst\n"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail.find("pst"), std::string::npos);
}

TEST(TemporalSettings, UseTlsWhenAnythingIsSaidAboutIt) {
    EXPECT_FALSE(uses_tls({.address = "a:1", .name_space = "n", .task_queue = "q"}));
    EXPECT_TRUE(uses_tls({.ca = "c"}));
    EXPECT_TRUE(uses_tls({.certificate = "c", .key = "k"}));
    EXPECT_TRUE(uses_tls({.server_name = "s"}));
    EXPECT_TRUE(uses_tls({.api_key = "k"}));
}

}  // namespace
}  // namespace millrace
