#include "api/grpc/call_head.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace millrace::rpc {
namespace {

using namespace std::chrono_literals;

TEST(CallHead, ReadsTimeouts) {
    const std::pair<const char*, std::optional<Duration>> cases[] = {{"1H", 1h},
                                                                     {"2M", 2min},
                                                                     {"30S", 30s},
                                                                     {"250m", 250ms},
                                                                     {"7u", 7us},
                                                                     {"99999999n", 99999us},
                                                                     {"123456789S", std::nullopt},
                                                                     {"S", std::nullopt},
                                                                     {"-1S", std::nullopt},
                                                                     {"1", std::nullopt},
                                                                     {"1x", std::nullopt},
                                                                     {"", std::nullopt}};
    for (const auto& [text, expected] : cases) EXPECT_EQ(parse_timeout(text), expected) << text;
}

TEST(CallHead, KeepsWhatSomebodyAsksForAndCountsTheRest) {
    CallHead head;
    head.add(":method", "POST");
    head.add(":path", "/a.B/C");
    head.add(":authority", "localhost%3a80");
    head.add("authorization", "one");
    head.add("authorization", "two");
    head.add("cookie", "secret");
    EXPECT_EQ(head.path, "/a.B/C");
    EXPECT_EQ(head.headers.find("Host"), "localhost:80");
    EXPECT_EQ(head.headers.count("Authorization"), 2U);
    EXPECT_EQ(head.headers.count("Cookie"), 0U);
    EXPECT_GT(head.bytes, 6 * 32U);
}

TEST(CallHead, KeepsNothingBeyondItsLimit) {
    CallHead head;
    head.add("a", std::string(limits::kHeaderBytesMax, 'x'));
    head.add(":path", "/a.B/C");
    EXPECT_GT(head.bytes, limits::kHeaderBytesMax);
    EXPECT_EQ(head.path, "");
}

}  // namespace
}  // namespace millrace::rpc
