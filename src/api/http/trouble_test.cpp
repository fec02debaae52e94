#include "api/http/trouble.hpp"

#include <gtest/gtest.h>

#include "api/http/error_response.hpp"

namespace millrace::http {
namespace {

TEST(TakeTrouble, KeepsWhatIsInternalForTheLog) {
    HttpResponse response =
        error_response({ErrorCode::internal, "A stored \"x\" is corrupt."}, "r-1");
    EXPECT_EQ(take_trouble(response, "r-1"), "A stored \"x\" is corrupt.");
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(
        response.body,
        R"({"error":"internal-error","reason":"Something went wrong here; the log says more.",)"
        R"("message":"Something went wrong here; the log says more.","requestId":"r-1",)"
        R"("details":[]})"
        "\n");
}

TEST(TakeTrouble, LeavesWhatCallersCanActOn) {
    const Error away{ErrorCode::unavailable, "The disk of the store is full."};
    HttpResponse response = error_response(away, "r-1");
    const std::string body = response.body;
    EXPECT_EQ(take_trouble(response, "r-1"), away.detail);
    EXPECT_EQ(response.body, body);
}

TEST(TakeTrouble, IsNoneWhereTheServerDidAsAsked) {
    HttpResponse refused = error_response({ErrorCode::not_found, "There is no such job."}, "r-1");
    EXPECT_EQ(take_trouble(refused, "r-1"), "");
    HttpResponse not_ready{.status = 503, .body = R"({"ready":false,"reasons":["No store."]})"};
    EXPECT_EQ(take_trouble(not_ready, "r-1"), "");
    HttpResponse text{.status = 500, .content_type = kTextType, .body = "no JSON"};
    EXPECT_EQ(take_trouble(text, "r-1"), "");
    EXPECT_EQ(text.body, "no JSON");
}

}  // namespace
}  // namespace millrace::http
