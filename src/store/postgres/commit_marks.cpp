#include "store/postgres/commit_marks.hpp"

#include <chrono>

namespace millrace::postgres {

namespace {

using namespace std::chrono_literals;

constexpr Duration kCommitterLife = 24h;
// Much longer than a committer lives and than anybody stays in doubt.
constexpr Duration kLongAgo = 7 * 24h;
constexpr std::int64_t kSweepEvery = 64;

}  // namespace

CommitMark CommitMarks::next(Instant now, Id128 random) {
    if (last_.number == 0 || now - made_at_ > kCommitterLife) {
        made_at_ = now;
        last_ = {.committer_id = Id128::for_instance(now, random.low)};
    }
    last_.number += 1;
    return last_;
}

void CommitMarks::append_sweep(std::vector<Call>& calls, const CommitMark& mark) const {
    if (mark.number == 1) {
        Parameters parameters;
        parameters.add(Id128::for_instance(made_at_ - kLongAgo, 0));
        calls.push_back(call(sql::delete_old_commit_marks, std::move(parameters)));
    } else if (mark.number % kSweepEvery == 0) {
        calls.push_back(call(sql::delete_commit_marks, parameters_of(mark)));
    }
}

Parameters parameters_of(const CommitMark& mark) {
    Parameters parameters;
    parameters.add(mark.committer_id);
    parameters.add(mark.number);
    return parameters;
}

}  // namespace millrace::postgres
