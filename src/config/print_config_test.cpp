#include "config/print_config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "config/config_file.hpp"
#include "config/read_config.hpp"
#include "config/settings.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

std::string page(const std::string& name) {
    std::ifstream in(std::string(MILLRACE_REFERENCE) + "/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

Result<ServerConfig> loaded(const std::string& path) {
    return read_config({"--config", path}, [](std::string_view) { return std::nullopt; });
}

TEST(PrintConfig, IsReadBackAsItWas) {
    auto plans = default_plan_settings();
    plans["FREE"].max_active.reset();
    plans["GOLD"] = {.max_active = 0, .rate_per_second = 100'000};
    const ServerConfig config{.store = "host=/tmp dbname='a \"b\"'",
                              .listen_address = "::1",
                              .rest_port = 1,
                              .auth = AuthMode::keys,
                              .is_insecure = true,
                              .tls = {"a: b", "# c"},
                              .client_tls = {.ca = "ca.pem", .is_required = true},
                              .clients = {{"billing", {"uri:spiffe://acme/b", "worker", "acme"}},
                                          {"ops", {"cn:Ops: all", "admin", ""}}},
                              .audit = false,
                              .queue = {.is_engine_enabled = false,
                                        .mode = DispatcherMode::single,
                                        .poll_interval = std::chrono::milliseconds(250),
                                        .lease = std::chrono::seconds(3600)},
                              .plans = plans,
                              .temporal = {{"default", {.address = "a:1"}},
                                           {"eu", {.address = "b:2", .name_space = "n"}},
                                           {"us", {.address = "c:3", .server_name = "s"}}},
                              .log_level = "error",
                              .thread_count = 5,
                              .shutdown_patience = std::chrono::seconds(0)};
    const TemporaryFolder folder;
    const std::string path = folder.path() / "printed.yaml";
    for (const ServerConfig& each : {config, ServerConfig{}}) {
        std::ofstream(path) << config_yaml(each);
        const auto again = loaded(path);
        ASSERT_TRUE(again) << again.error().detail;
        EXPECT_EQ(*again, each);
    }
}

TEST(PrintConfig, HidesPasswords) {
    const std::string text = config_yaml({.store = "postgres://u:pst@h/d"});
    EXPECT_EQ(text.find("pst"), std::string::npos);
    EXPECT_TRUE(text.starts_with("store: \"postgres://u:***@h/d\"\n")) << text;
}

TEST(PrintConfig, HidesWhatACollectorIsTold) {
    const std::string text =
        config_yaml({.tracing = {.headers = "authorization=Bearer pst,x-key=pst"}});
    EXPECT_EQ(text.find("pst"), std::string::npos);
    EXPECT_NE(text.find("  headers: \"authorization=***,x-key=***\"\n"), std::string::npos) << text;
}

TEST(PrintConfig, HidesThePasswordOfACollector) {
    const std::string text = config_yaml({.tracing = {.endpoint = "http://u:pst@h:4318"}});
    EXPECT_NE(text.find("  endpoint: \"http://u:***@h:4318\"\n"), std::string::npos) << text;
    const std::string open = config_yaml({.tracing = {.endpoint = "http://h:4318/v1?a=b"}});
    EXPECT_NE(open.find("\"http://h:4318/v1?a=b\""), std::string::npos) << open;
}

TEST(PrintConfig, HidesKeysOfClusters) {
    const std::string text = config_yaml({.temporal = {{"default", {.api_key = "pst"}},
                                                       {"eu", {.api_key = "pst"}},
                                                       {"us", {.address = "us:7233"}}}});
    EXPECT_EQ(text.find("pst"), std::string::npos);
    EXPECT_TRUE(
        text.ends_with("  us:\n"
                       "    address: \"us:7233\"\n"
                       "    namespace: \"\"\n"
                       "    taskQueue: \"\"\n"
                       "    tls:\n"
                       "      ca: \"\"\n"
                       "      certificate: \"\"\n"
                       "      key: \"\"\n"
                       "      serverName: \"\"\n"
                       "    apiKey: \"\"\n"))
        << text;
    std::size_t hidden = 0;
    for (std::size_t at = 0; (at = text.find("apiKey: \"***\"", at)) != text.npos; ++at) ++hidden;
    EXPECT_EQ(hidden, 2u);
}

TEST(ConfigHelp, NamesEverySetting) {
    const std::string help = config_help();
    for (const Setting& setting : settings()) {
        const std::string_view key = setting.key;
        for (const std::string_view name :
             {setting.flag, setting.environment, setting.synonym, setting.synonym_too, key}) {
            EXPECT_NE(help.find(name), std::string::npos) << name;
        }
    }
}

TEST(ConfigExample, ListsEverySettingWithItsDefault) {
    const auto example = loaded(std::string(MILLRACE_REFERENCE) + "/millrace.example.yaml");
    ASSERT_TRUE(example) << example.error().detail;
    EXPECT_EQ(*example, ServerConfig{});
    const std::string text = page("millrace.example.yaml");
    for (const Setting& setting : settings()) {
        const std::string key(setting.key.substr(setting.key.rfind('.') + 1));
        std::string value = setting.get({});
        if (value.empty()) value = "\"\"";
        EXPECT_NE(text.find(key + ": " + value + "\n"), std::string::npos) << setting.key;
    }
}

TEST(ConfigPage, HasARowForEverySettingAndNoOther) {
    const std::string text = page("configuration.md");
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = text.find("\n| `--", at)) != std::string::npos; ++at) ++rows;
    EXPECT_EQ(rows, settings().size());
    for (const Setting& setting : settings()) {
        const std::string default_value = setting.get({});
        std::string also;
        for (const std::string_view name : {setting.synonym, setting.synonym_too}) {
            if (!name.empty()) also += "`" + std::string(name) + "` ";
        }
        const std::string row = "| `" + std::string(setting.flag) + "` | `" +
                                std::string(setting.environment) + "` | `" +
                                std::string(setting.key) + "` | " + also + "| " +
                                (default_value.empty() ? "" : "`" + default_value + "` ") + "|";
        EXPECT_NE(text.find(row), std::string::npos) << row;
    }
    for (const ForeignSetting& foreign : foreign_settings()) {
        EXPECT_NE(text.find("`" + std::string(foreign.environment) + "`"), std::string::npos)
            << foreign.environment;
    }
}

}  // namespace
}  // namespace millrace
