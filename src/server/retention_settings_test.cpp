#include "server/retention_settings.hpp"

#include <gtest/gtest.h>

#include "config/settings.hpp"

namespace millrace {
namespace {

TEST(FlawOfValue, IsOfRetentionAlone) {
    struct Case {
        const char* key;
        const char* value;
        const char* flaw;  // Part of it.
    };
    for (const auto& [key, value, flaw] : {
             Case{"retention", "P365D,acme=P30D,acme/order=keep", ""},
             Case{"retention", "P1", "P1"},
             Case{"auditRetention", "P365D,acme=P30D", ""},
             Case{"auditRetention", "acme/order=P1D", "only a workspace"},
             Case{"store", "P1", ""},
         }) {
        const std::string found = flaw_of_value(key, value);
        EXPECT_EQ(found.empty(), std::string_view(flaw).empty()) << key << ' ' << found;
        EXPECT_NE(found.find(flaw), std::string::npos) << found;
    }
    for (const char* key : {"retention", "auditRetention"}) EXPECT_TRUE(find_setting(key));
}

TEST(RetentionRulesOfAConfig, KeepEverythingByDefault) {
    EXPECT_EQ(retention_rules({}).instances.shortest(), std::nullopt);
}

}  // namespace
}  // namespace millrace
