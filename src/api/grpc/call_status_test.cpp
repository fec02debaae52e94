#include "api/grpc/call_status.hpp"

#include <google/rpc/error_details.pb.h>
#include <google/rpc/status.pb.h>
#include <gtest/gtest.h>

#include "api/http/error_response.hpp"

namespace millrace::rpc {
namespace {

http::HttpResponse response_for(ErrorCode code) {
    return http::error_response(Error{code, "Why."}, "r-1");
}

TEST(CallStatusTest, EveryErrorHasItsCode) {
    struct Row {
        ErrorCode error;
        Code code;
    };
    for (const Row& row :
         {Row{ErrorCode::invalid_argument, Code::invalid_argument},
          Row{ErrorCode::unauthenticated, Code::unauthenticated},
          Row{ErrorCode::permission_denied, Code::permission_denied},
          Row{ErrorCode::not_found, Code::not_found}, Row{ErrorCode::conflict, Code::aborted},
          Row{ErrorCode::lease_lost, Code::aborted},
          Row{ErrorCode::too_large, Code::resource_exhausted},
          Row{ErrorCode::unsupported_format, Code::invalid_argument},
          Row{ErrorCode::data_refused, Code::invalid_argument},
          Row{ErrorCode::key_reused, Code::failed_precondition},
          Row{ErrorCode::limit_exceeded, Code::resource_exhausted},
          Row{ErrorCode::unavailable, Code::unavailable},
          Row{ErrorCode::commit_unknown, Code::unknown},
          Row{ErrorCode::internal, Code::internal}}) {
        const auto status = status_of(response_for(row.error), "r-1", Conflict::is_aborted);
        EXPECT_EQ(to_string(status.code), to_string(row.code));
        EXPECT_EQ(status.message, "Why.");
    }
    const auto conflict =
        status_of(response_for(ErrorCode::conflict), "", Conflict::is_failed_precondition);
    EXPECT_EQ(conflict.code, Code::failed_precondition);
}

TEST(CallStatusTest, StatusesOfHttpAloneHaveTheirs) {
    struct Row {
        int status;
        Code code;
    };
    for (const Row& row : {Row{404, Code::not_found}, Row{405, Code::unimplemented},
                           Row{410, Code::failed_precondition}, Row{503, Code::unavailable},
                           Row{500, Code::internal}, Row{418, Code::internal}}) {
        const http::HttpResponse response{.status = row.status, .body = "404 page not found\n"};
        const CallStatus status = status_of(response, "", Conflict::is_aborted);
        EXPECT_EQ(to_string(status.code), to_string(row.code)) << row.status;
        EXPECT_FALSE(status.message.empty());
    }
}

TEST(CallStatusTest, NamesTheCauseOfARefusedExtension) {
    const Error error{ErrorCode::lease_lost, "Why.", {{"cause", "timed_out"}}};
    const CallStatus status = status_of(error, "r-1");
    google::rpc::Status details;
    ASSERT_TRUE(details.ParseFromString(status.details));
    ASSERT_EQ(details.details_size(), 1) << "no field of the request is wrong";
    google::rpc::ErrorInfo info;
    ASSERT_TRUE(details.details(0).UnpackTo(&info));
    EXPECT_EQ(info.metadata().at("cause"), "timed_out");
}

TEST(CallStatusTest, DetailsSayMore) {
    http::HttpResponse response = http::error_response(
        Error{ErrorCode::limit_exceeded, "Later.", {{"a.b", "is wrong"}}}, "r-1");
    response.headers.emplace_back("Retry-After", "7");
    google::rpc::Status status;
    ASSERT_TRUE(status.ParseFromString(status_of(response, "r-1", Conflict::is_aborted).details));
    EXPECT_EQ(status.code(), 8);
    EXPECT_EQ(status.message(), "Later.");
    ASSERT_EQ(status.details_size(), 3);
    google::rpc::ErrorInfo info;
    ASSERT_TRUE(status.details(0).UnpackTo(&info));
    EXPECT_EQ(info.reason(), "too-many-requests");
    EXPECT_EQ(info.domain(), "millrace");
    EXPECT_EQ(info.metadata().at("requestId"), "r-1");
    google::rpc::BadRequest bad_request;
    ASSERT_TRUE(status.details(1).UnpackTo(&bad_request));
    EXPECT_EQ(bad_request.field_violations(0).field(), "a.b");
    EXPECT_EQ(bad_request.field_violations(0).description(), "is wrong");
    google::rpc::RetryInfo retry;
    ASSERT_TRUE(status.details(2).UnpackTo(&retry));
    EXPECT_EQ(retry.retry_delay().seconds(), 7);
}

TEST(CallStatusTest, FitsIntoHeaders) {
    Error error{ErrorCode::invalid_argument};
    for (int i = 0; i < 1'000; ++i) {
        error.detail += "€uro";
        error.details.push_back({std::string(500, 'p'), std::string(500, 'm')});
    }
    const CallStatus status = status_of(error, "r");
    EXPECT_LT(status.message.size(), 1'100u);
    EXPECT_LT(status.details.size(), 11'000u);
}

}  // namespace
}  // namespace millrace::rpc
