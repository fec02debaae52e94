#include "store/postgres/hint_message.hpp"

#include <gtest/gtest.h>

namespace millrace::postgres {
namespace {

constexpr Id128 kSender{7, 8};

TEST(HintMessageTest, ReadsBackWhatItWrites) {
    const WaitingType type{{"acme"}, {"charge \"card\" ü"}};
    const InstanceKey instance{{Id128{1, 2}}, {"acme"}};
    const Hint hints[] = {
        {},
        {.is_incomplete = true},
        {.members_changed = true},
        {.waiting = {type, {{"globex"}, {"ship"}}}},
        {.api_keys = {"k1", "k2"}},
        {.waiting = {type}, .api_keys = {"k1"}, .instances = {instance}, .is_incomplete = true},
    };
    for (const Hint& hint : hints) {
        const HintMessage message{kSender, hint};
        const std::string text = write_hint(message);
        EXPECT_EQ(read_hint(text), message) << text;
    }
}

TEST(HintMessageTest, CutsALongHintShortAndSaysSo) {
    Hint hint{.api_keys = {"revoked"}};
    for (int n = 0; n < 1'000; ++n) {
        hint.waiting.push_back({{"acme"}, {"type-" + std::to_string(n)}});
        hint.instances.push_back({{Id128{1, static_cast<std::uint64_t>(n)}}, {"acme"}});
    }
    const std::string text = write_hint({kSender, hint});
    EXPECT_LE(text.size(), kHintBytesMax);
    EXPECT_GT(text.size(), kHintBytesMax - 100) << "as much as fits";
    const std::optional<HintMessage> read = read_hint(text);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->hint.is_incomplete);
    EXPECT_EQ(read->hint.api_keys, hint.api_keys) << "what matters most comes first";
    EXPECT_EQ(read->hint.waiting[0], hint.waiting[0]);
}

TEST(HintMessageTest, InstancesLeftOutMakeNobodyLookForJobs) {
    Hint hint;
    for (std::uint64_t n = 0; n < 1'000; ++n) hint.instances.push_back({{Id128{1, n}}, {"acme"}});
    const std::optional<HintMessage> read = read_hint(write_hint({kSender, hint}));
    ASSERT_TRUE(read);
    EXPECT_LT(read->hint.instances.size(), hint.instances.size());
    EXPECT_FALSE(read->hint.is_incomplete);
}

TEST(HintMessageTest, CutsASingleNameThatIsTooLong) {
    const Hint hint{.waiting = {{{"acme"}, {std::string(10'000, 'x')}}}};
    const std::string text = write_hint({kSender, hint});
    const HintMessage expected{kSender, {.is_incomplete = true}};
    EXPECT_EQ(read_hint(text), expected) << text;
}

TEST(HintMessageTest, IgnoresWhatNobodyOfUsWrote) {
    for (const char* text : {"", "x", "[]", "{}", R"({"from":1})", R"({"from":"nobody"})"}) {
        EXPECT_EQ(read_hint(text), std::nullopt) << text;
    }
    const std::string of_a_later_version =
        R"({"from":")" + to_string(kSender) + R"(","waiting":[1,["a"],["a","b"]],"more":{}})";
    const HintMessage expected{kSender, {.waiting = {{{"a"}, {"b"}}}}};
    EXPECT_EQ(read_hint(of_a_later_version), expected);
}

}  // namespace
}  // namespace millrace::postgres
