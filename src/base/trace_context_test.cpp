#include "base/trace_context.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(TraceContextTest, ReadsWhatIsValid) {
    for (const char* text : {
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
             "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
         }) {
        const std::optional<TraceContext> context = parse_trace_parent(text);
        ASSERT_TRUE(context) << text;
        EXPECT_EQ(trace_id_text(*context), "0af7651916cd43dd8448eb211c80319c") << text;
        EXPECT_EQ(span_id_text(context->span_id), "b7ad6b7169203331") << text;
        EXPECT_FALSE(context->is_recorded) << text;
    }
}

TEST(TraceContextTest, TakesNothingElse) {
    for (const char* text : {
             "",
             "00",
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
             "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more",
             "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "00-00000000000000000000000000000000-b7ad6b7169203331-01",
             "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
             "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
             "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
         }) {
        EXPECT_EQ(parse_trace_parent(text), std::nullopt) << text;
    }
}

TEST(TraceContextTest, WritesWhatItReads) {
    for (const char* text : {
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "00-0000000000000000000000000000001c-0000000000000001-00",
         }) {
        EXPECT_EQ(trace_parent_text(*parse_trace_parent(text)), text);
    }
}

TEST(TraceContextTest, KnowsOfAllFlagsOnlyWhetherTheTraceIsSampled) {
    const auto context =
        parse_trace_parent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff");
    EXPECT_EQ(trace_parent_text(*context),
              "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
}

// Workers were told these numbers: they are an interface between replicas and versions.
TEST(TraceContextTest, GivesEachIdASpanOfItsOwnForGood) {
    const Id128 instance{0x0192'0000'0000'0001u, 0x2222'3333'0000'0000u};
    EXPECT_EQ(span_id_text(span_id_of(instance)), "fc998413c32153d3");
    EXPECT_EQ(span_id_text(span_id_of(instance.with_sequence(2))), "29dc4e747ecf8836");
}

}  // namespace
}  // namespace millrace
