#include "core/retention/retention_rules.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using Subject = RetentionRules::Subject;

constexpr Instant kNow{std::chrono::sys_days{std::chrono::year{2030} / 3 / 31} + 12h};

RetentionRules rules_of(std::string_view text, Subject subject = Subject::instances) {
    const Result<RetentionRules> rules = RetentionRules::parse(text, subject);
    EXPECT_TRUE(rules) << text << ": " << (rules ? "" : rules.error().detail);
    return rules ? *rules : RetentionRules{};
}

struct Choice {
    std::string_view rules;
    std::string_view workspace_id;
    std::string_view definition_id;
    std::optional<Instant> expired_before;
};

TEST(RetentionRules, TheMostSpecificRuleWins) {
    constexpr std::string_view kAll = "P365D, acme=P30D ,acme/order=keep,*/import=P1D,*/order=P2D";
    const Choice cases[] = {
        {"keep", "acme", "order", std::nullopt},
        {"P1D", "acme", "order", kNow - days{1}},
        {"*=P1D", "acme", "order", kNow - days{1}},
        {"acme=P1D", "acme", "order", kNow - days{1}},
        {"acme=P1D", "globex", "order", std::nullopt},
        {"acme/order=P1D", "acme", "order", kNow - days{1}},
        {"acme/order=P1D", "acme", "import", std::nullopt},
        {"acme/order=P1D", "globex", "order", std::nullopt},
        {"acme/a/b=c=P1D", "acme", "a/b=c", kNow - days{1}},
        {"P1M", "acme", "order",
         Instant{std::chrono::sys_days{std::chrono::year{2030} / 2 / 28} + 12h}},
        {"PT1S", "acme", "order", kNow - 1s},
        {kAll, "globex", "other", kNow - days{365}},
        {kAll, "acme", "other", kNow - days{30}},
        {kAll, "acme", "order", std::nullopt},
        {kAll, "globex", "order", kNow - days{2}},
        {kAll, "acme", "import", kNow - days{1}},
    };
    for (const Choice& row : cases) {
        const auto before = rules_of(row.rules).expired_before(
            WorkspaceId{std::string(row.workspace_id)}, row.definition_id, kNow);
        EXPECT_EQ(before, row.expired_before)
            << row.rules << " for " << row.workspace_id << "/" << row.definition_id;
    }
}

TEST(RetentionRules, WithoutRulesEverythingIsKept) {
    EXPECT_EQ(RetentionRules{}.expired_before({"acme"}, "order", kNow), std::nullopt);
    EXPECT_EQ(RetentionRules{}.shortest(), std::nullopt);
}

TEST(RetentionRules, KnowWhatHasExpiredForAll) {
    EXPECT_EQ(rules_of("keep").all_expired_before(kNow), std::nullopt);
    EXPECT_EQ(rules_of("P2D,acme=P1D").all_expired_before(kNow), kNow - days{2});
    EXPECT_EQ(rules_of("P1D,acme=P3D").all_expired_before(kNow), kNow - days{3});
    EXPECT_EQ(rules_of("P1D,acme=keep").all_expired_before(kNow), std::nullopt);
    EXPECT_EQ(rules_of("acme=P1D").all_expired_before(kNow), std::nullopt);
}

TEST(RetentionRules, KnowTheirShortest) {
    EXPECT_EQ(rules_of("keep,acme=keep").shortest(), std::nullopt);
    EXPECT_EQ(rules_of("P1Y,acme=PT2H,*/order=P1D").shortest(), 2h);
    EXPECT_EQ(rules_of("P1M").shortest(), days{30});
}

TEST(RetentionRules, RefuseWhatIsNoRule) {
    for (const std::string_view text :
         {"", "P1D,", ",", "forever", "1d", "KEEP", "acme=", "=P1D", "acme/=P1D", "/order=P1D",
          "Acme=P1D", "-acme=P1D", "acme=P1D,acme=P2D", "P1D,*=P2D", "PT0.5S", "P0D", "acme P1D"}) {
        const auto rules = RetentionRules::parse(text, Subject::instances);
        ASSERT_FALSE(rules) << text;
        EXPECT_EQ(rules.error().code, ErrorCode::invalid_argument) << text;
    }
}

TEST(RetentionRules, NameTheRuleThatIsWrong) {
    const auto rules = RetentionRules::parse("P1D,acme=1d", Subject::instances);
    ASSERT_FALSE(rules);
    EXPECT_NE(rules.error().detail.find("\"acme=1d\""), std::string::npos) << rules.error().detail;
}

TEST(RetentionRules, OfTheAuditNameNoDefinition) {
    EXPECT_EQ(rules_of("acme=P1D", Subject::audit).expired_before({"acme"}, kNow), kNow - days{1});
    EXPECT_FALSE(RetentionRules::parse("acme/order=P1D", Subject::audit));
}

}  // namespace
}  // namespace millrace
