#include "api/http/origin.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

TEST(OriginTest, KnowsTheNamesOfThisMachine) {
    for (const char* host : {"localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:8080",
                             "127.9.8.7:1", "[::1]", "[::1]:8080"}) {
        EXPECT_TRUE(is_loopback_host(host)) << host;
    }
}

TEST(OriginTest, IsNotFooledByOtherNames) {
    for (const char* host : {"",
                             "example.com",
                             "localhost.example.com",
                             "127.0.0.1.example.com",
                             "127.0.0",
                             "128.0.0.1",
                             "127.0.0.256",
                             "127.0.0.1:80:80",
                             "[::2]:8080",
                             "[::1",
                             "[::1]x",
                             "[::1].example.com",
                             "[::ffff:127.0.0.1]",
                             "[::]",
                             "0.0.0.0",
                             "0.0.0.0:8080",
                             "127.1",
                             "0x7f.0.0.1",
                             "2130706433",
                             "::1",
                             "localhost.",
                             "[::1]:80:80",
                             "[::1]@example.com",
                             "localhost:port",
                             "user@localhost",
                             "localhost/"}) {
        EXPECT_FALSE(is_loopback_host(host)) << host;
    }
}

TEST(OriginTest, AllowsPagesOfThisMachineOnly) {
    EXPECT_TRUE(is_loopback_origin("http://localhost:5173"));
    EXPECT_TRUE(is_loopback_origin("https://[::1]:8443"));
    for (const char* origin : {"null", "", "http://example.com", "ftp://localhost", "localhost",
                               "http://localhost.example.com", "file://"}) {
        EXPECT_FALSE(is_loopback_origin(origin)) << origin;
    }
}

TEST(OriginTest, AllowsPagesThatTheServerItselfServes) {
    EXPECT_TRUE(is_same_origin("https://engine.example.com:8080", "Engine.example.com:8080"));
    EXPECT_FALSE(is_same_origin("https://engine.example.com", "engine.example.com:8080"));
    EXPECT_FALSE(is_same_origin("null", ""));
    EXPECT_FALSE(is_same_origin("http://", ""));
}

}  // namespace
}  // namespace millrace::http
