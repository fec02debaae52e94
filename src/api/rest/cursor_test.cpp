#include "api/rest/cursor.hpp"

#include <gtest/gtest.h>

namespace millrace::rest {
namespace {

TEST(CursorTest, LeadsBackToItsPlace) {
    for (const std::string place :
         {"a", "ab", "abc", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "\xFF\xFE\xFB?>/", "größe:3"}) {
        const std::string cursor = cursor_of(place);
        EXPECT_EQ(cursor.find_first_of("+/="), std::string::npos) << cursor;
        const Result<std::string> found = place_in_cursor(cursor);
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, place);
    }
}

TEST(CursorTest, RefusesWhatIsNone) {
    for (const char* text : {"", "a", "!!!!", "YQ==YQ", "Y Q"}) {
        const Result<std::string> found = place_in_cursor(text);
        ASSERT_FALSE(found) << text;
        EXPECT_EQ(found.error().code, ErrorCode::invalid_argument);
    }
}

}  // namespace
}  // namespace millrace::rest
