#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "config/settings.hpp"
#include "core/definition/parse_definition.hpp"
#include "runtime/environment.hpp"
#include "server/backup.hpp"
#include "server/doctor.hpp"
#include "server/local_keys.hpp"
#include "server/local_store.hpp"
#include "server/promote.hpp"
#include "server/restore.hpp"
#include "server/serve.hpp"

namespace {

millrace::Status check_definition(const millrace::json::Value& definition,
                                  bool allow_unknown_fields) {
    const auto unknown =
        allow_unknown_fields ? millrace::UnknownFields::ignore : millrace::UnknownFields::refuse;
    const auto parsed = millrace::parse_definition(definition, unknown);
    return parsed ? millrace::ok() : millrace::Status(parsed.error());
}

millrace::Result<millrace::json::Value> create_key(const millrace::cli::LocalKey& key) {
    return millrace::create_key_in_store({.store = key.store,
                                          .name = key.name,
                                          .role = key.role,
                                          .workspace = key.workspace,
                                          .expires_at = key.expires_at,
                                          .may_make_store = key.may_make_store});
}

millrace::Result<std::vector<millrace::cli::PromotedRows>> promote(
    const std::string& from, const std::string& to,
    const std::function<void(const millrace::cli::PromotionStep&)>& on_step) {
    const auto tell = [&](const millrace::PromotionProgress& progress) {
        on_step({.what = progress.what, .done = progress.done, .total = progress.total});
    };
    const auto promoted = millrace::promote({.from = from, .to = to}, tell);
    if (!promoted) return promoted.error();
    std::vector<millrace::cli::PromotedRows> tables;
    for (const millrace::PromotedTable& each : *promoted) {
        tables.push_back({.table = each.name,
                          .rows = each.sum.rows,
                          .checksum = millrace::checksum_text(each.sum.checksum)});
    }
    return tables;
}

millrace::StoreChoice chosen(const millrace::cli::LocalStore& store) {
    return {.store = store.store, .config_file = store.config_file};
}

millrace::cli::LocalMigrations migrations() {
    using millrace::cli::LocalStore;
    return {.status = [](const LocalStore& store) { return migration_status(chosen(store)); },
            .up =
                [](const LocalStore& store, const auto& tell) {
                    return migrate_store(chosen(store), tell);
                }};
}

millrace::Result<millrace::json::Value> examine(const millrace::cli::LocalStore& store) {
    return millrace::examine_store(chosen(store));
}

// The words of a setting that takes one of a few: "auto, json or text".
std::vector<std::string> words_of(const millrace::Setting& setting) {
    std::string text(setting.expects);
    if (const auto last = text.find(" or "); last != std::string::npos) text.replace(last, 4, ", ");
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(", ", begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 2;
    }
    millrace::ServerConfig unused;
    const bool is_choice = std::ranges::all_of(words, [&](const std::string& word) {
        return std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; }) &&
               setting.set(unused, word);
    });
    return is_choice && words.size() > 1 ? words : std::vector<std::string>{};
}

std::vector<millrace::cli::OptionShape> serve_options() {
    std::vector<millrace::cli::OptionShape> options{
        {.name = "--config", .takes_value = true}, {.name = "--print-config"}, {.name = "--help"}};
    for (const millrace::Setting& setting : millrace::settings()) {
        const std::string flag(setting.flag);
        const bool is_switch = setting.kind == millrace::SettingKind::boolean;
        options.push_back({.name = flag,
                           .takes_value = !is_switch,
                           .words = is_switch ? std::vector<std::string>{} : words_of(setting)});
        if (setting.is_secret) options.push_back({.name = flag + "-file", .takes_value = true});
    }
    return options;
}

millrace::cli::Console console() {
    using millrace::runtime::environment_variable;
    const bool is_plain = !environment_variable("NO_COLOR").value_or("").empty() ||
                          environment_variable("TERM").value_or("") == "dumb";
    return {.in = std::cin,
            .out = std::cout,
            .err = std::cerr,
            .in_is_terminal = isatty(STDIN_FILENO) != 0,
            .err_is_terminal = isatty(STDERR_FILENO) != 0,
            .is_coloured = !is_plain && isatty(STDOUT_FILENO) != 0};
}

}  // namespace

// One program: `millrace serve` is the server, everything else its command line client.
int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments[0] == "serve") {
        return millrace::serve_main(std::span(arguments).subspan(1));
    }
    if (arguments.size() > 1 && arguments[0] == "help" && arguments[1] == "serve") {
        const std::vector<std::string> help{"--help"};
        return millrace::serve_main(help);
    }
    const millrace::cli::Local local{.check_definition = check_definition,
                                     .canonical_definition = millrace::canonical_text,
                                     .data = {.back_up = millrace::back_up_data,
                                              .check_backup = millrace::check_backup,
                                              .restore = millrace::restore_data},
                                     .keys = {.create = create_key},
                                     .promote = promote,
                                     .migrations = migrations(),
                                     .examine = examine,
                                     .serve_options = serve_options()};
    return millrace::cli::run(arguments, local, console());
}
