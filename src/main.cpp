#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "core/definition/parse_definition.hpp"
#include "server/serve.hpp"

namespace {

millrace::Status check_definition(const millrace::json::Value& definition,
                                  bool allow_unknown_fields) {
    const auto unknown =
        allow_unknown_fields ? millrace::UnknownFields::ignore : millrace::UnknownFields::refuse;
    const auto parsed = millrace::parse_definition(definition, unknown);
    return parsed ? millrace::ok() : millrace::Status(parsed.error());
}

}  // namespace

// One program: `millrace serve` is the server, everything else its command line client.
int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments[0] == "serve") {
        return millrace::serve_main(std::span(arguments).subspan(1));
    }
    return millrace::cli::run(arguments, check_definition, {std::cin, std::cout, std::cerr});
}
