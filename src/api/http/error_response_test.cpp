#include "api/http/error_response.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

TEST(ErrorResponseTest, HasEveryKeyThatAClientMayLookFor) {
    const Error error{ErrorCode::invalid_argument, "It is \"bad\".", {{"steps[0].id", "is empty"}}};
    const HttpResponse response = error_response(error, "r-1");
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.body,
              R"({"error":"bad-request","reason":"It is \"bad\".","message":"It is \"bad\".",)"
              R"("requestId":"r-1","details":[{"path":"steps[0].id","message":"is empty"}]})"
              "\n");
}

TEST(ErrorResponseTest, MapsEveryCode) {
    struct Row {
        ErrorCode code;
        int status;
        std::string_view wire_code;
    };
    for (const Row& row : {
             Row{ErrorCode::invalid_argument, 400, "bad-request"},
             Row{ErrorCode::unauthenticated, 401, "unauthorized"},
             Row{ErrorCode::permission_denied, 403, "forbidden"},
             Row{ErrorCode::not_found, 404, "not-found"},
             Row{ErrorCode::conflict, 409, "conflict"},
             Row{ErrorCode::lease_lost, 409, "conflict"},
             Row{ErrorCode::too_large, 413, "too-large"},
             Row{ErrorCode::unsupported_format, 415, "unsupported-format"},
             Row{ErrorCode::data_refused, 422, "unprocessable"},
             Row{ErrorCode::key_reused, 422, "unprocessable"},
             Row{ErrorCode::limit_exceeded, 429, "too-many-requests"},
             Row{ErrorCode::unavailable, 503, "unavailable"},
             Row{ErrorCode::commit_unknown, 503, "commit-unknown"},
             Row{ErrorCode::internal, 500, "internal-error"},
         }) {
        const WireError wire = wire_error(row.code);
        EXPECT_EQ(wire.status, row.status) << row.wire_code;
        EXPECT_EQ(wire.code, row.wire_code);
    }
}

}  // namespace
}  // namespace millrace::http
