#include "observe/tracer.hpp"

#include <gtest/gtest.h>

#include "support/counting_random.hpp"
#include "support/kept_spans.hpp"

namespace millrace::observe {
namespace {

constexpr TraceContext kSampled{1, 2, 3, true, false};
constexpr TraceContext kUnsampled{1, 2, 3, false, false};

struct TracerTest : testing::Test {
    KeptSpans sink{};
    CountingRandom random{0, 0x1111'1111'1111'1111u};
};

TEST_F(TracerTest, HandsOnWhatComesWhileItIsOff) {
    const Tracer off;
    EXPECT_FALSE(off.is_on());
    EXPECT_EQ(off.follow(kSampled), kSampled);
    EXPECT_EQ(off.follow(kUnsampled), kUnsampled);
    EXPECT_FALSE(off.follow(std::nullopt).is_present());
    EXPECT_FALSE(off.begin().is_present());
    off.take({});
}

TEST_F(TracerTest, FollowsASampledParentWhateverTheRatio) {
    const Tracer tracer(sink, random, 0);
    const TraceContext context = tracer.follow(kSampled);
    EXPECT_EQ(context, kSampled.at(context.span_id));
    EXPECT_NE(context.span_id, kSampled.span_id);
    EXPECT_TRUE(context.is_recorded);
}

TEST_F(TracerTest, LeavesAloneWhatItsParentDoesNotSample) {
    const Tracer tracer(sink, random, 1);
    EXPECT_EQ(tracer.follow(kUnsampled), kUnsampled);
    EXPECT_FALSE(tracer.child_of(kUnsampled).is_present());
}

TEST_F(TracerTest, BeginsAsManyTracesAsTheRatioSays) {
    const struct {
        double ratio;
        int expected;
    } rows[] = {{0, 0}, {0.25, 64}, {0.5, 128}, {1, 256}};
    for (const auto& row : rows) {
        CountingRandom steps(0, std::uint64_t{1} << 48);
        const Tracer tracer(sink, steps, row.ratio);
        int begun = 0;
        for (int i = 0; i < 256; ++i) begun += tracer.follow(std::nullopt).is_recorded ? 1 : 0;
        EXPECT_EQ(begun, row.expected) << row.ratio;
    }
}

TEST_F(TracerTest, HandsSpansToItsSink) {
    const Tracer tracer(sink, random, 1);
    const TraceContext root = tracer.follow(std::nullopt);
    const TraceContext child = tracer.child_of(root);
    EXPECT_EQ(child, root.at(child.span_id));
    tracer.take({.context = child, .parent_span_id = root.span_id, .name = "work"});
    ASSERT_EQ(sink.spans.size(), 1u);
    EXPECT_EQ(sink.spans.front().name, "work");
}

}  // namespace
}  // namespace millrace::observe
