#include "config/print_config.hpp"

#include <algorithm>

#include "base/json/write.hpp"
#include "config/hide_password.hpp"
#include "config/settings.hpp"

namespace millrace {

namespace {

constexpr std::size_t kHelpColumn = 24;

std::string help_line(std::string flag, std::string_view description) {
    std::string line = "  " + std::move(flag);
    if (line.size() >= kHelpColumn)
        line += "\n" + std::string(kHelpColumn, ' ');
    else
        line.resize(kHelpColumn, ' ');
    return line + std::string(description) + "\n";
}

std::string names_line(const Setting& setting) {
    std::string line = std::string(kHelpColumn, ' ') + std::string(setting.environment);
    for (const std::string_view synonym : {setting.synonym, setting.synonym_too}) {
        if (!synonym.empty()) line += ", " + std::string(synonym);
    }
    return line + "; in the file: " + std::string(setting.key) + "\n";
}

// A text of JSON is one of YAML, too.
std::string quoted(const Setting& setting, const ServerConfig& config) {
    const std::string value = setting.get(config);
    if (setting.kind != SettingKind::text) return value;
    const auto hide = setting.hide != nullptr ? setting.hide : hide_password;
    const bool may_hide = setting.is_secret || setting.hide != nullptr;
    std::string out;
    json::append_string(out, may_hide ? hide(value) : value);
    return out;
}

// Lines of maps inside maps. Keys of one map follow each other.
class YamlText {
public:
    void add(std::string_view key, const std::string& value) {
        std::vector<std::string> maps;
        for (std::size_t dot = 0; (dot = key.find('.')) != key.npos; key.remove_prefix(dot + 1)) {
            maps.emplace_back(key.substr(0, dot));
        }
        const auto [left, right] = std::ranges::mismatch(open_, maps);
        open_.erase(left, open_.end());
        for (auto map = right; map != maps.end(); ++map) {
            text_ += indent() + *map + ":\n";
            open_.push_back(*map);
        }
        text_ += indent() + std::string(key) + ": " + value + "\n";
    }

    std::string take() && { return std::move(text_); }

private:
    std::string indent() const { return std::string(2 * open_.size(), ' '); }

    std::vector<std::string> open_;  // The maps that the last line was in.
    std::string text_;
};

}  // namespace

std::string config_help() {
    std::string text =
        "Usage: millrace serve [OPTIONS]\n\n"
        "Starts a server. Options, each with the environment variable and the key of the\n"
        "configuration file that do the same:\n" +
        help_line("--config FILE", "YAML file with settings") + std::string(kHelpColumn, ' ') +
        "MILLRACE_CONFIG; /etc/millrace/millrace.yaml when it exists\n";
    for (const Setting& setting : settings()) {
        const std::string flag(setting.flag);
        const bool is_switch = setting.kind == SettingKind::boolean;
        text += help_line(flag + (is_switch ? "" : " VALUE"), setting.description);
        text += names_line(setting);
        if (setting.is_secret) {
            text += help_line(flag + "-file FILE", "The same from a file, which may be secret");
            text += std::string(kHelpColumn, ' ') + std::string(setting.environment) + "_FILE" +
                    "; in the file: " + std::string(setting.key) + "File\n";
        }
    }
    text += help_line("--print-config", "Print the settings that result, and do not start");
    text += help_line("--help", "Print this text");
    return text;
}

std::string config_yaml(const ServerConfig& config) {
    YamlText text;
    for (const Setting& setting : settings()) text.add(setting.key, quoted(setting, config));
    for (const Setting& setting : named_settings(config)) {
        text.add(setting.key, quoted(setting, config));
    }
    return std::move(text).take();
}

}  // namespace millrace
