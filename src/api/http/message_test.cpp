#include "api/http/message.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

TEST(HttpHeadersTest, FindsTheFirstFieldWhateverItsCase) {
    HttpHeaders headers;
    headers.add("Host", "one");
    headers.add("X-Empty", "");
    headers.add("hOST", "two");
    EXPECT_EQ(headers.find("host"), "one");
    EXPECT_EQ(headers.find("x-empty"), "");
    EXPECT_EQ(headers.find("Hos"), std::nullopt);
    EXPECT_EQ(headers.count("HOST"), 2u);
    EXPECT_EQ(headers.count("Origin"), 0u);
}

TEST(HttpRequestTest, NamesItsPathParameters) {
    const HttpRequest request{.path_parameters = {{"id", "a"}, {"version", "2"}}};
    EXPECT_EQ(request.path_parameter("id"), "a");
    EXPECT_EQ(request.path_parameter("version"), "2");
}

}  // namespace
}  // namespace millrace::http
