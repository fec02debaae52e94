#include "cli/duration_option.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace millrace::cli {

CLI::Option* add_duration(CLI::App& command, const char* name, double& seconds,
                          const char* description) {
    const std::map<std::string, double> units{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    // What fits into every clock.
    constexpr double kSecondsMax = 100.0 * 365 * 86400;
    return command.add_option(name, seconds, description)
        ->transform(
            CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::CASE_SENSITIVE).description(""))
        ->check(CLI::Range(0.0, kSecondsMax).description(""));
}

}  // namespace millrace::cli
