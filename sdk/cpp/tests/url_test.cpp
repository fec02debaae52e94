#include "url.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace millrace::client {
namespace {

struct Row {
    const char* name;
    const char* text;
    Url url;
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << row.text;
}

class ValidUrl : public testing::TestWithParam<Row> {};

TEST_P(ValidUrl, IsTakenApart) {
    const Result<Url> url = parse_url(GetParam().text);
    ASSERT_TRUE(url);
    EXPECT_EQ(*url, GetParam().url);
}

INSTANTIATE_TEST_SUITE_P(
    , ValidUrl,
    testing::Values(Row{"HostOnly", "http://millrace", {"millrace", "80", ""}},
                    Row{"Port", "http://127.0.0.1:8080", {"127.0.0.1", "8080", ""}},
                    Row{"Slash", "http://host:1/", {"host", "1", ""}},
                    Row{"Prefix", "http://host/a/b/", {"host", "80", "/a/b"}},
                    Row{"Ipv6", "http://[::1]:65535/x", {"::1", "65535", "/x"}},
                    Row{"Tls", "https://host", {"host", "443", "", true}},
                    Row{"TlsPort", "https://host:8443/p", {"host", "8443", "/p", true}},
                    Row{"Ipv6WithoutPort", "http://[fe80::1]", {"fe80::1", "80", ""}}),
    [](const auto& row) { return row.param.name; });

class InvalidUrl : public testing::TestWithParam<const char*> {};

TEST_P(InvalidUrl, IsRefused) {
    const Result<Url> url = parse_url(GetParam());
    ASSERT_FALSE(url);
    EXPECT_EQ(url.error().code, "invalid-url");
    EXPECT_EQ(url.error().status, 0);
}

INSTANTIATE_TEST_SUITE_P(, InvalidUrl,
                         testing::Values("", "host:8080", "https://", "ftp://host", "http://",
                                         "http://:80", "http://host:", "http://host:0",
                                         "http://host:65536", "http://host:8x", "http://[::1",
                                         "http://[]:80", "http://host/a?b", "http://host/#a",
                                         "http://ho st", "http://host/\r\nX: y", "http://[::1]80"));

TEST(Url, AuthorityPutsIpv6IntoBrackets) {
    EXPECT_EQ(authority({"::1", "80", ""}), "[::1]:80");
    EXPECT_EQ(authority({"host", "8080", "/x"}), "host:8080");
}

TEST(Url, PercentEncodingLeavesOnlyUnreservedCharacters) {
    EXPECT_EQ(percent_encoded("aZ9-_.~"), "aZ9-_.~");
    EXPECT_EQ(percent_encoded("a/b c:%?\xC3\xA9"), "a%2Fb%20c%3A%25%3F%C3%A9");
}

}  // namespace
}  // namespace millrace::client
