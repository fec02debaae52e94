#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "cli/command_tree.hpp"

namespace millrace::cli {
namespace {

// The sections of the page by their headings, which begin with the command; "" for what stands
// before the first of them.
std::map<std::string, std::string> sections() {
    std::ifstream in(MILLRACE_CLI_REFERENCE);
    std::map<std::string, std::string> found;
    std::string heading;
    std::string line;
    while (std::getline(in, line)) {
        if (line.starts_with("## ")) heading = line.substr(3) + " ";
        found[heading] += line + "\n";
    }
    return found;
}

TEST(ReferencePage, HasASectionForEveryCommandWithEveryOption) {
    const auto page = sections();
    for (const CommandShape& command : command_tree()) {
        if (!command.commands.empty()) continue;
        const auto section = std::ranges::find_if(
            page, [&](const auto& each) { return each.first.starts_with(command.path + " "); });
        ASSERT_NE(section, page.end()) << command.path;
        for (const OptionShape& option : command.options) {
            EXPECT_NE(section->second.find("`" + option.name), std::string::npos)
                << command.path << " " << option.name;
        }
    }
    for (const OptionShape& option : global_options()) {
        EXPECT_NE(page.at("").find("`" + option.name), std::string::npos) << option.name;
    }
}

TEST(ReferencePage, HasNoSectionForACommandThatDoesNotExist) {
    std::vector<std::string> known{"Exit codes "};
    for (const CommandShape& command : command_tree()) known.push_back(command.path + " ");
    for (const auto& [heading, text] : sections()) {
        if (heading.empty()) continue;
        EXPECT_TRUE(std::ranges::any_of(known, [&](const std::string& name) {
            return name.size() > 1 && heading.starts_with(name);
        })) << heading;
    }
}

}  // namespace
}  // namespace millrace::cli
