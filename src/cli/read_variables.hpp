#pragma once

#include <string>
#include <vector>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// Variables as the command line takes them.
struct VariableArguments {
    // How the command calls the option for all of them.
    std::string option = "--variables";
    // A JSON object: as text, @FILE, or "-" for standard input.
    std::string variables{};
    // KEY=VALUE, on top of them.
    std::vector<std::string> assignments{};
};

// invalid_argument names the option and what is wrong with it.
Result<json::Value> read_variables(const VariableArguments& arguments, const Console& console);

}  // namespace millrace::cli
