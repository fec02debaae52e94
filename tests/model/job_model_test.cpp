#include <gtest/gtest.h>

#include <string>

#include "model/explore.hpp"

namespace millrace::model {
namespace {

// Goal: the rules of tokens, leases, release, resumption and drain hold in every order of events.
// Method: a breadth-first search through all states within small bounds; then the same with one
// rule broken, which the search must find.

constexpr Cast kPolls{.jobs = 2, .claims_max = 2};
constexpr Cast kManyClaims{.has_streams = {true, false}, .claims_max = 3, .cuts = 1};
constexpr Cast kManyCuts{.has_streams = {true, false}, .claims_max = 2, .cuts = 2};
constexpr Cast kDrains{.has_streams = {true, false}, .claims_max = 2, .cuts = 1, .drains = 1};
constexpr Cast kTwoStreams{.has_streams = {true, true}, .claims_max = 2, .cuts = 1};
constexpr Cast kTwoJobs{.has_streams = {true, false}, .jobs = 2, .claims_max = 1, .cuts = 1};

std::string text_of(const Found& found) {
    std::string text = found.broken + '\n';
    for (const std::string& move : found.moves) text += "  " + move + '\n';
    return text;
}

class JobModelTest : public testing::TestWithParam<Cast> {};

TEST_P(JobModelTest, HoldsItsInvariants) {
    const Found found = explore(GetParam());
    EXPECT_EQ(found.broken, "") << text_of(found);
    EXPECT_GT(found.states, 10'000u);
}

INSTANTIATE_TEST_SUITE_P(, JobModelTest,
                         testing::Values(kPolls, kManyClaims, kManyCuts, kDrains, kTwoStreams,
                                         kTwoJobs));

struct Row {
    bool Mutant::*rule = nullptr;
    const Cast& cast;
    std::string broken{};
};

class JobModelMutantTest : public testing::TestWithParam<Row> {};

TEST_P(JobModelMutantTest, IsFound) {
    Cast cast = GetParam().cast;
    cast.mutant.*GetParam().rule = true;
    const Found found = explore(cast);
    EXPECT_EQ(found.broken, GetParam().broken) << text_of(found);
}

const std::string kTwoAccepted = "Two holders could both be accepted.";
const std::string kTaken = "A job was taken from a holder whose lease lives.";
const std::string kBurnt = "A retry was burnt without a failure.";
const std::string kDeadEnd = "The work can no longer be finished with all credit back.";

INSTANTIATE_TEST_SUITE_P(
    , JobModelMutantTest,
    testing::Values(Row{&Mutant::release_keeps_the_token, kPolls, kTwoAccepted},
                    Row{&Mutant::expiry_keeps_the_token, kPolls, kTwoAccepted},
                    Row{&Mutant::next_token_is_accepted_in_line, kPolls,
                        "A guessed token is accepted."},
                    Row{&Mutant::resumption_keeps_the_mark, kManyCuts, kTaken},
                    Row{&Mutant::free_ignores_the_mark, kManyCuts, kTaken},
                    Row{&Mutant::release_burns_a_retry, kPolls, kBurnt},
                    Row{&Mutant::repeated_failure_burns_a_retry, kPolls, kBurnt},
                    Row{&Mutant::delay_never_ends, kPolls, kDeadEnd},
                    Row{&Mutant::credit_is_raised_on_receipt, kTwoJobs,
                        "A worker got more jobs than it has slots."},
                    Row{&Mutant::refused_report_keeps_its_slot, kManyClaims, kDeadEnd}));

}  // namespace
}  // namespace millrace::model
