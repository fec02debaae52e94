#include "api/http/url.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

TEST(UrlTest, PercentDecodesOnce) {
    EXPECT_EQ(percent_decoded("a%2Fb%3a"), "a/b:");
    EXPECT_EQ(percent_decoded("%2525"), "%25");
    EXPECT_EQ(percent_decoded("a+b"), "a+b");
    EXPECT_EQ(percent_decoded(""), "");
    for (const char* broken : {"%", "%4", "%zz", "a%4g"}) {
        EXPECT_EQ(percent_decoded(broken), std::nullopt) << broken;
    }
}

TEST(UrlTest, FindsTheFirstValueInAQuery) {
    EXPECT_EQ(query_value("page=2&keyword=a+b%26c&page=3", "page"), "2");
    EXPECT_EQ(query_value("page=2&keyword=a+b%26c", "keyword"), "a b&c");
    EXPECT_EQ(query_value("flag&x=1", "flag"), "");
    EXPECT_EQ(query_value("business%4bey=7", "businessKey"), "7");
    EXPECT_EQ(query_value("pages=2", "page"), std::nullopt);
    EXPECT_EQ(query_value("", "page"), std::nullopt);
    EXPECT_EQ(query_value("a=b=c", "a"), "b=c");
}

TEST(UrlTest, SplitsTargetsOfBothForms) {
    struct Row {
        std::string_view target, path, query;
    };
    for (const auto& [target, path, query] : {
             Row{"/v1/jobs", "/v1/jobs", ""},
             Row{"/v1/jobs?a=1?b", "/v1/jobs", "a=1?b"},
             Row{"http://host:80/x?y=1", "/x", "y=1"},
             Row{"/x#fragment?y", "/x", ""},
         }) {
        const auto parts = split_target(target);
        ASSERT_TRUE(parts) << target;
        EXPECT_EQ(parts->path, path);
        EXPECT_EQ(parts->query, query);
    }
    for (const char* broken : {"*", "host:443", "http://host", ""}) {
        EXPECT_FALSE(split_target(broken)) << broken;
    }
}

}  // namespace
}  // namespace millrace::http
