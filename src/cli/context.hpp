#pragma once

#include <functional>
#include <iosfwd>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "millrace/client/options.hpp"

namespace millrace::cli {

enum class OutputFormat { table, json };

struct Console {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
};

// Whether a server would take a definition, without asking one. The rules are the core's, which
// this layer does not know: main passes them in.
using CheckDefinition =
    std::function<Status(const json::Value& definition, bool allow_unknown_fields)>;

// What every command gets besides its own arguments.
struct Context {
    Console& console;
    client::ClientOptions server{};
    OutputFormat output = OutputFormat::table;
    const CheckDefinition& check_definition;
};

}  // namespace millrace::cli
