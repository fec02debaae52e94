#include "api/http/route_inputs.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

TEST(RouteInputs, RefuseWhatARouteDoesNotTake) {
    struct Row {
        const char* query;
        const char* path;    // Of what is wrong; empty when nothing is.
        const char* reason;  // A part of it.
    };
    const RouteInputs inputs{.query = {"status", "page", "pageSize"}};
    for (const Row& row : {
             Row{"", "", ""},
             Row{"status=FAILED&page=1&pageSize=2", "", ""},
             Row{"s%74atus=FAILED&", "", ""},
             Row{"&&page=", "", ""},
             Row{"staus=FAILED", "staus", "no query parameter `staus`; did you mean `status`?"},
             Row{"page=1&Status=FAILED", "Status", "did you mean `status`?"},
             Row{"colour=red", "colour", "there is `status`, `page`, `pageSize`"},
             Row{"page=1&page=1", "page", "`page` is given more than once"},
             Row{"page=1&p%61ge=1", "page", "`page` is given more than once"},
             Row{"a%0d%0ab=1", "a??b", "`a??b`"},
             Row{"=1", "", "no query parameter ``"},
             Row{"flag", "flag", "`flag`"},
         }) {
        const std::optional<Error> error = query_error(row.query, inputs);
        EXPECT_EQ(error.has_value(), *row.reason != '\0') << row.query;
        if (!error) continue;
        EXPECT_EQ(error->code, ErrorCode::invalid_argument);
        EXPECT_NE(error->detail.find(row.reason), std::string::npos) << error->detail;
        ASSERT_EQ(error->details.size(), 1u);
        EXPECT_EQ(error->details[0].path, row.path);
    }
    EXPECT_FALSE(query_error("colour=red&colour=blue", {.takes_any_query = true}));
    EXPECT_TRUE(query_error("colour=red", {}));
}

}  // namespace
}  // namespace millrace::http
