#include "api/http/trace_parent.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

TEST(TraceParentTest, FindsTheTraceIdOfWhatIsValid) {
    for (const char* text : {
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
             "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
             "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
         }) {
        EXPECT_EQ(trace_id_of(text), "0af7651916cd43dd8448eb211c80319c") << text;
    }
}

TEST(TraceParentTest, TakesNothingElse) {
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
        EXPECT_EQ(trace_id_of(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace millrace::http
