// What is read and written stays what it is when it is read and written again.

#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "fuzz_target.hpp"

namespace millrace {

void fuzz(std::string_view input) {
    const Result<json::Value> value = json::parse(input);
    if (!value) return;

    const std::string written = json::write(*value);
    const Result<json::Value> again = json::parse(written);
    // The texts, because 1e2 is a double and is written 100, which is an integer.
    MILLRACE_CHECK(again && json::write(*again) == written);
}

}  // namespace millrace
