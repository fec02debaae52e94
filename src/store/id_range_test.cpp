#include "store/id_range.hpp"

#include <gtest/gtest.h>

#include "support/instances.hpp"

namespace millrace {
namespace {

constexpr Id128 kFirst{};
constexpr Id128 kLast{~std::uint64_t{0}, ~std::uint64_t{0}};

const Id128 kInstance = instance_key(7).id.value;

Id128 made_at(Instant at) {
    return Id128::for_instance(at, 5);
}

Page after(Id128 id) {
    return {.after = to_string(id)};
}

struct Row {
    const char* name;
    Result<IdRange> range;
    std::vector<Id128> inside;
    std::vector<Id128> outside;
};

TEST(IdRange, HoldsWhatAPageMayShow) {
    const Id128 next{kInstance.high, kInstance.low + 1};
    const Id128 before{kInstance.high, kInstance.low - 1};
    const Id128 low_end{4, ~std::uint64_t{0}};
    const InstanceFilter at_noon{.started_from = kNoon, .started_before = kNoon + 1h};
    const Row rows[] = {
        {"all", range_of(InstanceFilter{}, {}), {kFirst, kInstance, kLast}, {}},
        {"newest first",
         range_of(InstanceFilter{}, after(kInstance)),
         {kFirst, before},
         {kInstance, next, kLast}},
        {"oldest first",
         range_of(InstanceFilter{.oldest_first = true}, after(kInstance)),
         {next, kLast},
         {kFirst, before, kInstance}},
        {"over the low half, up",
         range_of(InstanceFilter{.oldest_first = true}, after(low_end)),
         {{5, 0}},
         {low_end, {4, 0}}},
        {"over the low half, down",
         range_of(InstanceFilter{}, after({5, 0})),
         {low_end},
         {{5, 0}, {5, 1}}},
        {"after the last",
         range_of(InstanceFilter{.oldest_first = true}, after(kLast)),
         {},
         {kFirst, kInstance, kLast}},
        {"before the first",
         range_of(InstanceFilter{}, after(kFirst)),
         {},
         {kFirst, kInstance, kLast}},
        {"one instance",
         range_of(InstanceFilter{.id = InstanceId{kInstance}}, {}),
         {kInstance},
         {before, next}},
        {"one instance, seen",
         range_of(InstanceFilter{.id = InstanceId{kInstance}}, after(kInstance)),
         {},
         {before, kInstance, next}},
        {"by time, with room for clocks",
         range_of(at_noon, {}),
         {made_at(kNoon), made_at(kNoon - 30min), made_at(kNoon + 90min)},
         {made_at(kNoon - 61min), made_at(kNoon + 121min)}},
        {"from the beginning of time",
         range_of(InstanceFilter{.started_from = Instant{}}, {}),
         {kFirst, kInstance},
         {}},
        {"until the end of time",
         range_of(InstanceFilter{.started_before = kEndOfTime}, {}),
         {kInstance, kLast},
         {}},
        {"before all time",
         range_of(InstanceFilter{.started_before = Instant{} - 24h}, {}),
         {kFirst},
         {kInstance}},
        {"jobs of an instance",
         range_of(JobFilter{.instance_id = InstanceId{kInstance}}, {}),
         {kInstance.with_sequence(2), kInstance.with_sequence(0xFFFF'FFFF)},
         {before, instance_key(8).id.value}},
        {"jobs go up",
         range_of(JobFilter{.instance_id = InstanceId{kInstance}},
                  after(kInstance.with_sequence(2))),
         {kInstance.with_sequence(3)},
         {kInstance.with_sequence(2)}},
        {"user tasks go down",
         range_of(UserTaskFilter{.instance_id = InstanceId{kInstance}},
                  after(kInstance.with_sequence(4))),
         {kInstance.with_sequence(3)},
         {kInstance.with_sequence(4), before}},
        {"audit by time, going down",
         range_of(AuditFilter{.since = kNoon, .until = kNoon + 1h}, after(made_at(kNoon))),
         {made_at(kNoon - 30min)},
         {made_at(kNoon), made_at(kNoon - 2h)}},
        {"executions by time, going down",
         range_of(ExecutionFilter{.created_from = kNoon, .created_before = kNoon + 1h},
                  after(made_at(kNoon))),
         {made_at(kNoon - 30min)},
         {made_at(kNoon), made_at(kNoon - 2h)}},
        {"executions, oldest first",
         range_of(ExecutionFilter{.oldest_first = true}, after(kInstance)),
         {next, kLast},
         {kFirst, kInstance}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        ASSERT_TRUE(row.range);
        for (const Id128 id : row.inside) EXPECT_TRUE(is_in(*row.range, id)) << to_string(id);
        for (const Id128 id : row.outside) EXPECT_FALSE(is_in(*row.range, id)) << to_string(id);
    }
}

TEST(IdRange, RefusesACursorThatIsNoId) {
    for (const char* cursor : {"x", "7", "0000000000000000000000000", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
                               "0000000000000000000000000l"}) {
        const Page page{.after = cursor};
        EXPECT_EQ(range_of(InstanceFilter{}, page).error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(range_of(JobFilter{}, page).error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(range_of(UserTaskFilter{}, page).error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(range_of(AuditFilter{}, page).error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(range_of(ExecutionFilter{}, page).error().code, ErrorCode::invalid_argument);
    }
}

TEST(IdRange, ReadsAVersionAndBeginsAtTheNewestWithoutOne) {
    EXPECT_EQ(version_before({.after = "12"}), 12);
    EXPECT_EQ(version_before({}), 0);
    EXPECT_EQ(version_before({.after = "x"}), 0);
    EXPECT_EQ(version_before({.after = "99999999999"}), 0);
}

}  // namespace
}  // namespace millrace
