#include "core/instance/tries.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/expression/utf8.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

// A message that must be kept although there is no room for it.
constexpr std::size_t kShortMessageBytes = 256;

// In the stored text, about.
std::size_t bytes_of(const Try& attempt) {
    constexpr std::size_t kNamesAndTimes = 128;
    return kNamesAndTimes + attempt.worker_id.value.size() + attempt.message.size();
}

std::size_t bytes_of_tries(const InstanceState& state) {
    std::size_t bytes = 0;
    for (const OpenStep& step : state.open_steps) {
        for (const Try& attempt : step.tries) bytes += bytes_of(attempt);
    }
    return bytes;
}

}  // namespace

void keep_try(InstanceState& state, OpenStep& step, Try ended) {
    if (step.tries.size() == limits::kTriesKeptMax) step.tries.pop_back();
    std::size_t others = bytes_of_tries(state);
    while (!step.tries.empty() && others + bytes_of(ended) > limits::kTriesBytesMax) {
        others -= bytes_of(step.tries.back());
        step.tries.pop_back();
    }
    if (others + bytes_of(ended) > limits::kTriesBytesMax) {
        const std::string_view start =
            std::string_view(ended.message).substr(0, kShortMessageBytes);
        ended.message.resize(expression::utf8::valid_size(start));
    }
    step.tries.push_back(std::move(ended));
}

std::size_t losses_in_a_row(const std::vector<Try>& tries) {
    const auto last_other = std::find_if(tries.rbegin(), tries.rend(), [](const Try& each) {
        return each.outcome != TryOutcome::expired;
    });
    return static_cast<std::size_t>(last_other - tries.rbegin());
}

}  // namespace millrace
