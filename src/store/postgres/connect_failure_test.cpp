#include "store/postgres/connect_failure.hpp"

#include <gtest/gtest.h>

namespace millrace::postgres {
namespace {

TEST(ConnectFailure, IsOneLine) {
    EXPECT_EQ(connect_failure("host a: refused\n\tIs it running?\nhost b: refused\n", ""),
              "host a: refused; Is it running?; host b: refused");
}

TEST(ConnectFailure, HidesThePassword) {
    EXPECT_EQ(connect_failure("bad pst, pst", "pst"), "bad ***, ***");
}

TEST(MalformedTarget, KeepsNothingOfTheTarget) {
    EXPECT_EQ(malformed_target("invalid percent-encoded token: \"p%zz\"\n"),
              "the connection string is malformed: invalid percent-encoded token");
    EXPECT_EQ(malformed_target("missing \"=\" after \"pst\" in connection info string\n"),
              "the connection string is malformed");
}

}  // namespace
}  // namespace millrace::postgres
