#include "api/grpc/millrace/json_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace millrace::rpc {
namespace {

TEST(JsonText, GivesOutValuesAsTheExactTextThatTheyAre) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {" 12 ", "12"},
        {"-1.50e+3,", "-1.50e+3"},
        {"true]", "true"},
        {"null", "null"},
        {R"("a\"b" , 1)", R"("a\"b")"},
        {R"("\\")", R"("\\")"},
        {R"({"z":1, "a":[2,{"b":"]}"}]} x)", R"({"z":1, "a":[2,{"b":"]}"}]})"},
        {"[]", "[]"},
        {"{ }", "{ }"},
        {"9223372036854775807", "9223372036854775807"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(JsonText(text).take().value_or("nothing"), expected) << text;
    }
}

TEST(JsonText, FailsWhereTheTextEndsWithinAValue) {
    for (const std::string_view text :
         {"", "  ", "{", "[1", "\"a", "\"a\\", "\"a\\\"", "[\"]", "{\"a\":[}", "]", ",", ":"}) {
        EXPECT_FALSE(JsonText(text).take()) << text;
    }
}

TEST(JsonText, WalksOverMembersAndItems) {
    JsonText text(R"( { "a" : 1 , "\u0062" : [ 2 , "x" , [] ] , "c" : {} } )");
    std::vector<std::string> seen;
    std::string name;
    ASSERT_TRUE(text.enter('{'));
    while (text.next_member(name)) {
        seen.push_back(name);
        if (text.enter('[')) {
            while (text.next_item()) seen.emplace_back(text.take().value_or("nothing"));
        } else {
            seen.emplace_back(text.take().value_or("nothing"));
        }
    }
    EXPECT_FALSE(text.has_failed());
    EXPECT_EQ(text.peek(), '\0');
    EXPECT_EQ(seen, (std::vector<std::string>{"a", "1", "b", "2", "\"x\"", "[]", "c", "{}"}));
}

TEST(JsonText, FailsOnMembersThatAreNone) {
    for (const std::string_view json : {"{1:2}", "{\"a\"}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
                                        "{\"a\":1", "{", "{,}", "{\"a\":1,"}) {
        JsonText text(json);
        std::string name;
        ASSERT_TRUE(text.enter('{'));
        while (text.next_member(name) && text.take()) continue;
        EXPECT_TRUE(text.has_failed()) << json;
    }
}

RC_GTEST_PROP(JsonText, EndsOnAnyText, ()) {
    const auto bytes = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("{}[]\",:\\ ntf01ea\x80\xff")));
    JsonText text(bytes);
    std::string name;
    std::size_t steps = 0;
    while (steps <= bytes.size() && (text.enter('{') || text.enter('[') || text.take())) {
        ++steps;
        if (text.next_member(name) || text.next_item()) continue;
        if (text.has_failed()) break;
    }
    RC_ASSERT(steps <= bytes.size());
}

TEST(JsonText, ReadsStrings) {
    EXPECT_EQ(string_in(R"("plain")"), "plain");
    EXPECT_EQ(string_in(R"("\u003ca\n\ud83d\ude00")"), "<a\n\xF0\x9F\x98\x80");
    for (const std::string_view json : {"", "\"", "1", "null", "\"\\x\"", "\"\\ud800\""}) {
        EXPECT_EQ(string_in(json), std::nullopt) << json;
    }
}

}  // namespace
}  // namespace millrace::rpc
