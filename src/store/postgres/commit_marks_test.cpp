#include "store/postgres/commit_marks.hpp"

#include <gtest/gtest.h>

#include "support/jobs.hpp"

namespace millrace::postgres {
namespace {

constexpr Id128 kRandom{1, 2};
constexpr Id128 kOtherRandom{3, 4};

TEST(CommitMarksTest, EachBatchHasTheNextNumber) {
    CommitMarks marks;
    const CommitMark first = marks.next(kNoon, kRandom);
    const CommitMark second = marks.next(kNoon + 1s, kOtherRandom);
    EXPECT_EQ(first.number, 1);
    EXPECT_EQ(second.number, 2);
    EXPECT_EQ(first.committer_id, second.committer_id);
}

TEST(CommitMarksTest, ACommitterTakesANewIdEveryDay) {
    CommitMarks marks;
    const CommitMark old = marks.next(kNoon, kRandom);
    const CommitMark fresh = marks.next(kNoon + 25h, kRandom);
    EXPECT_GT(fresh.committer_id, old.committer_id);
    EXPECT_EQ(fresh.number, 1);
}

TEST(CommitMarksTest, OldMarksAreClearedNowAndThen) {
    CommitMarks marks;
    std::vector<std::int64_t> sweeps;
    for (int batch = 0; batch < 200; ++batch) {
        const CommitMark mark = marks.next(kNoon, kRandom);
        std::vector<Call> calls;
        marks.append_sweep(calls, mark);
        if (!calls.empty()) sweeps.push_back(mark.number);
    }
    EXPECT_EQ(sweeps, (std::vector<std::int64_t>{1, 64, 128, 192}));
}

}  // namespace
}  // namespace millrace::postgres
