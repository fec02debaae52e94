#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include "cli/exit_code.hpp"

namespace millrace::cli {
namespace {

using Arguments = std::vector<std::string>;

template <class Expected>
Expected parsed(const Arguments& arguments) {
    const CommandLine line = parse_command_line(arguments);
    const auto* invocation = std::get_if<Invocation>(&line);
    if (invocation == nullptr) {
        ADD_FAILURE() << std::get<NothingToRun>(line).text;
        return {};
    }
    const auto* command = std::get_if<Expected>(&invocation->command);
    EXPECT_NE(command, nullptr);
    return command == nullptr ? Expected{} : *command;
}

NothingToRun refused_line(const Arguments& arguments) {
    const CommandLine line = parse_command_line(arguments);
    const auto* nothing = std::get_if<NothingToRun>(&line);
    return nothing == nullptr ? NothingToRun{.exit_code = -1} : *nothing;
}

TEST(CommandLine, ApplyTakesFiles) {
    const auto command = parsed<ApplyDefinitions>({"definitions", "apply", "a.json", "-"});
    EXPECT_EQ(command.files, (Arguments{"a.json", "-"}));
}

TEST(CommandLine, ValidateTakesFilesAndItsFlag) {
    const auto command = parsed<ValidateDefinitions>(
        {"definitions", "validate", "a.json", "--allow-unknown-fields"});
    EXPECT_EQ(command.files, Arguments{"a.json"});
    EXPECT_TRUE(command.allow_unknown_fields);
}

TEST(CommandLine, StartTakesVariables) {
    const auto command = parsed<StartInstance>(
        {"instances", "start", "--var", "a=1", "--var", "b=x y", "order", "--variables",
         R"({"c":2})", "--business-key", "k", "--definition-version", "3"});
    EXPECT_EQ(command.definition_id, "order");
    EXPECT_EQ(command.definition_version, 3);
    EXPECT_EQ(command.variables.assignments, (Arguments{"a=1", "b=x y"}));
    EXPECT_EQ(command.variables.variables, R"({"c":2})");
    EXPECT_EQ(command.business_key, "k");
}

TEST(CommandLine, InstancesAreNamedById) {
    EXPECT_EQ(parsed<GetInstance>({"instances", "get", "I"}).id, "I");
    EXPECT_EQ(parsed<GetHistory>({"instances", "history", "I"}).instance_id, "I");
    const auto cancel = parsed<CancelInstance>({"instances", "cancel", "I", "--reason", "r"});
    EXPECT_EQ(cancel.id, "I");
    EXPECT_EQ(cancel.reason, "r");
}

TEST(CommandLine, WorkerHasDefaults) {
    const auto command = parsed<RunWorker>({"worker", "--type", "t", "--exec", "./run --fast"});
    EXPECT_EQ(command.job_types, Arguments{"t"});
    EXPECT_EQ(command.command, "./run --fast");
    EXPECT_EQ(command.parallel, 1);
    EXPECT_EQ(command.lease_seconds, 30);
    EXPECT_EQ(command.grace_seconds, 20);
}

TEST(CommandLine, WorkerTakesSeveralTypes) {
    const auto command =
        parsed<RunWorker>({"worker", "--type", "a", "--type", "b", "--exec", "x", "--parallel", "4",
                           "--lease", "60", "--grace", "0", "--worker-id", "w"});
    EXPECT_EQ(command.job_types, (Arguments{"a", "b"}));
    EXPECT_EQ(command.parallel, 4);
    EXPECT_EQ(command.lease_seconds, 60);
    EXPECT_EQ(command.grace_seconds, 0);
    EXPECT_EQ(command.worker_id, "w");
}

TEST(CommandLine, GlobalOptionsStandAnywhere) {
    for (const Arguments& arguments :
         {Arguments{"--server", "http://h:1", "--output", "json", "instances", "get", "I"},
          Arguments{"instances", "get", "I", "--output", "json", "--server", "http://h:1"}}) {
        const CommandLine line = parse_command_line(arguments);
        ASSERT_TRUE(std::holds_alternative<Invocation>(line));
        EXPECT_EQ(std::get<Invocation>(line).server, "http://h:1");
        EXPECT_EQ(std::get<Invocation>(line).output, OutputFormat::json);
    }
}

TEST(CommandLine, KnowsWhetherAServerWasNamed) {
    const auto is_named = [](const Arguments& arguments) {
        return std::get<Invocation>(parse_command_line(arguments)).server_is_named;
    };
    EXPECT_FALSE(is_named({"backup", "--to", "b"}));
    EXPECT_TRUE(is_named({"backup", "--to", "b", "--server", "http://127.0.0.1:8080"}));
    EXPECT_TRUE(is_named({"--api-key", "k", "backup", "--to", "b"}));
    setenv("MILLRACE_SERVER", "http://h:1", 1);
    EXPECT_TRUE(is_named({"backup", "--to", "b"}));
    unsetenv("MILLRACE_SERVER");
}

TEST(CommandLine, HelpIsNoMistake) {
    const NothingToRun help = refused_line({"--help"});
    EXPECT_EQ(help.exit_code, succeeded);
    for (const char* word : {"definitions", "instances", "worker", "version", "--server",
                             "MILLRACE_SERVER", "millrace serve"}) {
        EXPECT_NE(help.text.find(word), std::string::npos) << word;
    }
    EXPECT_EQ(refused_line({"worker", "--help"}).exit_code, succeeded);
}

TEST(CommandLine, HelpAndVersionMayBeAskedForInEveryWay) {
    for (const Arguments& arguments :
         {Arguments{"help", "instances", "start"}, Arguments{"instances", "start", "--help"},
          Arguments{"instances", "start", "-h"}}) {
        const NothingToRun help = refused_line(arguments);
        EXPECT_EQ(help.exit_code, succeeded);
        EXPECT_NE(help.text.find("--business-key"), std::string::npos) << help.text;
        EXPECT_NE(help.text.find("--output"), std::string::npos) << help.text;
    }
    EXPECT_EQ(refused_line({"help"}).text, refused_line({"--help"}).text);
    const NothingToRun version = refused_line({"--version"});
    EXPECT_EQ(version.exit_code, succeeded);
    EXPECT_TRUE(version.text.starts_with("millrace 0.")) << version.text;
}

struct Mistake {
    Arguments arguments;
    const char* said;
};

TEST(CommandLine, NamesTheWordThatIsWrong) {
    const std::vector<Mistake> mistakes{
        {{}, "Name a command: millrace has definitions, instances, "},
        {{"frob"}, "There is no command \"frob\". millrace has definitions, instances, "},
        {{"Serve"}, "There is no command \"Serve\": did you mean \"serve\"? millrace has "},
        {{"--output", "json", "instnaces"}, "\"instnaces\": did you mean \"instances\"?"},
        {{"definitions"}, "Name a command: millrace definitions has apply, validate, "},
        {{"definitions", "frob"},
         "There is no command \"frob\". millrace definitions has apply, validate, list, get, diff. "
         "See 'millrace definitions --help'."},
        {{"--frob"}, "There is no option \"--frob\" of millrace."},
        {{"instances", "get", "I", "--frob"},
         "There is no option \"--frob\" of millrace instances get."},
        {{"instances", "start", "o", "--vra", "a=1"},
         "millrace instances start: did you mean --var?"},
        {{"instances", "start", "o", "--busines-key=k"},
         "There is no option \"--busines-key\" of millrace instances start: did you mean "
         "--business-key?"},
        {{"instances", "list", "--outptu", "json"}, "did you mean --output?"},
        {{"instances", "start", "o", "--version", "1"},
         "There is no option \"--version\" of millrace instances start: did you mean "
         "--definition-version?"},
        {{"--version", "instances"}, "There is no option \"--version\" of millrace"},
        {{"help", "wrker"},
         "There is no command \"wrker\": did you mean \"worker\"? millrace has "},
        {{"help", "instances", "strat"}, "There is no command \"strat\": did you mean \"start\"?"},
        {{"help", "worker", "more"}, "The argument \"more\" is one too many for millrace worker."},
        {{"instances", "get", "I", "J"},
         "The argument \"J\" is one too many for millrace instances get."},
        {{"instances", "start"}, "DEFINITION is required. See 'millrace instances start --help'."},
    };
    for (const Mistake& mistake : mistakes) {
        const NothingToRun line = refused_line(mistake.arguments);
        EXPECT_EQ(line.exit_code, misused);
        EXPECT_NE(line.text.find(mistake.said), std::string::npos) << line.text;
    }
}

TEST(CommandLine, MistakesAreToldInTheWantedFormat) {
    EXPECT_EQ(refused_line({"frob"}).output, OutputFormat::table);
    EXPECT_EQ(refused_line({"frob", "--output", "json"}).output, OutputFormat::json);
    EXPECT_EQ(refused_line({"frob", "--output=yaml"}).output, OutputFormat::yaml);
    EXPECT_EQ(refused_line({"frob", "--output", "xml"}).output, OutputFormat::table);
    EXPECT_EQ(refused_line({"frob", "--output"}).output, OutputFormat::table);
}

TEST(CommandLine, MistakesAreExplained) {
    for (const Arguments& arguments :
         {Arguments{}, Arguments{"nonsense"}, Arguments{"instances"}, Arguments{"instances", "get"},
          Arguments{"instances", "get", "I", "--output", "xml"}, Arguments{"definitions", "apply"},
          Arguments{"worker", "--type", "t"},
          Arguments{"worker", "--type", "t", "--exec", "x", "--parallel", "0"},
          Arguments{"worker", "--type", "t", "--exec", "x", "--lease", "4"}}) {
        const NothingToRun mistake = refused_line(arguments);
        EXPECT_EQ(mistake.exit_code, misused) << testing::PrintToString(arguments);
        EXPECT_NE(mistake.text.find("--help"), std::string::npos) << mistake.text;
    }
}

// Goal: a variable of a script that is not set never means all.
TEST(CommandLine, WhatIsGivenAndEmptyIsAMistake) {
    for (const Arguments& arguments :
         {Arguments{"keys", "create", "k", "--role", "admin", "--for-workspace", ""},
          Arguments{"keys", "create", "k", "--role", "admin", "--for-workspace="},
          Arguments{"keys", "create", "k", "--role", "admin", "--expires-at", ""},
          Arguments{"keys", "list", "--workspace", ""},
          Arguments{"worker", "--type", "t", "--exec", "x", "--workspace", ""},
          Arguments{"instances", "cancel", "--text", "x", "--definition", ""},
          Arguments{"instances", "cancel", "--text", "x", "--status", ""},
          Arguments{"instances", "cancel", "--text", "x", "--business-key", ""},
          Arguments{"instances", "cancel", "--text", "x", "--started-after", ""},
          Arguments{"instances", "cancel", "--text", "x", "--started-before", ""},
          Arguments{"instances", "cancel", "--text", "x", "--suspended", ""},
          Arguments{"instances", "cancel", "--definition", "x", "--text", ""},
          Arguments{"dlq", "purge", "--reason", "x", "--definition", ""},
          Arguments{"dlq", "redrive", "--definition", "x", "--reason", ""}}) {
        EXPECT_EQ(refused_line(arguments).exit_code, misused) << testing::PrintToString(arguments);
    }
}

}  // namespace
}  // namespace millrace::cli
