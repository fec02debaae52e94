#pragma once

namespace CLI {
class Validator;
}  // namespace CLI

namespace millrace::cli {

// For options whose absence means all: a script whose variable is not set means none of them.
CLI::Validator not_empty();

}  // namespace millrace::cli
