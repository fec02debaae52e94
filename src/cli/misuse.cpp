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

std::string unknown_word(const CLI::App& command, const std::string& word) {
    return word.starts_with('-')
               ? "There is no option \"" + word + "\" of " + path_of(command) + "."
               : "The argument \"" + word + "\" is one too many for " + path_of(command) + ".";
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

}  // namespace

std::string misuse_text(const CLI::App& app, const CLI::ParseError& error) {
    return what_is_wrong(app, error) + " See '" + path_of(chosen(app)) + " --help'.";
}

}  // namespace millrace::cli
