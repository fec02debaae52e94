#include "core/access/key_text.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

const std::string kSecret = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";

TEST(KeyTextTest, ReadsWhatItWrites) {
    const std::string text = to_string(KeyText{"abcdefghij01", kSecret});
    EXPECT_EQ(text, "mr_abcdefghij01_" + kSecret);
    const std::optional<KeyText> parsed = parse_key_text(text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->id, "abcdefghij01");
    EXPECT_EQ(parsed->secret, kSecret);
}

TEST(KeyTextTest, RefusesWhatIsNoKey) {
    for (const std::string& text : {
             std::string(),
             std::string("mr_"),
             "mr_abcdefghij01_" + kSecret + "x",
             "mr_abcdefghij01_" + kSecret.substr(1),
             "mr_abcdefghij0_1" + kSecret,
             "MR_abcdefghij01_" + kSecret,
             "mr_ABCDEFGHIJ01_" + kSecret,
             "mr_abcdefghij01_" + kSecret.substr(1) + "-",
             "mr_abcdefghij01_" + kSecret.substr(1) + " ",
             "mr_abcdefghi\0"
             "1_" +
                 kSecret,
         }) {
        EXPECT_FALSE(parse_key_text(text)) << text;
    }
}

}  // namespace
}  // namespace millrace
