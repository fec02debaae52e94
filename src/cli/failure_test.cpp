#include "cli/failure.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/exit_code.hpp"

namespace millrace::cli {
namespace {

struct Printed {
    int exit_code = 0;
    std::string text{};
};

Printed printed(const client::Error& error, OutputFormat output = OutputFormat::table) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console{in, out, err};
    const Local none;
    const int exit_code = fail({.console = console, .output = output, .local = none}, error);
    EXPECT_EQ(out.str(), "");
    return {exit_code, err.str()};
}

TEST(Failure, SaysWhatAndWhereAndWhatToDoNext) {
    const Printed result = printed({.status = 404,
                                    .code = "not-found",
                                    .message = "There is no such instance.",
                                    .request_id = "r1"});
    EXPECT_EQ(result.exit_code, refused);
    EXPECT_EQ(
        result.text,
        "millrace: There is no such instance. (not-found, request r1)\n"
        "Check the id, the workspace (--workspace or MILLRACE_WORKSPACE), and whether --server "
        "names the right server.\n");
}

TEST(Failure, ListsDetails) {
    const Printed result = printed({.status = 400,
                                    .code = "bad-request",
                                    .message = "Two mistakes.",
                                    .details = {{"name", "is required"}, {"steps", "is empty"}}});
    EXPECT_EQ(result.text,
              "millrace: Two mistakes. (bad-request)\n"
              "  name: is required\n"
              "  steps: is empty\n");
}

TEST(Failure, IsJsonWhenAskedFor) {
    const Printed result = printed({.status = 400,
                                    .code = "bad-request",
                                    .message = "m",
                                    .request_id = "r",
                                    .details = {{"p", "d"}}},
                                   OutputFormat::json);
    EXPECT_EQ(result.text, R"({"error":"bad-request","message":"m","requestId":"r",)"
                           R"("details":[{"path":"p","message":"d"}]})"
                           "\n");
}

TEST(Failure, ExitCodeTellsWhetherTheSameMayWorkLater) {
    EXPECT_EQ(printed({.status = 400, .code = "bad-request"}).exit_code, refused);
    EXPECT_EQ(printed({.status = 409, .code = "conflict"}).exit_code, refused);
    EXPECT_EQ(printed({.status = 500, .code = "internal-error"}).exit_code, no_answer);
    EXPECT_EQ(printed({.status = 503, .code = "unavailable"}).exit_code, no_answer);
    EXPECT_EQ(printed({.code = "unreachable"}).exit_code, no_answer);
    EXPECT_EQ(printed({.code = "invalid-url"}).exit_code, misused);
}

}  // namespace
}  // namespace millrace::cli
