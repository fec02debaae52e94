#include "api/http/request_span.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

using observe::SpanAttribute;
using observe::SpanStatus;

constexpr Instant kBegan{std::chrono::seconds(1'700'000'000)};

Trail answered_trail() {
    return {.request_id = "r-1",
            .started_at = kBegan,
            .trace = {1, 2, 3, true, true},
            .parent_span_id = 4,
            .method = "POST",
            .remote_address = "127.0.0.1",
            .workspace = "mill",
            .route = "/v1/jobs/{id}/complete"};
}

TEST(RequestSpanTest, TellsWhatWasAskedByItsRoute) {
    const observe::Span span = request_span(answered_trail(), 204, kBegan + Duration{5});
    EXPECT_EQ(span.context, (TraceContext{1, 2, 3, true, true}));
    EXPECT_EQ(span.parent_span_id, 4u);
    EXPECT_EQ(span.name, "POST /v1/jobs/{id}/complete");
    EXPECT_EQ(span.kind, observe::SpanKind::server);
    EXPECT_EQ(span.started_at, kBegan);
    EXPECT_EQ(span.ended_at, kBegan + Duration{5});
    const std::vector<SpanAttribute> expected{
        {"http.request.method", "POST"},          {"http.response.status_code", std::int64_t{204}},
        {"client.address", "127.0.0.1"},          {"millrace.request.id", "r-1"},
        {"http.route", "/v1/jobs/{id}/complete"}, {"millrace.workspace.id", "mill"},
    };
    EXPECT_EQ(span.attributes, expected);
}

TEST(RequestSpanTest, HasFewNamesWhateverIsAsked) {
    Trail trail = answered_trail();
    trail.method = "MAKEITSO";
    trail.route = kUnmatchedRoute;
    EXPECT_EQ(request_span(trail, 405, kBegan).name, "HTTP");
}

TEST(RequestSpanTest, IsAnErrorWhenTheServerFailed) {
    for (const auto& [status, expected] : {std::pair{200, SpanStatus::unset},
                                           {404, SpanStatus::unset},
                                           {499, SpanStatus::unset},
                                           {500, SpanStatus::error},
                                           {503, SpanStatus::error}}) {
        EXPECT_EQ(request_span(answered_trail(), status, kBegan).status, expected) << status;
    }
}

}  // namespace
}  // namespace millrace::http
