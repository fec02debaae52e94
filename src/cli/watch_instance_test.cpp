#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "support/scripted_commands.hpp"

namespace millrace::cli {
namespace {

using client::Answer;
using client::json_answer;

constexpr const char* kPayRuns =
    "id: 1\nevent: step\ndata: {\"stepId\":\"pay\",\"status\":\"RUNNING\"}\n\n";
constexpr const char* kActive = "event: instance\ndata: {\"status\":\"ACTIVE\"}\n\n";
constexpr const char* kCompleted = "event: instance\ndata: {\"status\":\"COMPLETED\"}\n\n";

// A stream that ends as that of a server does that stops gracefully.
Answer stream(const std::string& events) {
    return {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(events.size()) +
                     "\r\n\r\n" + events};
}

class WatchInstanceTest : public ScriptedCommands {};

TEST_F(WatchInstanceTest, GoesOnWhenTheServerEndsTheStreamBeforeTheInstanceIsOver) {
    answers_ = {stream(std::string(kPayRuns) + kActive), stream(kActive), stream(kCompleted)};
    EXPECT_EQ(run({"instances", "events", "I"}), succeeded) << err_;
    EXPECT_EQ(out_, "step pay RUNNING\ninstance ACTIVE\ninstance COMPLETED\n");
    EXPECT_EQ(err_, "");
    ASSERT_EQ(requests_.size(), 3u);
    EXPECT_EQ(requests_[0].header("last-event-id"), "");
    EXPECT_EQ(requests_[1].header("last-event-id"), "1");
    EXPECT_EQ(requests_[2].header("last-event-id"), "1");
}

TEST_F(WatchInstanceTest, GoesOnAfterAServerThatAnswersNotYet) {
    const Answer starting = json_answer(503, R"({"error":"unavailable","message":"m"})");
    answers_ = {stream(kActive), client::hang_up(), starting, stream(kCompleted)};
    EXPECT_EQ(run({"instances", "events", "I"}), succeeded) << err_;
    EXPECT_EQ(out_, "instance ACTIVE\ninstance COMPLETED\n");
}

TEST_F(WatchInstanceTest, EndsWhenItIsRefusedMeanwhile) {
    const Answer revoked = json_answer(401, R"({"error":"unauthorized","message":"m"})");
    answers_ = {stream(kActive), revoked};
    EXPECT_EQ(run({"instances", "events", "I"}), refused);
    EXPECT_EQ(out_, "instance ACTIVE\n");
    EXPECT_NE(err_.find("(unauthorized)"), std::string::npos) << err_;
}

TEST_F(WatchInstanceTest, DoesNotWaitForWhatNeverAnswered) {
    answers_ = {json_answer(503, R"({"error":"unavailable","message":"m"})")};
    EXPECT_EQ(run({"instances", "events", "I"}), no_answer);
    answers_ = {stream("")};
    EXPECT_EQ(run({"instances", "events", "I"}), no_answer);
    EXPECT_NE(err_.find("(connection-lost)"), std::string::npos) << err_;
}

}  // namespace
}  // namespace millrace::cli
