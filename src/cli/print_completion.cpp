#include "cli/print_completion.hpp"

#include <ostream>

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

// What may follow a command: those below it, its options, and those of every command.
std::string words_after(const CommandShape& command) {
    std::string words;
    const auto add = [&](const std::string& word) {
        words += (words.empty() ? "" : " ") + word;
    };
    for (const std::string& name : command.commands) add(name);
    for (const std::string& option : command.options) add(option);
    if (command.path != "serve") {
        for (const std::string& option : global_options()) add(option);
    }
    return words;
}

// Shared by bash and zsh: `path` grows by each word that leads to a command.
std::string shell_cases(const std::vector<CommandShape>& commands) {
    std::string known;
    std::string words;
    for (const CommandShape& command : commands) {
        if (!command.path.empty())
            known += (known.empty() ? "" : "|") + ("\"" + command.path + "\"");
        words += "        \"" + command.path + "\") choices=\"" + words_after(command) + "\" ;;\n";
    }
    return "        case \"${command:+$command }$word\" in\n            " + known +
           ") command=\"${command:+$command }$word\" ;;\n        esac\n    done\n"
           "    case \"$command\" in\n" +
           words + "    esac\n";
}

std::string bash_script(const std::vector<CommandShape>& commands) {
    return "# millrace completion for bash: source <(millrace completion bash)\n"
           "_millrace() {\n"
           "    local command=\"\" choices=\"\" word\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
           shell_cases(commands) +
           "    COMPREPLY=($(compgen -W \"$choices\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
           "}\n"
           "complete -o default -F _millrace millrace\n";
}

std::string zsh_script(const std::vector<CommandShape>& commands) {
    return "#compdef millrace\n"
           "# millrace completion for zsh: source <(millrace completion zsh)\n"
           "_millrace() {\n"
           "    local -a typed=(\"${(@)words[2,CURRENT-1]}\")\n"
           "    local command=\"\" choices=\"\" word\n"
           "    for word in \"${typed[@]}\"; do\n" +
           shell_cases(commands) +
           "    compadd -- ${(s: :)choices} || _files\n"
           "}\n"
           "compdef _millrace millrace\n";
}

std::string fish_script(const std::vector<CommandShape>& commands) {
    std::string known;
    std::string words;
    for (const CommandShape& command : commands) {
        if (!command.path.empty()) known += " '" + command.path + "'";
        words += "        case '" + command.path + "'\n            string split ' ' -- '" +
                 words_after(command) + "'\n";
    }
    return "# millrace completion for fish: millrace completion fish | source\n"
           "function __millrace_words\n"
           "    set -l command ''\n"
           "    for word in (commandline -opc)[2..-1]\n"
           "        set -l next (string trim -- \"$command $word\")\n"
           "        switch \"$next\"\n"
           "            case" +
           known +
           "\n"
           "                set command \"$next\"\n"
           "        end\n"
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
