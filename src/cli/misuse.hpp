#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace millrace::cli {

// One line about a command line that `app` did not take: what is wrong with it, and where to look.
std::string misuse_text(const CLI::App& app, const CLI::ParseError& error);

// The same about one word that stands after `command`, and that `command` does not know.
std::string misuse_text(const CLI::App& command, const std::string& word);

}  // namespace millrace::cli
