#pragma once

namespace millrace::cli {

// What a script can react to; docs/reference/cli.md lists them.
enum ExitCode : int {
    succeeded = 0,
    refused = 1,    // The server or a check said no.
    misused = 2,    // The command line is wrong, or a file cannot be read.
    no_answer = 3,  // No server, or it could not answer: the same may work later.
    attention = 4,  // All went well, and something is left for people to do.
};

}  // namespace millrace::cli
