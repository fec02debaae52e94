// Every two commands that can meet, on two real connections: the first is stopped before each of
// its statements, the second goes on as far as it gets. What both are told and the state at the end
// must be as if one had come after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "interleavings/stage.hpp"

namespace millrace {
namespace {

// BEGIN and the settings of the transaction see nothing and lock nothing.
constexpr std::size_t kFirstStop = 3;
constexpr std::size_t kStepOfBatches = 3;  // They have twice the statements.
constexpr std::size_t kToldMax = 10;

// All stops (make interleavings), or one for each pair, always the same.
bool stops_everywhere() {
    const char* asked = std::getenv("MILLRACE_INTERLEAVINGS");
    return asked != nullptr && std::string_view(asked) == "all";
}

Outcome swapped(Outcome outcome) {
    std::swap(outcome.answers[0], outcome.answers[1]);
    return outcome;
}

std::string name_of(const Side& side) {
    std::string name;
    for (const auto& [deed, number] : side) {
        name += (name.empty() ? "" : "+") + deed->name + "(" + std::to_string(number) + ")";
    }
    return name;
}

bool has_duty(const Side& side) {
    return std::ranges::any_of(side, [](const auto& part) { return part.first->is_duty; });
}

std::vector<bool> bools_if(bool is_open) {
    return is_open ? std::vector{false, true} : std::vector{false};
}

// The lines that only one of the two has.
std::string difference(const Outcome& expected, const Outcome& found) {
    const auto lines = [](const Outcome& outcome) {
        std::set<std::string> all;
        std::istringstream text(text_of(outcome));
        for (std::string line; std::getline(text, line);) all.insert(line);
        return all;
    };
    const std::set<std::string> left = lines(expected);
    const std::set<std::string> right = lines(found);
    std::string told;
    for (const std::string& line : left) {
        if (!right.contains(line)) told += "  expected " + line + "\n";
    }
    for (const std::string& line : right) {
        if (!left.contains(line)) told += "  found    " + line + "\n";
    }
    return told.empty() ? "  the same lines, in another order\n" : told;
}

class InterleavingsTest : public testing::TestWithParam<Scene> {
protected:
    ~InterleavingsTest() override {
        std::printf("%zu interleavings, in %zu of them the second one waited\n", runs_, waits_);
    }

    // Of all stops, each `step`-th is looked at, beginning at another one for each pair.
    void check_pair(const Side& x, const Side& y, std::size_t step) {
        std::vector<Outcome> serial;
        std::size_t statements_of_x = 0;
        std::size_t statements_of_y = 0;
        for (const bool without_x : bools_if(has_duty(x))) {
            for (const bool without_y : bools_if(has_duty(y))) {
                const bool is_whole = !without_x && !without_y;
                serial.push_back(stage_.play_in_turn(x, y, {without_x, without_y}));
                if (is_whole) statements_of_x = stage_.statements_of_first();
                serial.push_back(swapped(stage_.play_in_turn(y, x, {without_y, without_x})));
                if (is_whole) statements_of_y = stage_.statements_of_first();
            }
        }
        stop(x, y, statements_of_x, step, serial);
        if (x == y) return;
        for (Outcome& outcome : serial) outcome = swapped(std::move(outcome));
        std::swap(serial[0], serial[1]);
        stop(y, x, statements_of_y, step, serial);
    }

    Stage stage_{GetParam()};

private:
    void stop(const Side& first, const Side& second, std::size_t statements, std::size_t step,
              const std::vector<Outcome>& serial) {
        const std::size_t pair = pairs_++;
        if (stops_everywhere()) {
            std::size_t at = kFirstStop + pair % step;
            while (check_stop(first, second, at, serial)) at += step;
            return;
        }
        const std::size_t stops = statements > kFirstStop ? statements - kFirstStop : 1;
        check_stop(first, second, kFirstStop + pair * 7 % stops, serial);
    }

    // False when the first one was over before that stop.
    bool check_stop(const Side& first, const Side& second, std::size_t at,
                    const std::vector<Outcome>& serial) {
        const Stage::Interleaved played = stage_.interleave(first, second, at);
        runs_ += 1;
        waits_ += played.has_waited ? 1 : 0;
        const bool is_serial = std::ranges::find(serial, played.outcome) != serial.end();
        if (is_serial && played.troubles.empty()) return !played.stopped_before.empty();
        std::string told = GetParam().name + ": " + name_of(first) + " stopped before " +
                           played.stopped_before + ", " + name_of(second) +
                           (played.has_waited ? " waits\n" : " goes on\n");
        for (const std::string& trouble : played.troubles) told += "  trouble: " + trouble + "\n";
        if (!is_serial && ++told_ <= kToldMax) {
            told += " unlike one after the other:\n" + difference(serial[0], played.outcome);
            told += " unlike the other way round:\n" + difference(serial[1], played.outcome);
        }
        ADD_FAILURE() << told;
        return !played.stopped_before.empty();
    }

    std::size_t runs_ = 0;
    std::size_t waits_ = 0;
    std::size_t pairs_ = 0;
    std::size_t told_ = 0;
};

TEST_P(InterleavingsTest, EveryPairIsAsOneAfterTheOther) {
    const std::vector<std::string>& deeds = GetParam().deeds;
    for (std::size_t x = 0; x < deeds.size(); ++x) {
        for (std::size_t y = x; y < deeds.size(); ++y) {
            check_pair({{&deed_named(deeds[x]), 1}}, {{&deed_named(deeds[y]), 1}}, 1);
        }
    }
}

// Retention has a batch for itself, and an admission is decided before or after the commands of a
// workspace as their turns fall: of a batch with one of them there is more than one serial order.
bool has_one_order(const Deed& deed) {
    return !deed.name.starts_with("remove_") && !deed.name.starts_with("admit");
}

// Two items in one batch, which the other side has the other way round.
TEST_P(InterleavingsTest, BatchesOfTwoNeitherDeadlockNorMix) {
    const std::vector<std::string>& deeds = GetParam().deeds;
    for (std::size_t x = 0; x < deeds.size(); ++x) {
        for (std::size_t y = x; y < deeds.size(); ++y) {
            // In `make test` some of the pairs have to do.
            if (!stops_everywhere() && (x * 31 + y) % 5 != 0) continue;
            const Deed& left = deed_named(deeds[x]);
            const Deed& right = deed_named(deeds[y]);
            if (!has_one_order(left) || !has_one_order(right)) continue;
            check_pair({{&left, 1}, {&right, 2}}, {{&left, 2}, {&right, 1}}, kStepOfBatches);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, InterleavingsTest, testing::ValuesIn(scenes()),
                         [](const auto& scene) { return scene.param.name; });

}  // namespace
}  // namespace millrace
