#include "api/rest/cursor.hpp"

#include <gtest/gtest.h>

namespace millrace::rest {
namespace {

TEST(CursorTest, LeadsBackToItsPlace) {
    for (const std::string place :
         {"a", "ab", "abc", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "\xFF\xFE\xFB?>/", "größe:3"}) {
        const std::string cursor = to_cursor("jobs", place);
        EXPECT_EQ(cursor.find_first_of("+/="), std::string::npos) << cursor;
        EXPECT_EQ(from_cursor("jobs", cursor), place);
        for (const char* other : {"instances", "keys", "user-tasks"}) {
            EXPECT_EQ(from_cursor(other, cursor), std::nullopt) << other;
        }
    }
}

TEST(CursorTest, RefusesWhatIsNone) {
    for (const char* text : {"", "a", "!!!!", "YQ==YQ", "Y Q", "e30", "nonsense", "AAAAAAAA"}) {
        EXPECT_EQ(from_cursor("jobs", text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace millrace::rest
