#include "base/time_text.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(TimeText, HasAsManyDecimalsAsItNeeds) {
    using namespace std::chrono;
    const Instant start = sys_days(2026y / November / 15) + 6h + 55min + 59s;
    struct Row {
        Instant at;
        const char* text;
    };
    for (const Row& row : {
             Row{start, "2026-11-15T06:55:59Z"},
             Row{start + 545'620us, "2026-11-15T06:55:59.54562Z"},
             Row{start + 1us, "2026-11-15T06:55:59.000001Z"},
             Row{start + 500ms, "2026-11-15T06:55:59.5Z"},
             Row{Instant{}, "1970-01-01T00:00:00Z"},
             Row{Instant{} - 1us, "1969-12-31T23:59:59.999999Z"},
         }) {
        EXPECT_EQ(time_text(row.at), row.text);
    }
}

}  // namespace
}  // namespace millrace
