#include "api/http/response_writer.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

using namespace std::chrono_literals;

constexpr Instant kThen{784'111'777s};

std::string written(const HttpResponse& response, const ResponseFrame& frame) {
    std::string out;
    append_response(out, response, frame);
    return out;
}

TEST(ResponseWriterTest, WritesFieldsAndBody) {
    const HttpResponse response{.status = 201, .body = "{}\n", .headers = {{"Allow", "GET"}}};
    const ResponseFrame frame{
        .request_id = "r-1", .allowed_origin = "http://localhost:5173", .now = kThen};
    EXPECT_EQ(written(response, frame),
              "HTTP/1.1 201 Created\r\n"
              "Content-Type: application/json\r\n"
              "Content-Length: 3\r\n"
              "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
              "Vary: Origin\r\n"
              "Access-Control-Allow-Origin: http://localhost:5173\r\n"
              "X-Request-Id: r-1\r\n"
              "Allow: GET\r\n"
              "\r\n"
              "{}\n");
}

TEST(ResponseWriterTest, GivesNoContentNeitherTypeNorLength) {
    const std::string text = written({.status = 204}, {.now = kThen});
    EXPECT_TRUE(text.starts_with("HTTP/1.1 204 No Content\r\n"));
    EXPECT_EQ(text.find("Content-"), std::string::npos);
}

TEST(ResponseWriterTest, TellsTheLengthOfAnEmptyBody) {
    const std::string text = written({.status = 405}, {.now = kThen});
    EXPECT_NE(text.find("Content-Length: 0\r\n"), std::string::npos);
    EXPECT_EQ(text.find("Content-Type"), std::string::npos);
}

TEST(ResponseWriterTest, SendsNoBodyForHead) {
    const std::string text = written({.body = "body"}, {.now = kThen, .is_head = true});
    EXPECT_TRUE(text.ends_with("\r\n\r\n"));
    EXPECT_NE(text.find("Content-Length: 4\r\n"), std::string::npos);
}

TEST(ResponseWriterTest, SaysWhetherTheConnectionGoesOn) {
    const auto has = [](const ResponseFrame& frame, const char* field) {
        return written({}, frame).find(field) != std::string::npos;
    };
    EXPECT_FALSE(has({.keep_alive = true}, "Connection:"));
    EXPECT_TRUE(has({.keep_alive = false}, "Connection: close\r\n"));
    EXPECT_TRUE(has({.keep_alive = true, .is_http10 = true}, "Connection: keep-alive\r\n"));
    EXPECT_TRUE(has({.keep_alive = false, .is_http10 = true}, "Connection: close\r\n"));
}

TEST(ResponseWriterTest, AppendsBehindEarlierAnswers) {
    std::string out = "before";
    append_response(out, {.status = 204}, {.now = kThen});
    EXPECT_TRUE(out.starts_with("beforeHTTP/1.1 204"));
}

TEST(ResponseWriterTest, WritesStreamsInChunks) {
    const HttpResponse head{.content_type = kTextType};
    struct Row {
        ResponseFrame frame;
        std::string_view head_end;
        std::string_view body;
    };
    for (const Row& row : {
             Row{{}, "Transfer-Encoding: chunked\r\n", "10\r\n0123456789abcdef\r\n0\r\n\r\n"},
             Row{{.keep_alive = false, .is_http10 = true},
                 "Connection: close\r\n",
                 "0123456789abcdef"},
             Row{{.is_head = true}, "Transfer-Encoding: chunked\r\n", ""},
         }) {
        std::string out;
        append_stream_head(out, head, row.frame);
        EXPECT_NE(out.find(row.head_end), std::string::npos) << out;
        EXPECT_EQ(out.find("Content-Length"), std::string::npos) << out;
        EXPECT_TRUE(out.ends_with("\r\n\r\n")) << out;
        out.clear();
        append_chunk(out, "0123456789abcdef", row.frame);
        append_chunk(out, "", row.frame);
        append_stream_end(out, row.frame);
        EXPECT_EQ(out, row.body);
    }
}

}  // namespace
}  // namespace millrace::http
