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
    const ServerConfig config{.store = "host=/tmp dbname='a \"b\"'",
                              .listen_address = "::1",
                              .rest_port = 1,
                              .auth = AuthMode::keys,
                              .is_insecure = true,
                              .tls = {"a: b", "# c"},
                              .audit = false,
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

TEST(ConfigHelp, NamesEverySetting) {
    const std::string help = config_help();
    for (const Setting& setting : settings()) {
        for (const std::string_view name : {setting.flag, setting.environment, setting.synonym,
                                            setting.synonym_too, setting.key}) {
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
