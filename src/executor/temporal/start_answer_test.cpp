#include "executor/temporal/start_answer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

struct Row {
    CallCode code;
    StartOutcome outcome;
    std::string name;
    std::string reason;
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

class AnswerTest : public testing::TestWithParam<Row> {};

TEST_P(AnswerTest, CountsAsTheTableSays) {
    const StartAnswer answer = answer_of({GetParam().code, "why"});
    EXPECT_EQ(answer.outcome, GetParam().outcome);
    EXPECT_EQ(answer.code, GetParam().name);
    EXPECT_EQ(answer.reason, GetParam().reason);
    EXPECT_EQ(answer.message, "why");
    EXPECT_EQ(answer.run_id, "");
}

constexpr auto kRefused = StartOutcome::refused;
constexpr auto kUnknown = StartOutcome::unknown;

INSTANTIATE_TEST_SUITE_P(
    AllCodes, AnswerTest,
    testing::Values(
        Row{CallCode::cancelled, kUnknown, "CANCELLED", ""},
        Row{CallCode::deadline_exceeded, kUnknown, "DEADLINE_EXCEEDED", ""},
        Row{CallCode::unavailable, kUnknown, "UNAVAILABLE", ""},
        Row{CallCode::resource_exhausted, StartOutcome::unreachable, "RESOURCE_EXHAUSTED", ""},
        Row{CallCode::invalid_argument, kRefused, "INVALID_ARGUMENT", "INVALID_REQUEST"},
        Row{CallCode::not_found, kRefused, "NOT_FOUND", "NAMESPACE_NOT_FOUND"},
        Row{CallCode::permission_denied, kRefused, "PERMISSION_DENIED", "PERMISSION_DENIED"},
        Row{CallCode::unauthenticated, kRefused, "UNAUTHENTICATED", "PERMISSION_DENIED"},
        Row{CallCode::unknown, kRefused, "UNKNOWN", "UNKNOWN"},
        Row{CallCode::failed_precondition, kRefused, "FAILED_PRECONDITION", "FAILED_PRECONDITION"},
        Row{CallCode::aborted, kRefused, "ABORTED", "ABORTED"},
        Row{CallCode::out_of_range, kRefused, "OUT_OF_RANGE", "OUT_OF_RANGE"},
        Row{CallCode::unimplemented, kRefused, "UNIMPLEMENTED", "UNIMPLEMENTED"},
        Row{CallCode::internal, kRefused, "INTERNAL", "INTERNAL"},
        Row{CallCode::data_loss, kRefused, "DATA_LOSS", "DATA_LOSS"}),
    [](const auto& row) { return row.param.name; });

TEST(StartAnswerTest, WhatWasNotSentHasNotHappened) {
    const StartAnswer answer = not_sent({CallCode::deadline_exceeded, "nobody there"});
    EXPECT_EQ(answer.outcome, StartOutcome::unreachable);
    EXPECT_EQ(answer.code, "DEADLINE_EXCEEDED");
}

TEST(StartAnswerTest, SomebodyElsesRunIsAConflict) {
    const StartAnswer answer = conflict({CallCode::already_exists, "already started"});
    EXPECT_EQ(answer.outcome, StartOutcome::conflict);
    EXPECT_EQ(answer.code, "ALREADY_EXISTS");
    EXPECT_EQ(answer.reason, "WORKFLOW_ID_CONFLICT");
}

TEST(CallStatusTest, ACodeThatWeDoNotKnowIsUnknown) {
    EXPECT_EQ(to_string(static_cast<CallCode>(99)), "UNKNOWN");
    EXPECT_EQ(to_string(static_cast<CallCode>(-1)), "UNKNOWN");
}

TEST(CallStatusTest, WhoeverDoesNotAnswerCountsForTheBreaker) {
    EXPECT_TRUE(failure_of({CallCode::unavailable, ""}).is_unreachable);
    EXPECT_TRUE(failure_of({CallCode::deadline_exceeded, ""}).is_unreachable);
    EXPECT_TRUE(failure_of({CallCode::resource_exhausted, ""}).is_unreachable);
    EXPECT_FALSE(failure_of({CallCode::permission_denied, ""}).is_unreachable);
    EXPECT_FALSE(failure_of({CallCode::cancelled, ""}).is_unreachable);
    EXPECT_EQ(failure_of({CallCode::internal, "why"}).code, "INTERNAL");
    EXPECT_EQ(failure_of({CallCode::internal, "why"}).message, "why");
}

// The connection went away under the call: whether it took effect has to be asked.
TEST(CallStatusTest, TakesABrokenStreamForNoWordOfTheServer) {
    EXPECT_EQ(answer_of(told_by_grpc(CallCode::unknown, "Stream removed")).outcome,
              StartOutcome::unknown);
    EXPECT_EQ(told_by_grpc(CallCode::unknown, "a panic").code, CallCode::unknown);
    EXPECT_EQ(told_by_grpc(CallCode::internal, "Stream removed").code, CallCode::internal);
}

}  // namespace
}  // namespace millrace
