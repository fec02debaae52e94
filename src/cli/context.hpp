#pragma once

#include <iosfwd>

#include "cli/local.hpp"
#include "millrace/client/options.hpp"

namespace millrace::cli {

enum class OutputFormat { table, json, yaml };

struct Console {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    // Somebody types and reads, so questions and progress make sense.
    bool in_is_terminal = false;
    bool err_is_terminal = false;
    // Standard output is a terminal, and nobody asked for NO_COLOR.
    bool is_coloured = false;
};

// What every command gets besides its own arguments.
struct Context {
    Console& console;
    client::ClientOptions server{};
    // Somebody said which server, or who calls it: nothing else will do instead.
    bool server_is_named = false;
    OutputFormat output = OutputFormat::table;
    const Local& local;
};

}  // namespace millrace::cli
