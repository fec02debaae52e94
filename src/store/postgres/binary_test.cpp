#include "store/postgres/binary.hpp"

#include <gtest/gtest.h>

namespace millrace::postgres {
namespace {

TEST(BinaryTest, NumbersTravelWithTheirHighByteFirst) {
    std::string bytes;
    append_big_endian(bytes, std::uint32_t{0x0102'0304});
    EXPECT_EQ(bytes, "\x01\x02\x03\x04");
    EXPECT_EQ(read_big_endian<std::uint32_t>(bytes.data()), 0x0102'0304u);
}

TEST(BinaryTest, TimesCountFromTheYear2000) {
    const Instant year_2000{std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}};
    EXPECT_EQ(to_timestamptz(year_2000), 0);
    EXPECT_EQ(to_timestamptz(Instant{}), -kEpochDistance);
    EXPECT_EQ(from_timestamptz(0), year_2000);
    EXPECT_EQ(from_timestamptz(to_timestamptz(Instant::max())), Instant::max());
}

TEST(BinaryTest, InfiniteTimesComeBackAsTheyWere) {
    EXPECT_EQ(from_timestamptz(kMinusInfinity), kBeforeAllTime);
    EXPECT_EQ(from_timestamptz(kInfinity), Instant::max());
    EXPECT_EQ(to_timestamptz(kBeforeAllTime), kMinusInfinity);
    EXPECT_EQ(to_timestamptz(Instant::max()), kInfinity);
}

TEST(BinaryTest, NoOtherTimeTurnsIntoAnInfiniteOne) {
    EXPECT_EQ(to_timestamptz(Instant::min()), kMinusInfinity + 1);
    EXPECT_EQ(from_timestamptz(to_timestamptz(kBeforeAllTime + Duration(1))),
              kBeforeAllTime + Duration(1));
    EXPECT_LT(to_timestamptz(Instant::max() - Duration(1)), kInfinity);
}

}  // namespace
}  // namespace millrace::postgres
