#include "api/http/answer_log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::http {
namespace {

using namespace std::chrono_literals;

class AnswerLogTest : public testing::Test {
protected:
    void note(int status, std::string_view trouble = {}, TraceContext trace = {}) {
        answers_.note({.request_id = "r-1",
                       .method = "GET",
                       .route = "/v1/jobs/{id}",
                       .remote_address = "10.0.0.1",
                       .status = status,
                       .duration = 1500us,
                       .trace = trace,
                       .trouble = trouble},
                      now_);
    }

    // The last line, from its level on.
    std::string last() const {
        if (lines_.empty()) return "";
        return lines_.back().substr(lines_.back().find(R"("level")"));
    }

    std::vector<std::string> lines_;
    observe::Log log_{{.level = observe::LogLevel::debug,
                       .format = observe::LogFormat::json,
                       .sink = [this](std::string_view line) {
                           lines_.emplace_back(line);
                       }}};
    AnswerLog answers_{log_};
    Instant now_{1h};
};

TEST_F(AnswerLogTest, ToldByWhatBecameOfTheRequest) {
    struct Case {
        int status;
        std::string_view begin;
    };
    for (const auto& [status, begin] : {
             Case{200, R"("level":"debug","message":"Answered a request.")"},
             Case{304, R"("level":"debug","message":"Answered a request.")"},
             Case{400, R"("level":"info","message":"Refused a request.")"},
             Case{429, R"("level":"info","message":"Refused a request.")"},
             Case{500, R"("level":"error","message":"A request failed.")"},
             Case{505, R"("level":"info","message":"Refused a request.")"},
             Case{503, R"("level":"warn","message":"Could not serve a request.")"},
         }) {
        note(status);
        EXPECT_EQ(last(), std::string(begin) +
                              R"(,"requestId":"r-1","method":"GET","route":"/v1/jobs/{id}",)"
                              R"("status":)" +
                              std::to_string(status) +
                              R"(,"remoteAddress":"10.0.0.1","durationMicroseconds":1500})");
    }
}

TEST_F(AnswerLogTest, SaysWhyAndInWhichTrace) {
    note(500, "A stored row is corrupt.", {.trace_id_low = 10, .span_id = 1});
    EXPECT_TRUE(last().ends_with(
        R"("traceId":"0000000000000000000000000000000a","error":"A stored row is corrupt."})"))
        << last();
}

TEST_F(AnswerLogTest, IsNotFilledByWhoeverIsRefused) {
    for (int n = 0; n < AnswerLog::kLinesPerSecond + 7; ++n) note(404);
    EXPECT_EQ(lines_.size(), static_cast<std::size_t>(AnswerLog::kLinesPerSecond));
    note(500);
    EXPECT_NE(last().find("A request failed."), std::string::npos) << "others have their own share";
    EXPECT_EQ(last().find("leftOut"), std::string::npos);
    now_ += 1s;
    note(404);
    EXPECT_TRUE(last().ends_with(R"("leftOut":7})")) << last();
    note(404);
    EXPECT_EQ(last().find("leftOut"), std::string::npos);
}

TEST_F(AnswerLogTest, DoesNotCountWhatIsBelowTheLevel) {
    observe::Log quiet({.level = observe::LogLevel::warn, .sink = [this](std::string_view line) {
                            lines_.emplace_back(line);
                        }});
    AnswerLog answers(quiet);
    for (const int status : {200, 404}) answers.note({.status = status}, now_);
    EXPECT_TRUE(lines_.empty());
    answers.note({.status = 503}, now_);
    EXPECT_EQ(lines_.size(), 1u);
}

}  // namespace
}  // namespace millrace::http
