#include "config/read_config.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/nearest_word.hpp"
#include "config/config_file.hpp"
#include "config/flaws_of_whole.hpp"
#include "config/read_text_file.hpp"
#include "config/settings.hpp"

namespace millrace {

namespace {

constexpr std::string_view kConfigFlag = "--config";
constexpr std::string_view kConfigVariable = "MILLRACE_CONFIG";
constexpr std::string_view kDispatchKey = "dispatchMode";
constexpr std::string_view kDispatchVariable = "WE_DISPATCH_MODE";

// Collects values in the order of their power, and what is wrong with them.
class Reading {
public:
    explicit Reading(ValueCheck check) : check_(std::move(check)) {}

    // `place` stands in front of what is said about the value: a file and a line, or nothing.
    void set(const Setting& setting, std::string_view name, const std::string& value,
             const std::string& place = {}) {
        if (value.empty()) return;
        if (!setting.set(config_, value)) {
            const std::string shown = setting.is_secret ? "" : "\"" + value + "\" ";
            return note(place, name,
                        shown + "does not fit: expected " + std::string(setting.expects));
        }
        const std::string flaw = check_ ? check_(setting.key, value) : "";
        if (!flaw.empty()) note(place, name, flaw);
    }

    // The same with the content of a file; passwords end with a line in most of them.
    void set_from_file(const Setting& setting, std::string_view name, const std::string& path,
                       const std::string& place = {}) {
        if (path.empty()) return;
        Result<std::string> value = read_text_file(path);
        if (!value) return note(place, name, "\"" + path + "\" " + value.error().detail);
        value->erase(value->find_last_not_of(" \t\r\n") + 1);
        if (value->empty()) return note(place, name, "\"" + path + "\" is empty");
        set(setting, name, *value, place);
    }

    void set_dispatch_mode(std::string_view name, const std::string& mode,
                           const std::string& place = {}) {
        if (mode.empty() || mode == "polling") return;
        note(place, name, "\"" + mode + "\" does not fit: expected polling");
    }

    void warn(const std::string& place, std::string_view name, std::string_view reason) {
        config_.warnings.push_back(place + std::string(name) +
                                   " has no effect: " + std::string(reason) + ".");
    }

    void note(const std::string& place, std::string_view name, std::string_view what) {
        problems_.push_back(
            {std::string(name), place + std::string(name) + ": " + std::string(what)});
    }

    // What no value alone can tell.
    void check_whole() {
        for (const ErrorDetail& each : config::flaws_of_whole(config_)) {
            note("", each.path, each.message);
        }
    }

    Result<ServerConfig> take() && {
        if (problems_.empty()) return std::move(config_);
        std::string text = "The configuration cannot be used:";
        for (const ErrorDetail& each : problems_) text += "\n  " + each.message;
        return Error{ErrorCode::invalid_argument, text, std::move(problems_)};
    }

private:
    ValueCheck check_;
    ServerConfig config_;
    std::vector<ErrorDetail> problems_;
};

std::optional<Setting> secret_of_key(std::string_view key) {
    if (!key.ends_with("File")) return std::nullopt;
    std::optional<Setting> setting = find_setting(key.substr(0, key.size() - 4));
    return setting && setting->is_secret ? setting : std::nullopt;
}

// `problem` of a name that nobody knows, and the one of a setting that may have been meant.
template <class Name>
std::string with_nearest(std::string problem, std::string_view given, Name name_of) {
    std::vector<std::string_view> names;
    for (const Setting& setting : settings()) names.push_back(name_of(setting));
    const std::string_view nearest = nearest_word(given, names);
    return nearest.empty() ? problem : problem + "; did you mean " + std::string(nearest) + "?";
}

void read_entry(const FileEntry& entry, const std::string& place, Reading& reading) {
    const auto foreign = std::ranges::find(foreign_settings(), entry.key, &ForeignSetting::key);
    if (foreign != foreign_settings().end()) {
        return reading.warn(place, entry.key, foreign->reason);
    }
    const std::optional<Setting> setting = find_setting(entry.key);
    const std::optional<Setting> secret = secret_of_key(entry.key);
    if (!setting && !secret && entry.key != kDispatchKey) {
        const auto key = [](const Setting& each) {
            return std::string_view(each.key);
        };
        return reading.note(place, entry.key,
                            with_nearest("there is no such setting", entry.key, key));
    }
    if (entry.is_list) return reading.note(place, entry.key, "expected one value, but got a list");
    if (setting) return reading.set(*setting, entry.key, entry.value, place);
    if (secret) return reading.set_from_file(*secret, entry.key, entry.value, place);
    reading.set_dispatch_mode(entry.key, entry.value, place);
}

void read_config_file(const std::string& path, Reading& reading) {
    const Result<std::string> text = read_text_file(path);
    if (!text) return reading.note("", path, text.error().detail);
    Result<std::vector<FileEntry>> entries = parse_config_text(*text);
    if (!entries) {
        for (const ErrorDetail& each : entries.error().details) {
            reading.note(path + ", ", each.message.substr(0, each.message.find(": ")),
                         each.message.substr(each.message.find(": ") + 2));
        }
        return;
    }
    // Our own names win over those of other servers, wherever they stand.
    std::ranges::stable_partition(*entries, [](const FileEntry& entry) {
        const std::optional<Setting> setting = find_setting(entry.key);
        return !setting || setting->key != entry.key;
    });
    for (const FileEntry& entry : *entries) {
        read_entry(entry, path + ", line " + std::to_string(entry.line) + ": ", reading);
    }
}

void read_environment(const Environment& environment, Reading& reading) {
    const auto value_of = [&](std::string_view name) {
        return name.empty() ? std::string() : environment(name).value_or("");
    };
    for (const Setting& setting : settings()) {
        reading.set(setting, setting.synonym, value_of(setting.synonym));
        reading.set(setting, setting.synonym_too, value_of(setting.synonym_too));
        if (setting.is_secret) {
            const std::string file_variable = std::string(setting.environment) + "_FILE";
            reading.set_from_file(setting, file_variable, value_of(file_variable));
        }
        reading.set(setting, setting.environment, value_of(setting.environment));
    }
    for (const ForeignSetting& foreign : foreign_settings()) {
        if (value_of(foreign.environment).empty()) continue;
        reading.warn("", foreign.environment, foreign.reason);
    }
    reading.set_dispatch_mode(kDispatchVariable, value_of(kDispatchVariable));
}

struct Flag {
    std::string name{};
    std::optional<std::string> value{};
};

const Setting* setting_of_flag(std::string_view flag) {
    const auto found = std::ranges::find(settings(), flag, &Setting::flag);
    return found == settings().end() ? nullptr : &*found;
}

const Setting* secret_of_flag(std::string_view flag) {
    if (!flag.ends_with("-file")) return nullptr;
    const Setting* setting = setting_of_flag(flag.substr(0, flag.size() - 5));
    return setting != nullptr && setting->is_secret ? setting : nullptr;
}

// What may stand alone.
bool is_switch(std::string_view flag) {
    const Setting* setting = setting_of_flag(flag);
    return setting != nullptr && setting->kind == SettingKind::boolean;
}

std::vector<Flag> split(const std::vector<std::string>& arguments) {
    std::vector<Flag> flags;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::size_t equals = arguments[i].find('=');
        Flag flag{.name = arguments[i].substr(0, equals)};
        const bool is_known = setting_of_flag(flag.name) != nullptr ||
                              secret_of_flag(flag.name) != nullptr || flag.name == kConfigFlag;
        if (equals != std::string::npos) {
            flag.value = arguments[i].substr(equals + 1);
        } else if (is_switch(flag.name) &&
                   (i + 1 == arguments.size() || arguments[i + 1].starts_with("--"))) {
            flag.value = "true";
        } else if (is_known && i + 1 < arguments.size()) {
            flag.value = arguments[++i];
        }
        flags.push_back(std::move(flag));
    }
    return flags;
}

void read_flags(const std::vector<Flag>& flags, Reading& reading) {
    bool has_file = false;
    for (const Flag& flag : flags) {
        const Setting* setting = setting_of_flag(flag.name);
        const Setting* secret = secret_of_flag(flag.name);
        if (setting == nullptr && secret == nullptr && flag.name != kConfigFlag) {
            const auto name = [](const Setting& each) {
                return each.flag;
            };
            reading.note("", flag.name, with_nearest("there is no such option", flag.name, name));
        } else if (flag.name == kConfigFlag && std::exchange(has_file, true)) {
            reading.note("", flag.name, "stands here twice, and one file is read");
        } else if (!flag.value || flag.value->empty()) {
            reading.note("", flag.name, "a value is missing");
        } else if (setting != nullptr) {
            reading.set(*setting, flag.name, *flag.value);
        } else if (secret != nullptr) {
            reading.set_from_file(*secret, flag.name, *flag.value);
        }
    }
}

// Empty for none.
std::string config_file(const std::vector<Flag>& flags, const Environment& environment,
                        const std::string& default_file) {
    for (const Flag& flag : flags) {
        if (flag.name == kConfigFlag) return flag.value.value_or("");
    }
    const std::string named = environment(kConfigVariable).value_or("");
    if (!named.empty()) return named;
    std::error_code failure;
    return std::filesystem::exists(default_file, failure) ? default_file : "";
}

}  // namespace

Result<ServerConfig> read_config(const std::vector<std::string>& arguments,
                                 const Environment& environment, const std::string& default_file,
                                 const ValueCheck& check) {
    const std::vector<Flag> flags = split(arguments);
    Reading reading(check);
    const std::string file = config_file(flags, environment, default_file);
    if (!file.empty()) read_config_file(file, reading);
    read_environment(environment, reading);
    read_flags(flags, reading);
    reading.check_whole();
    return std::move(reading).take();
}

}  // namespace millrace
