#include <gtest/gtest.h>

#include <sstream>

#include "cli/child_process.hpp"
#include "cli/command_tree.hpp"
#include "cli/exit_code.hpp"
#include "cli/print_completion.hpp"

namespace millrace::cli {
namespace {

std::string script_of(const std::string& shell) {
    std::istringstream in;
    std::ostringstream out;
    Console console{in, out, out};
    const Local local{
        .serve_options = {{.name = "--store", .takes_value = true},
                          {.name = "--log-level", .takes_value = true, .words = {"debug", "info"}},
                          {.name = "--insecure"}}};
    EXPECT_EQ(execute(PrintCompletion{shell}, {.console = console, .local = local}), succeeded);
    return out.str();
}

TEST(Completion, KnowsEveryCommandAndOption) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string script = script_of(shell);
        for (const CommandShape& command : command_tree()) {
            EXPECT_NE(script.find(command.path), std::string::npos) << shell << command.path;
            for (const OptionShape& option : command.options) {
                EXPECT_NE(script.find(option.name), std::string::npos) << shell << option.name;
                for (const std::string& word : option.words) {
                    EXPECT_NE(script.find(word), std::string::npos) << shell << word;
                }
            }
        }
    }
}

// What bash offers for a line, one word per line.
std::string offered(const std::string& typed) {
    const std::string program = script_of("bash") + "COMP_WORDS=(" + typed +
                                ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_millrace\n"
                                "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    const Result<ChildResult> result = run_child("exec bash", program);
    return result && result->exit_code == 0 ? result->output : "failed";
}

TEST(Completion, OffersInBashWhatMayFollow) {
    EXPECT_EQ(offered("millrace def"), "definitions\n");
    EXPECT_EQ(offered("millrace definitions v"), "validate\n");
    EXPECT_EQ(offered("millrace --output json instances st"), "start\n");
    EXPECT_EQ(offered("millrace instances start order --busi"), "--business-key\n");
    EXPECT_EQ(offered("millrace serve --in"), "--insecure\n");
    EXPECT_EQ(offered("millrace backup --t"), "--to\n");
    EXPECT_EQ(offered("millrace jobs list --wor"), "--worker\n--workspace\n");
    EXPECT_EQ(offered("millrace jobs ''"), "list\nget\nrelease\n");
    EXPECT_EQ(offered("millrace jobs --he"), "--help\n");
    EXPECT_EQ(offered("millrace serve ''"), "--store\n--log-level\n--insecure\n");
}

TEST(Completion, OffersInBashTheWordsThatAnOptionTakes) {
    EXPECT_EQ(offered("millrace --output ''"), "table\njson\nyaml\n");
    EXPECT_EQ(offered("millrace instances list --output j"), "json\n");
    EXPECT_EQ(offered("millrace instances list --output = y"), "yaml\n");
    EXPECT_EQ(offered("millrace instances list --output ="), "table\njson\nyaml\n");
    EXPECT_EQ(offered("millrace keys create ci --role ''"), "viewer\nworker\noperator\nadmin\n");
    EXPECT_EQ(offered("millrace jobs list --status ''"), "UNLOCKED\nLOCKED\n");
    EXPECT_EQ(offered("millrace completion ''"), "bash\nzsh\nfish\n");
    EXPECT_EQ(offered("millrace serve --log-level ''"), "debug\ninfo\n");
}

// Nothing of ours: the shell then offers files.
TEST(Completion, LeavesNamesOfFilesToTheShell) {
    for (const char* typed :
         {"millrace serve --store ''", "millrace backup --to ''", "millrace migrate up --config ''",
          "millrace --ca-file ''", "millrace definitions apply ''", "millrace worker --exec ''"}) {
        EXPECT_EQ(offered(typed), "\n") << typed;
    }
}

}  // namespace
}  // namespace millrace::cli
