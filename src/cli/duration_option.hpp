#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace millrace::cli {

// An option that takes seconds, or a number with a unit: 90, 90s, 1.5m, 2h, 1d.
CLI::Option* add_duration(CLI::App& command, const char* name, double& seconds,
                          const char* description);

}  // namespace millrace::cli
