#include "config/read_config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

class ReadConfig : public testing::Test {
protected:
    Result<ServerConfig> config_of(const std::vector<std::string>& arguments,
                                   const Variables& variables = {}) {
        const auto environment = [&](std::string_view name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional(found->second);
        };
        return read_config(arguments, environment, path("default.yaml"), check_);
    }

    std::string path(const std::string& name) const { return folder_.path() / name; }

    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
        return path(name);
    }

    // What was wrong with a configuration, one name each.
    static std::vector<std::string> names(const Result<ServerConfig>& config) {
        std::vector<std::string> names;
        if (config) return names;
        for (const ErrorDetail& each : config.error().details) names.push_back(each.path);
        return names;
    }

    TemporaryFolder folder_;
    ValueCheck check_;
};

using Names = std::vector<std::string>;

TEST_F(ReadConfig, NeedsNothing) {
    const auto config = config_of({});
    ASSERT_TRUE(config);
    EXPECT_EQ(*config, ServerConfig{});
    EXPECT_EQ(sqlite_path(*config), "millrace-data/millrace.db");
}

TEST_F(ReadConfig, TakesFlagsOverVariablesOverSynonymsOverTheFile) {
    const std::string named = file("named.yaml", "restPort: 1\n");
    std::vector<std::string> arguments{"--config", named};
    Variables variables;
    EXPECT_EQ(config_of(arguments, variables)->rest_port, 1);
    variables["WE_REST_PORT"] = "2";
    EXPECT_EQ(config_of(arguments, variables)->rest_port, 2);
    variables["MILLRACE_REST_PORT"] = "3";
    EXPECT_EQ(config_of(arguments, variables)->rest_port, 3);
    arguments.insert(arguments.end(), {"--rest-port", "4"});
    EXPECT_EQ(config_of(arguments, variables)->rest_port, 4);
    arguments.emplace_back("--rest-port=5");
    EXPECT_EQ(config_of(arguments, variables)->rest_port, 5);
}

TEST_F(ReadConfig, TakesASwitchAloneOrWithItsValue) {
    struct Row {
        std::vector<std::string> arguments;
        bool audit;
        bool is_insecure;
    };
    for (const Row& row : std::vector<Row>{{{"--audit=false"}, false, false},
                                           {{"--audit", "false"}, false, false},
                                           {{"--audit", "off", "--insecure"}, false, true},
                                           {{"--insecure", "--audit", "no"}, false, true},
                                           {{"--insecure", "--threads", "3"}, true, true}}) {
        const auto config = config_of(row.arguments);
        ASSERT_TRUE(config) << config.error().detail;
        EXPECT_EQ(config->audit, row.audit);
        EXPECT_EQ(config->is_insecure, row.is_insecure);
    }
    EXPECT_EQ(names(config_of({"--audit", "maybe"})), Names{"--audit"});
}

TEST_F(ReadConfig, TakesAnEmptyVariableForUnset) {
    EXPECT_EQ(config_of({}, {{"WE_REST_PORT", ""}, {"MILLRACE_CONFIG", ""}})->rest_port, 8080);
}

TEST_F(ReadConfig, ReadsTheNamedFileElseTheDefaultOne) {
    file("default.yaml", "threads: 3\n");
    const std::string other = file("other.yaml", "threads: 4\n");
    EXPECT_EQ(config_of({})->thread_count, 3);
    EXPECT_EQ(config_of({}, {{"MILLRACE_CONFIG", other}})->thread_count, 4);
    EXPECT_EQ(config_of({"--config=" + other})->thread_count, 4);
    EXPECT_EQ(names(config_of({"--config", path("missing.yaml")})), Names{path("missing.yaml")});
}

TEST_F(ReadConfig, ReadsEverySettingFromAFile) {
    file("default.yaml", R"(
store: host=/tmp dbname=x
listen: 10.0.0.1
restPort: 81
metricsPort: 0
auth: keys
insecure: yes
tls: {certificate: a.pem, key: a.key}
metricsTls:
  certificate: "b.pem"
  key: b.key
audit: off
logLevel: debug
logFormat: json
threads: 8
shutdownSeconds: 30
)");
    const auto config = config_of({});
    ASSERT_TRUE(config) << config.error().detail;
    const ServerConfig expected{.store = "host=/tmp dbname=x",
                                .listen_address = "10.0.0.1",
                                .rest_port = 81,
                                .metrics_port = 0,
                                .auth = AuthMode::keys,
                                .is_insecure = true,
                                .tls = {"a.pem", "a.key"},
                                .metrics_tls = {"b.pem", "b.key"},
                                .audit = false,
                                .log_level = "debug",
                                .log_format = "json",
                                .thread_count = 8,
                                .shutdown_patience = std::chrono::seconds(30)};
    EXPECT_EQ(*config, expected);
}

TEST_F(ReadConfig, UnderstandsTheKeysOfOtherServers) {
    file("default.yaml", "store: sqlite:ours.db\npostgresDSN: postgres://h/d\n");
    EXPECT_EQ(config_of({})->store, "sqlite:ours.db") << "our own name wins";
    file("default.yaml", "postgresDSN: postgres://h/d\nauditLogEnabled: false\n");
    EXPECT_EQ(config_of({})->store, "postgres://h/d");
    EXPECT_FALSE(config_of({})->audit);
    EXPECT_FALSE(config_of({}, {{"WE_AUDIT_LOG_ENABLED", "F"}})->audit);
}

TEST_F(ReadConfig, WarnsOfNamesThatHaveNoEffectHere) {
    file("default.yaml", "dbMaxConns: 9\nkafka:\n  seedBrokers: [a, b]\ndispatchMode: polling\n");
    const auto config = config_of({}, {{"DB_MAX_CONNS", "7"}, {"WE_KAFKA_SASL_PASSWORD", "pst"}});
    ASSERT_TRUE(config) << config.error().detail;
    ASSERT_EQ(config->warnings.size(), 4u);
    EXPECT_EQ(config->warnings[0], path("default.yaml") +
                                       ", line 1: dbMaxConns has no effect: each thread that "
                                       "needs a connection has one.");
    EXPECT_EQ(config->warnings[3].find("pst"), std::string::npos);
}

TEST_F(ReadConfig, KnowsStores) {
    for (const char* store : {"sqlite:/tmp/x.db", "postgres://localhost/x", "host=/tmp dbname=x",
                              "postgresql://u@h/db?sslmode=require"}) {
        EXPECT_TRUE(config_of({"--store", store})) << store;
    }
    for (const char* store : {"sqlite:", "mysql://x", "mysql://x?a=b", "/tmp/x.db", ""}) {
        EXPECT_FALSE(config_of({"--store", store})) << store;
    }
}

TEST_F(ReadConfig, TakesASecretFromAFile) {
    const std::string secret = file("secret", "postgres://u:pst@h/d\n");
    const std::string wanted = "postgres://u:pst@h/d";
    EXPECT_EQ(config_of({"--store-file", secret})->store, wanted);
    EXPECT_EQ(config_of({}, {{"MILLRACE_STORE_FILE", secret}})->store, wanted);
    file("default.yaml", "storeFile: " + secret + "\n");
    EXPECT_EQ(config_of({})->store, wanted);
    EXPECT_EQ(names(config_of({"--store-file", path("none")})), Names{"--store-file"});
    EXPECT_EQ(names(config_of({"--store-file", file("empty", "\n")})), Names{"--store-file"});
    EXPECT_EQ(names(config_of({"--threads-file", secret})), (Names{"--threads-file", secret}));
}

// Each names a file, and gets a directory.
TEST_F(ReadConfig, RefusesADirectoryWhereAFileBelongs) {
    const std::string folder = folder_.path();
    const std::string in_file = file("keys.yaml", "temporal:\n  eu:\n    apiKeyFile: " + folder);
    struct Row {
        std::vector<std::string> arguments;
        std::string name;
    };
    for (const Row& row :
         std::vector<Row>{{{"--config", folder}, folder},
                          {{"--store-file", folder}, "--store-file"},
                          {{"--tracing-headers-file", folder}, "--tracing-headers-file"},
                          {{"--config", in_file}, "temporal.eu.apiKeyFile"}}) {
        const auto config = config_of(row.arguments);
        EXPECT_EQ(names(config), Names{row.name});
        EXPECT_NE(config.error().detail.find("is a directory"), std::string::npos)
            << config.error().detail;
    }
    EXPECT_EQ(names(config_of({}, {{"MILLRACE_CONFIG", folder}})), Names{folder});
}

TEST_F(ReadConfig, DoesNotRepeatASecretThatDoesNotFit) {
    const auto config = config_of({"--store", "mysql://u:pst@h"});
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().detail.find("pst"), std::string::npos);
}

TEST_F(ReadConfig, NamesEveryProblemAtOnce) {
    file("default.yaml", "restport: 1\nthreads: many\ntls:\n  key: a\n  colour: red\naudit: [1]\n");
    const auto config =
        config_of({"--rest-port", "70000", "--colour", "--log-level", "loud", "--threads"},
                  {{"WE_DISPATCH_MODE", "kafka_outbox"}, {"MILLRACE_AUDIT", "maybe"}});
    EXPECT_EQ(names(config), (Names{"restport", "tls.colour", "threads", "audit", "MILLRACE_AUDIT",
                                    "WE_DISPATCH_MODE", "--rest-port", "--colour", "--log-level",
                                    "--threads", "tls.certificate"}));
    const std::string& text = config.error().detail;
    EXPECT_NE(text.find("default.yaml, line 2: threads: \"many\" does not fit: expected a number "
                        "from 1 to 64"),
              std::string::npos)
        << text;
}

TEST_F(ReadConfig, NamesTheNearestSettingAndOption) {
    file("default.yaml", "restprot: 1\nlogging: 2\n");
    const auto config = config_of({"--rest-prot=1", "--colour"}, {});
    ASSERT_FALSE(config);
    for (const char* said : {"line 1: restprot: there is no such setting; did you mean restPort?",
                             "--rest-prot: there is no such option; did you mean --rest-port?",
                             "--colour: there is no such option"}) {
        EXPECT_NE(config.error().detail.find(said), std::string::npos) << config.error().detail;
    }
}

TEST_F(ReadConfig, ListsWhatAnotherFindsWrongWithValuesLikeTheRest) {
    check_ = [](std::string_view key, const std::string& value) -> std::string {
        return key == "retention" || key == "auditRetention" ? "\"" + value + "\" is odd" : "";
    };
    file("default.yaml", "threads: 0\nretention: a\n");
    const auto config = config_of({"--audit-retention", "b"}, {{"MILLRACE_RETENTION", "c"}});
    EXPECT_EQ(names(config),
              (Names{"threads", "retention", "MILLRACE_RETENTION", "--audit-retention"}));
    EXPECT_NE(config.error().detail.find("default.yaml, line 2: retention: \"a\" is odd"),
              std::string::npos)
        << config.error().detail;
}

TEST_F(ReadConfig, ReadsOneFile) {
    const std::string first = file("first.yaml", "threads: 3\n");
    const std::string second = file("second.yaml", "threads: 4\n");
    EXPECT_EQ(names(config_of({"--config", first, "--config", second})), Names{"--config"});
}

TEST_F(ReadConfig, NamesTheLineOfWhatIsNoYaml) {
    for (const char* text :
         {"threads: 2\nrestPort: [1\n", "threads: 2\n- a\n", "threads: 2\nthreads: 3\n",
          "threads: 2\n? [a]\n: b\n", "threads: 2\n---\nrestPort: 1\n"}) {
        file("default.yaml", text);
        const auto config = config_of({});
        ASSERT_FALSE(config) << text;
        EXPECT_NE(config.error().detail.find("default.yaml, line "), std::string::npos)
            << config.error().detail;
    }
    file("default.yaml", "---\nthreads: 2\n...\n---\n");
    EXPECT_TRUE(config_of({})) << "nothing is in the second document";
    file("default.yaml", "just a text\n");
    EXPECT_EQ(names(config_of({})), Names{"line 1"});
}

}  // namespace
}  // namespace millrace
