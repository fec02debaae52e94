#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/json/parse.hpp"
#include "cli/command_line.hpp"
#include "cli/command_tree.hpp"
#include "cli/exit_code.hpp"

namespace millrace::cli {
namespace {

using Arguments = std::vector<std::string>;

std::string complaint_about(const Arguments& arguments) {
    const CommandLine line = parse_command_line(arguments);
    const auto* nothing = std::get_if<NothingToRun>(&line);
    if (nothing == nullptr) return "nothing is wrong";
    EXPECT_EQ(nothing->exit_code, misused);
    return nothing->text;
}

struct Row {
    Arguments arguments;
    const char* complaint;
};

TEST(OptionChecks, SayWhatFits) {
    const std::vector<Row> rows{
        {{"version", "--output", "xml"}, "--output: Expected table, json or yaml, but got \"xml\""},
        {{"instances", "list", "--status", "ACTIVE,BOGUS"},
         "--status: Expected ACTIVE, WAITING, COMPLETED, FAILED or CANCELLED, but got \"BOGUS\""},
        {{"instances", "cancel", "--status", "WAITNG"}, "--status: Expected ACTIVE, "},
        {{"tasks", "list", "--status", "DONE"}, "Expected OPEN, COMPLETED, CANCELLED or ALL"},
        {{"jobs", "list", "--status", "FAILED"}, "Expected UNLOCKED or LOCKED"},
        {{"executions", "list", "--status", "BOGUS"}, "Expected PENDING, RUNNING, COMPLETED"},
        {{"executions", "list", "--queue-status", "RUNNING"}, "Expected PENDING, CLAIMED"},
        {{"instances", "list", "--suspended", "maybe"}, "--suspended: Expected true or false"},
        {{"instances", "list", "--limit", "x"}, "Expected a whole number of 0 or more"},
        {{"instances", "list", "--limit", "-1"}, "but got \"-1\""},
        {{"instances", "list", "--limit", "1.5"}, "but got \"1.5\""},
        {{"instances", "start", "w", "--definition-version", "0"},
         "--definition-version: Expected a whole number of 1 or more, but got \"0\""},
        {{"instances", "start", "w", "--definition-version", "-3"}, "but got \"-3\""},
        {{"instances", "start", "w", "--definition-version", "99999999999"}, "but got"},
        {{"workspaces", "create", "w", "--weight", "0"}, "Expected a whole number from 1 to 1000"},
        {{"workspaces", "create", "w", "--rate", "0"}, "Expected a number above 0"},
        {{"workspaces", "create", "w", "--rate", "nan"}, "Expected a number above 0"},
        {{"worker", "--type", "t", "--exec", "x", "--lease", "4"}, "from 5 to 3600"},
        {{"instances", "list", "--started-after", "yesterday"},
         "--started-after: Expected a time like 2026-11-15T09:30:00Z, but got \"yesterday\""},
        {{"keys", "create", "k", "--role", "king"}, "viewer, worker, operator or admin"},
        {{"audit", "--kind", "NOPE"}, "INSTANCE_STARTED"},
        {{"completion", "tcsh"}, "SHELL: Expected bash, zsh or fish"},
    };
    for (const Row& row : rows) {
        const std::string said = complaint_about(row.arguments);
        EXPECT_NE(said.find(row.complaint), std::string::npos) << said;
    }
}

TEST(OptionChecks, TakeWordsInAnyCase) {
    const CommandLine line = parse_command_line(
        Arguments{"instances", "list", "--status", "waiting,Failed", "--output", "JSON"});
    const auto* invocation = std::get_if<Invocation>(&line);
    ASSERT_NE(invocation, nullptr);
    EXPECT_EQ(invocation->output, OutputFormat::json);
    EXPECT_EQ(std::get<ListInstances>(invocation->command).filter.statuses,
              (Arguments{"WAITING", "FAILED"}));
}

TEST(OptionChecks, TakeTimesAsTheServerDoes) {
    for (const char* time : {"2026-11-15T09:12:44Z", "2026-11-15T09:12:44.103877Z",
                             "2026-11-15T09:12:44+01:00", "2026-11-15t09:12:44z"}) {
        EXPECT_EQ(complaint_about({"audit", "--since", time}), "nothing is wrong");
    }
}

// So that the client refuses no kind that the server knows.
TEST(OptionChecks, KnowTheKindsOfTheAuditLog) {
    std::ifstream in(MILLRACE_AUDIT_OPENAPI);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = text.find("[\"DEFINITION_UPLOADED\"");
    ASSERT_NE(begin, std::string::npos);
    const auto kinds = json::parse(text.substr(begin, text.find(']', begin) + 1 - begin));
    ASSERT_TRUE(kinds);
    Arguments expected;
    for (const json::Value& kind : *kinds->if_array()) expected.push_back(*kind.if_string());
    for (const CommandShape& command : command_tree()) {
        if (command.path != "audit") continue;
        const auto option = std::ranges::find(command.options, "--kind", &OptionShape::name);
        ASSERT_NE(option, command.options.end());
        EXPECT_EQ(option->words, expected);
    }
}

TEST(OptionChecks, TellFlagsFromOptionsWithValues) {
    for (const CommandShape& command : command_tree()) {
        for (const OptionShape& option : command.options) {
            const bool is_flag = option.name == "--yes" || option.name == "--dry-run" ||
                                 option.name == "--pause" || option.name == "--strict";
            if (is_flag || option.name == "--limit" || option.name == "--status") {
                EXPECT_EQ(option.takes_value, !is_flag) << command.path << option.name;
            }
        }
    }
}

}  // namespace
}  // namespace millrace::cli
