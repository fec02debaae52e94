#include "observe/otlp/endpoint.hpp"

#include <gtest/gtest.h>

namespace millrace::observe::otlp {
namespace {

TEST(EndpointTest, ReadsUrls) {
    const struct {
        const char* url;
        Endpoint expected;
    } rows[] = {
        {"http://collector:4318", {false, "collector", "4318", "/v1/traces"}},
        {"http://collector:4318/", {false, "collector", "4318", "/v1/traces"}},
        {"http://collector", {false, "collector", "80", "/v1/traces"}},
        {"https://otlp.example.com", {true, "otlp.example.com", "443", "/v1/traces"}},
        {"https://example.com/otlp", {true, "example.com", "443", "/otlp/v1/traces"}},
        {"https://example.com/v1/traces", {true, "example.com", "443", "/v1/traces"}},
        {"http://[::1]:4318", {false, "::1", "4318", "/v1/traces"}},
        {"http://[::1]", {false, "::1", "80", "/v1/traces"}},
    };
    for (const auto& row : rows) {
        const Result<Endpoint> endpoint = parse_endpoint(row.url);
        ASSERT_TRUE(endpoint) << row.url;
        EXPECT_EQ(*endpoint, row.expected) << row.url;
    }
}

TEST(EndpointTest, RefusesWhatIsNoSuchUrl) {
    for (const char* url :
         {"", "collector:4318", "grpc://collector:4317", "http://", "http://:80",
          "http://h:", "http://h:0", "http://h:65536", "http://h:x", "http://[::1",
          "http://user:password@h", "http://h?x=1", "http://h/#x", "http://a b"}) {
        const Result<Endpoint> endpoint = parse_endpoint(url);
        ASSERT_FALSE(endpoint) << url;
        EXPECT_EQ(endpoint.error().code, ErrorCode::invalid_argument) << url;
    }
}

TEST(HeadersTest, ReadsLists) {
    const struct {
        const char* list;
        Headers expected;
    } rows[] = {
        {"", {}},
        {"a=b", {{"a", "b"}}},
        {" a = b , c=d=e,", {{"a", "b"}, {"c", "d=e"}}},
        {"authorization=Bearer%20secret", {{"authorization", "Bearer secret"}}},
        {"a=100%,b=%zz,c=", {{"a", "100%"}, {"b", "%zz"}, {"c", ""}}},
    };
    for (const auto& row : rows) {
        const Result<Headers> headers = parse_headers(row.list);
        ASSERT_TRUE(headers) << row.list;
        EXPECT_EQ(*headers, row.expected) << row.list;
    }
}

TEST(HeadersTest, RefusesWhatCannotBeSentAndKeepsValuesToItself) {
    for (const char* list : {"secret", "=secret", "a b=secret", "a=x%0d%0asecret", "ok=1,secret"}) {
        const Result<Headers> headers = parse_headers(list);
        ASSERT_FALSE(headers) << list;
        EXPECT_EQ(headers.error().code, ErrorCode::invalid_argument) << list;
        EXPECT_EQ(headers.error().detail.find("secret"), std::string::npos) << list;
    }
}

}  // namespace
}  // namespace millrace::observe::otlp
