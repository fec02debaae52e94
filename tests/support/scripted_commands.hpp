#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.hpp"
#include "scripted_server.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::cli {

// The command line beside a server that answers by a script: a test says what is answered, runs a
// command, and looks at what was sent and printed.
class ScriptedCommands : public testing::Test {
protected:
    explicit ScriptedCommands(Local local = {}) : local_(std::move(local)) {}

    int run(std::vector<std::string> arguments) {
        requests_.clear();
        arguments.insert(arguments.end(), {"--server", server_.url()});
        std::istringstream in(input_);
        std::ostringstream out;
        std::ostringstream err;
        const Console console{in, out, err, is_terminal_, is_terminal_, false};
        const int exit_code = cli::run(arguments, local_, console);
        out_ = out.str();
        err_ = err.str();
        return exit_code;
    }

    std::string file(const std::string& text) {
        const std::string path = folder_.path() / "file.json";
        std::ofstream(path) << text;
        return path;
    }

    Local local_;
    TemporaryFolder folder_;
    std::string input_;
    bool is_terminal_ = false;
    std::string out_;
    std::string err_;
    std::vector<client::Answer> answers_{client::json_answer(200, "{}")};
    std::mutex mutex_;
    std::vector<client::Received> requests_;
    // Gives the answers in turn, and then the last one again and again.
    client::ScriptedServer server_{[this](const client::Received& received) {
        const std::lock_guard lock(mutex_);
        requests_.push_back(received);
        return answers_[std::min(requests_.size(), answers_.size()) - 1];
    }};
};

}  // namespace millrace::cli
