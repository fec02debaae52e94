#include "cli/misuse.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

#include "base/nearest_word.hpp"

namespace millrace::cli {
namespace {

// The command that was understood before the mistake; the program itself when there was none.
const CLI::App& chosen(const CLI::App& app) {
    const std::vector<CLI::App*> below = app.get_subcommands();
    return below.empty() ? app : chosen(*below.back());
}

// As it is typed: "millrace instances start".
std::string path_of(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return (parent == nullptr ? "" : path_of(*parent) + " ") + command.get_name();
}

std::vector<std::string> names_below(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(each->get_name());
    }
    // Which main looks after.
    if (command.get_parent() == nullptr) names.emplace_back("serve");
    return names;
}

std::string unknown_command(const CLI::App& group, const std::string& word) {
    const std::vector<std::string> names = names_below(group);
    const std::string nearest(nearest_word(word, {names.begin(), names.end()}));
    return "There is no command \"" + word + "\"" +
           (nearest.empty() ? "." : ": did you mean \"" + nearest + "\"?") + " " + path_of(group) +
           " has " + CLI::detail::join(names, ", ") + ".";
}

// All that may stand after the command: its own and those of the program.
std::vector<std::string> options_for(const CLI::App& command) {
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    if (command.get_parent() == nullptr) return options;
    const std::vector<std::string> above = options_for(*command.get_parent());
    options.insert(options.end(), above.begin(), above.end());
    return options;
}

// The one that differs in few letters, or that has the word as its last part: --definition-version
// for --version.
std::string nearest_option(const std::string& word, const std::vector<std::string>& options) {
    if (!word.starts_with("--") || word.size() < 4) return {};
    const std::string last_part = word.substr(1);
    const auto longer = std::ranges::find_if(
        options, [&](const std::string& option) { return option.ends_with(last_part); });
    if (longer != options.end()) return *longer;
    std::vector<std::string_view> names;
    for (const std::string& option : options) names.push_back(std::string_view(option).substr(2));
    const std::string_view nearest = nearest_word(word.substr(2), names);
    return nearest.empty() ? std::string() : "--" + std::string(nearest);
}

std::string unknown_option(const CLI::App& command, const std::string& given) {
    const std::string word = given.substr(0, given.find('='));
    const std::string nearest = nearest_option(word, options_for(command));
    return "There is no option \"" + word + "\" of " + path_of(command) +
           (nearest.empty() ? "." : ": did you mean " + nearest + "?");
}

std::string unknown_word(const CLI::App& command, const std::string& word) {
    if (word.starts_with('-')) return unknown_option(command, word);
    if (!command.get_subcommands({}).empty()) return unknown_command(command, word);
    return "The argument \"" + word + "\" is one too many for " + path_of(command) + ".";
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = chosen(app);
    const std::vector<std::string> left = app.remaining(true);
    const bool wants_command = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                               command.get_require_subcommand_min() > 0;
    if (wants_command && left.empty()) {
        return "Name a command: " + path_of(command) + " has " +
               CLI::detail::join(names_below(command), ", ") + ".";
    }
    if (wants_command && !left.front().starts_with('-')) {
        return unknown_command(command, left.front());
    }
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (!left.empty() && (wants_command || is_extra)) return unknown_word(command, left.front());
    const std::string text = error.what();
    return text.ends_with('.') ? text : text + ".";
}

std::string see_help(const CLI::App& command) {
    return " See '" + path_of(command) + " --help'.";
}

}  // namespace

std::string misuse_text(const CLI::App& app, const CLI::ParseError& error) {
    return what_is_wrong(app, error) + see_help(chosen(app));
}

std::string misuse_text(const CLI::App& command, const std::string& word) {
    return unknown_word(command, word) + see_help(command);
}

}  // namespace millrace::cli
