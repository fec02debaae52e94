#include "api/rest/body_reader.hpp"

#include <gtest/gtest.h>

#include "api/rest/listing.hpp"
#include "api/rest/seconds.hpp"
#include "core/limits.hpp"

namespace millrace::rest {
namespace {

using namespace std::chrono_literals;

json::Value object(std::string_view text) {
    Result<json::Value> value = parse_object(text);
    EXPECT_TRUE(value) << text;
    return *value;
}

TEST(BodyReaderTest, MatchesNamesInAnyCaseAndTakesNullAsAbsent) {
    const json::Value value = object(R"({"WORKERID":"w","Retryable":true,"maxjobs":3,"x":null})");
    BodyReader body(value);
    EXPECT_EQ(body.text("workerId"), "w");
    EXPECT_TRUE(body.flag("retryable"));
    EXPECT_EQ(body.integer("maxJobs"), 3);
    EXPECT_EQ(body.text("x"), "");
    EXPECT_TRUE(body.object("x").is_null());
    EXPECT_EQ(body.array("missing"), nullptr);
    EXPECT_FALSE(body.has_error());
}

TEST(BodyReaderTest, RefusesOneNameInTwoCases) {
    const json::Value value = object(R"({"variables":{"a":1,"A":2},"Variables":null,"x":1})");
    BodyReader body(value);
    EXPECT_EQ(body.integer("x"), 1);
    EXPECT_FALSE(body.has_error());
    (void)body.object("variables");
    ASSERT_TRUE(body.has_error());
    EXPECT_EQ(body.error().details[0].path, "variables");
}

TEST(BodyReaderTest, KnowsTheNamesThatWereAskedFor) {
    const json::Value value = object(R"({"LIMIT":1,"dryRun":true})");
    BodyReader knowing(value, "filter");
    knowing.integer("limit");
    knowing.flag("dryRun");
    EXPECT_TRUE(knowing.finish());

    // Before what else is wrong: it tells why something seems to be missing.
    BodyReader body(value, "filter");
    body.integer("limit");
    body.flag("dryRuns");
    body.refuse("dryRuns", "dryRuns is required");
    EXPECT_FALSE(body.finish());
    EXPECT_EQ(body.error().details[0].path, "filter.dryRun");
    EXPECT_EQ(body.error().detail, "There is no field `dryRun`; did you mean `dryRuns`?");
}

TEST(BodyReaderTest, NotesUnknownNamesWhereTheyAreNotRefused) {
    const json::Value value = object(R"({"limit":1,"new":2})");
    UnreadFields refused(http::HttpRequest{});
    UnreadFields told(http::HttpRequest{.unknown_fields = http::UnknownFields::told});
    BodyReader body(value);
    body.integer("limit");
    EXPECT_TRUE(body.finish(told));
    EXPECT_FALSE(body.finish(refused));
}

TEST(BodyReaderTest, NamesTheFieldOfTheWrongType) {
    const json::Value value = object(R"({"a":1,"b":"x","c":[],"d":{},"e":1.5})");
    struct Row {
        void (*ask)(BodyReader&);
        const char* message;
    };
    for (const Row& row : {
             Row{[](BodyReader& body) { (void)body.text("a"); }, "a must be a string"},
             Row{[](BodyReader& body) { (void)body.flag("a"); }, "a must be true or false"},
             Row{[](BodyReader& body) { (void)body.integer("b"); }, "b must be an integer"},
             Row{[](BodyReader& body) { (void)body.integer("e"); }, "e must be an integer"},
             Row{[](BodyReader& body) { (void)body.number("b"); }, "b must be a number"},
             Row{[](BodyReader& body) { (void)body.object("c"); }, "c must be an object"},
             Row{[](BodyReader& body) { (void)body.array("d"); }, "d must be an array"},
         }) {
        BodyReader body(value, "jobs[1]");
        row.ask(body);
        ASSERT_TRUE(body.has_error()) << row.message;
        EXPECT_EQ(body.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(body.error().detail, "invalid request body: " + std::string(row.message));
        ASSERT_EQ(body.error().details.size(), 1u);
        EXPECT_TRUE(body.error().details[0].path.starts_with("jobs[1]."));
    }
}

TEST(BodyReaderTest, KeepsTheFirstError) {
    const json::Value value = object(R"({"a":1})");
    BodyReader body(value);
    (void)body.text("a");
    body.refuse("b", "b is required");
    EXPECT_EQ(body.error().details[0].path, "a");
}

TEST(BodyReaderTest, LimitsNames) {
    const json::Value value =
        object(R"({"a":")" + std::string(limits::kNameBytesMax + 1, 'x') + R"("})");
    BodyReader body(value);
    EXPECT_EQ(body.name("a"), "");
    EXPECT_TRUE(body.has_error());
}

TEST(BodyReaderTest, TakesOneObjectAndNothingAfterIt) {
    EXPECT_TRUE(parse_object(R"({"a":1})"));
    EXPECT_TRUE(parse_object("null"));
    for (const char* broken : {"", "[1]", "7", "{", R"({"a":1,"a":2})", R"({"a":1} and more)"}) {
        EXPECT_FALSE(parse_object(broken)) << broken;
    }
    EXPECT_TRUE(parse_optional_object(""));
}

TEST(SecondsTest, AreBroughtIntoTheirRange) {
    const auto lease = [](const char* text) {
        const json::Value value = object(text);
        BodyReader body(value);
        return lease_duration_of(body);
    };
    EXPECT_EQ(lease("{}"), 30s);
    EXPECT_EQ(lease(R"({"leaseSeconds":0})"), 30s);
    EXPECT_EQ(lease(R"({"leaseSeconds":1})"), 5s);
    EXPECT_EQ(lease(R"({"leaseSeconds":7.5})"), 7'500ms);
    EXPECT_EQ(lease(R"({"leaseSeconds":1e300})"), 3'600s);
    EXPECT_EQ(clamped_seconds(-1, 0s, 0s, 60s), 0s);
    EXPECT_EQ(clamped_seconds(61, 0s, 0s, 60s), 60s);
}

TEST(PageTest, IsAlwaysSound) {
    struct Row {
        const char* query;
        Page page;
    };
    for (const Row& row : {
             Row{"", {0, 20}},
             Row{"page=2&pageSize=50", {2, 50}},
             Row{"page=-1&pageSize=-1", {0, 20}},
             Row{"page=x&pageSize=0", {0, 20}},
             Row{"pageSize=100000", {0, 500}},
             Row{"page=99999999999", {0, 20}},
         }) {
        const Page page = *page_of("jobs", row.query);
        EXPECT_EQ(page.number, row.page.number) << row.query;
        EXPECT_EQ(page.size, row.page.size) << row.query;
    }
}

TEST(PageTest, GoesOnAfterACursor) {
    for (const char* place : {"01KA3G5B7QJ8Z4T2R9V0000000", "a", "order/\u00e9?+", "17"}) {
        const std::string cursor = to_cursor("jobs", place);
        EXPECT_EQ(cursor.find_first_of("+/=&"), std::string::npos) << cursor;
        const Result<Page> page = page_of("jobs", "page=3&pageSize=7&cursor=" + cursor);
        ASSERT_TRUE(page);
        EXPECT_EQ(page->after, place);
        EXPECT_EQ(page->number, 0);
        EXPECT_EQ(page->size, 7);
    }
    for (const char* cursor : {"=", "a", "%00", "YQ==", "!!!!"}) {
        const Result<Page> page = page_of("jobs", "cursor=" + std::string(cursor));
        ASSERT_FALSE(page) << cursor;
        EXPECT_EQ(page.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(page.error().details.at(0).path, "cursor");
    }
    EXPECT_TRUE(page_of("jobs", "cursor=")->after.empty());
}

}  // namespace
}  // namespace millrace::rest
