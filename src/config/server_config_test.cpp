#include "config/server_config.hpp"

#include <gtest/gtest.h>

#include <map>

namespace millrace {
namespace {

Result<ServerConfig> config_of(std::vector<std::string> arguments,
                               std::map<std::string, std::string, std::less<>> variables = {}) {
    return read_config(arguments, [&](std::string_view name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

TEST(ServerConfigTest, NeedsNothing) {
    const auto config = config_of({});
    ASSERT_TRUE(config);
    EXPECT_EQ(*config, ServerConfig{});
    EXPECT_EQ(sqlite_path(*config), "millrace-data/millrace.db");
}

TEST(ServerConfigTest, TakesFlagsOverVariablesOverSynonyms) {
    const std::map<std::string, std::string, std::less<>> synonym{{"WE_REST_PORT", "1"}};
    EXPECT_EQ(config_of({}, synonym)->rest_port, 1);

    std::map<std::string, std::string, std::less<>> both = synonym;
    both["MILLRACE_REST_PORT"] = "2";
    EXPECT_EQ(config_of({}, both)->rest_port, 2);
    EXPECT_EQ(config_of({"--rest-port", "3"}, both)->rest_port, 3);
    EXPECT_EQ(config_of({"--rest-port=4"}, both)->rest_port, 4);
}

TEST(ServerConfigTest, TakesAnEmptyVariableForUnset) {
    EXPECT_EQ(config_of({}, {{"WE_REST_PORT", ""}})->rest_port, 8080);
}

TEST(ServerConfigTest, KnowsStores) {
    for (const char* store : {"sqlite:/tmp/x.db", "postgres://localhost/x", "host=/tmp dbname=x",
                              "postgresql://u@h/db?sslmode=require"}) {
        EXPECT_TRUE(config_of({"--store", store})) << store;
    }
    for (const char* store : {"sqlite:", "mysql://x", "/tmp/x.db", ""}) {
        EXPECT_FALSE(config_of({"--store", store})) << store;
    }
}

TEST(ServerConfigTest, NamesEveryProblemAtOnce) {
    const auto config =
        config_of({"--rest-port", "70000", "--colour", "--log-level", "loud", "--threads"},
                  {{"WE_DISPATCH_MODE", "kafka_outbox"}});
    ASSERT_FALSE(config);
    std::vector<std::string> names;
    for (const ErrorDetail& each : config.error().details) names.push_back(each.path);
    EXPECT_EQ(names, (std::vector<std::string>{"WE_DISPATCH_MODE", "--rest-port", "--colour",
                                               "--log-level", "--threads"}));
}

TEST(ServerConfigTest, HelpsWithEverySetting) {
    for (const Setting& setting : settings()) {
        EXPECT_NE(config_help().find(setting.flag), std::string::npos) << setting.flag;
    }
}

}  // namespace
}  // namespace millrace
