#include "cli/print_completion.hpp"

#include <ostream>

#include "base/text.hpp"
#include "cli/command_tree.hpp"
#include "cli/exit_code.hpp"

namespace millrace::cli {
namespace {

std::vector<CommandShape> all_commands(const Context& context) {
    std::vector<CommandShape> all = command_tree();
    all.front().commands.emplace_back("serve");
    all.push_back(
        {.path = "serve", .description = "Run a server", .options = context.local.serve_options});
    return all;
}

// Its own options, and those of every command.
std::string options_after(const CommandShape& command) {
    std::vector<std::string> names;
    for (const OptionShape& option : command.options) names.push_back(option.name);
    if (command.path != "serve") {
        for (const OptionShape& option : global_options()) names.push_back(option.name);
    }
    return joined(names, " ");
}

// What may follow a command besides options: those below it, or one of a few words. Where nothing
// else can follow, the options themselves; nothing stands for names of files.
std::string words_after(const CommandShape& command) {
    if (!command.commands.empty()) return joined(command.commands, " ");
    return command.takes_arguments ? joined(command.argument_words, " ") : options_after(command);
}

// An option that a value follows, after whichever command: "instances list --status", or "*
// --output".
struct ValuePlace {
    std::string command{};
    std::string option{};
    std::string words{};
};

std::vector<ValuePlace> value_places(const std::vector<CommandShape>& commands) {
    std::vector<ValuePlace> places;
    const auto add = [&](const std::string& command, const OptionShape& option) {
        if (option.takes_value) places.push_back({command, option.name, joined(option.words, " ")});
    };
    for (const CommandShape& command : commands) {
        for (const OptionShape& option : command.options) add(command.path, option);
    }
    for (const OptionShape& option : global_options()) add("*", option);
    return places;
}

// Shared by bash and zsh. `command` grows by each word that leads to a command; then `choices` is
// what may stand where `current` is typed, after the word `previous`.
std::string shell_cases(const std::vector<CommandShape>& commands) {
    std::string known;
    std::string words;
    for (const CommandShape& command : commands) {
        if (!command.path.empty())
            known += (known.empty() ? "" : "|") + ("\"" + command.path + "\"");
        words += "        \"" + command.path + "\")\n            choices=\"" +
                 words_after(command) + "\"\n            options=\"" + options_after(command) +
                 "\" ;;\n";
    }
    std::string values;
    for (const ValuePlace& place : value_places(commands)) {
        const std::string before = place.command == "*" ? "*\"" : "\"" + place.command;
        values +=
            "        " + before + " " + place.option + "\") choices=\"" + place.words + "\" ;;\n";
    }
    return "        case \"${command:+$command }$word\" in\n            " + known +
           ") command=\"${command:+$command }$word\" ;;\n        esac\n    done\n"
           "    case \"$command\" in\n" +
           words +
           "    esac\n"
           "    if [[ \"$current\" == -* ]]; then choices=\"$options\"; fi\n"
           "    case \"$command $previous\" in\n" +
           values + "    esac\n";
}

// `-o default` offers names of files where there are no choices. bash takes --option=value for
// three words.
std::string bash_script(const std::vector<CommandShape>& commands) {
    return "# millrace completion for bash: source <(millrace completion bash)\n"
           "_millrace() {\n"
           "    local command=\"\" choices=\"\" options=\"\" word\n"
           "    local current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
           "    local previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
           "    if [[ \"$current\" == \"=\" ]]; then\n"
           "        current=\"\"\n"
           "    elif [[ \"$previous\" == \"=\" && COMP_CWORD -gt 1 ]]; then\n"
           "        previous=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
           "    fi\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
           shell_cases(commands) +
           "    COMPREPLY=($(compgen -W \"$choices\" -- \"$current\"))\n"
           "}\n"
           "complete -o default -F _millrace millrace\n";
}

std::string zsh_script(const std::vector<CommandShape>& commands) {
    return "#compdef millrace\n"
           "# millrace completion for zsh: source <(millrace completion zsh)\n"
           "_millrace() {\n"
           "    local -a typed=(\"${(@)words[2,CURRENT-1]}\")\n"
           "    local command=\"\" choices=\"\" options=\"\" word\n"
           "    local current=\"${words[CURRENT]}\" previous=\"${words[CURRENT-1]}\"\n"
           "    for word in \"${typed[@]}\"; do\n" +
           shell_cases(commands) +
           "    compadd -- ${(s: :)choices} || _files\n"
           "}\n"
           "compdef _millrace millrace\n";
}

std::string fish_case(const std::string& pattern, const std::string& words) {
    return "        case '" + pattern + "'\n            string split ' ' -- '" + words + "'\n";
}

// fish offers names of files by itself, and options only to whoever has typed a dash.
std::string fish_script(const std::vector<CommandShape>& commands) {
    std::string known;
    std::string words;
    for (const CommandShape& command : commands) {
        if (!command.path.empty()) known += " '" + command.path + "'";
        const std::string before = words_after(command);
        const std::string options = options_after(command);
        words += fish_case(command.path, before == options ? options : before + " " + options);
    }
    std::string values;
    for (const ValuePlace& place : value_places(commands)) {
        const std::string pattern = place.command + " " + place.option;
        if (place.words.empty()) {
            values += "        case '" + pattern + "'\n            return\n";
        } else {
            values += fish_case(pattern, place.words) + "            return\n";
        }
    }
    return "# millrace completion for fish: millrace completion fish | source\n"
           "function __millrace_words\n"
           "    set -l command ''\n"
           "    set -l previous ''\n"
           "    for word in (commandline -opc)[2..-1]\n"
           "        set previous \"$word\"\n"
           "        set -l next (string trim -- \"$command $word\")\n"
           "        switch \"$next\"\n"
           "            case" +
           known +
           "\n"
           "                set command \"$next\"\n"
           "        end\n"
           "    end\n"
           "    switch \"$command $previous\"\n" +
           values +
           "    end\n"
           "    switch \"$command\"\n" +
           words +
           "    end\n"
           "end\n"
           "complete -c millrace -a '(__millrace_words)'\n";
}

}  // namespace

int execute(const PrintCompletion& command, const Context& context) {
    const std::vector<CommandShape> commands = all_commands(context);
    const std::string script = command.shell == "bash"  ? bash_script(commands)
                               : command.shell == "zsh" ? zsh_script(commands)
                                                        : fish_script(commands);
    context.console.out << script;
    return succeeded;
}

}  // namespace millrace::cli
