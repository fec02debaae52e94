// Goal: a load brings no more into memory than it may, and tells what it has left where it is.
// Method: rows whose sizes are known, a bound that some of them reach.

#include <numeric>

#include "store_conformance/admission_test.hpp"

namespace millrace {
namespace {

constexpr std::size_t kLarge = 100'000;

Variables large_variables() {
    return Variables::from_text("{\"a\":\"" + std::string(kLarge, 'x') + "\"}");
}

Instance large_instance(std::uint64_t n, const DefinitionRef& definition = {}) {
    Instance instance = waiting_instance(n, definition);
    instance.variables = large_variables();
    return instance;
}

Id128 id_of(std::uint64_t n) {
    return instance_key(n).id.value;
}

class ReadingBoundTest : public AdmissionTest {
protected:
    static std::vector<InstanceKey> keys_of(std::uint64_t count) {
        std::vector<InstanceKey> keys;
        for (std::uint64_t n = 1; n <= count; ++n) keys.push_back(instance_key(n));
        return keys;
    }

    static std::vector<Id128> ids_of(const std::vector<Instance>& instances) {
        std::vector<Id128> ids;
        for (const Instance& each : instances) ids.push_back(each.key.id.value);
        return ids;
    }
};

TEST_P(ReadingBoundTest, ReadsThoseThatComeFirstAndOthersUntilItIsReached) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 10; ++n) writes.instances_new.push_back(large_instance(n));
    ASSERT_TRUE(write(writes));
    const LoadedRows rows =
        load({.instances = keys_of(10),
              .bound = {.bytes_max = 3 * kLarge, .instances_first = {id_of(9)}}});
    EXPECT_EQ(ids_of(rows.instances), (std::vector{id_of(1), id_of(2), id_of(9)}));
    EXPECT_EQ(rows.left_out.instances,
              (std::vector{id_of(3), id_of(4), id_of(5), id_of(6), id_of(7), id_of(8), id_of(10)}));
    EXPECT_TRUE(load({.instances = keys_of(10)}).left_out.empty());
}

TEST_P(ReadingBoundTest, ReadsAllThatComeFirst) {
    ASSERT_TRUE(
        write({.instances_new = {large_instance(1), large_instance(2), large_instance(3)}}));
    const LoadedRows rows =
        load({.instances = keys_of(3),
              .bound = {.bytes_max = 1, .instances_first = {id_of(2), id_of(3)}}});
    EXPECT_EQ(ids_of(rows.instances), (std::vector{id_of(2), id_of(3)}));
    EXPECT_EQ(rows.left_out.instances, std::vector{id_of(1)});
}

TEST_P(ReadingBoundTest, LeavesNothingOutWhereAllOfItFits) {
    Writes writes{.instances_new = {large_instance(5)}};
    for (const std::uint64_t n : {1, 2, 3, 4, 6, 7, 8}) {
        writes.instances_new.push_back(waiting_instance(n));
    }
    ASSERT_TRUE(write(writes));
    const LoadedRows rows =
        load({.instances = keys_of(9),
              .bound = {.bytes_max = 2 * kLarge, .instances_first = {id_of(1)}}});
    EXPECT_EQ(rows.instances.size(), 8U) << "the last one does not exist";
    EXPECT_TRUE(rows.left_out.empty());
}

TEST_P(ReadingBoundTest, CountsWhatJobsCarry) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 5; ++n) {
        writes.instances_new.push_back(waiting_instance(n));
        writes.jobs_new.push_back(unlocked_job(n));
        if (n != 1) writes.jobs_new.back().variables = large_variables();
    }
    ASSERT_TRUE(write(writes));
    const LoadedRows rows =
        load({.jobs = {job_key(1), job_key(2), job_key(3), job_key(4), job_key(5)},
              .bound = {.bytes_max = 2 * kLarge, .instances_first = {id_of(4)}}});
    std::vector<JobKey> read;
    for (const Job& job : rows.jobs) read.push_back(job.key);
    EXPECT_EQ(read, (std::vector{job_key(1), job_key(2), job_key(4)}));
    EXPECT_EQ(rows.left_out.instances, (std::vector{id_of(3), id_of(5)}));
}

TEST_P(ReadingBoundTest, CountsDefinitions) {
    ASSERT_TRUE(write({.definitions = {definition_record("a"), definition_record("b"),
                                       definition_record("c"), definition_record("d")}}));
    const DefinitionRef first = ref_of(definition_record("b"));
    const DefinitionRef other = ref_of(definition_record("c"));
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1, first), waiting_instance(2, other)}}));
    const DefinitionKey asked{kWorkspace, "d"};
    const DefinitionKey left{kWorkspace, "a"};
    const LoadedRows rows = load(
        {.instances = keys_of(2),
         .definitions = {left, asked},
         .bound = {.bytes_max = 1, .instances_first = {id_of(1)}, .definitions_first = {asked}}});
    ASSERT_EQ(rows.definitions.size(), 1U);
    EXPECT_EQ(rows.definitions.front().first, asked);
    EXPECT_TRUE(rows.definitions.front().second.has_value());
    EXPECT_EQ(rows.left_out.definitions, std::vector{left});
    EXPECT_EQ(rows.left_out.instances, std::vector{id_of(2)}) << "it cannot go on without its own";
    EXPECT_EQ(ids_of(rows.instances), std::vector{id_of(1)});
}

TEST_P(ReadingBoundTest, LargeRowsAreWrittenAsOthersAre) {
    ASSERT_TRUE(
        write({.instances_new = {large_instance(1), waiting_instance(2), large_instance(3)}}));
    Footprint footprint{.instances = keys_of(3),
                        .bound = {.bytes_max = 2 * kLarge, .instances_first = {id_of(3)}}};
    footprint.normalise();
    Result<LoadedRows> rows = store_->load(footprint);
    ASSERT_TRUE(rows) << rows.error().detail;
    for (Instance& instance : rows->instances) {
        instance.status = InstanceStatus::active;
        if (instance.key == instance_key(1)) instance.variables = Variables::from_text("{\"b\":1}");
    }
    ASSERT_TRUE(store_->apply({.instances_changed = rows->instances}));
    EXPECT_EQ(read(instance_key(1))->variables.text(), "{\"b\":1}");
    EXPECT_EQ(read(instance_key(3))->variables, large_variables());
    EXPECT_EQ(read(instance_key(3))->status, InstanceStatus::active);
}

TEST_P(ReadingBoundTest, AnAdmissionLeavesLargeInstancesInTheirLine) {
    Writes writes = competing(kWorkspace);
    for (std::uint64_t n = 1; n <= 4; ++n) {
        Execution resuming = pending_execution(n);
        resuming.is_resuming = true;
        resuming.instance_id = instance_key(n).id;
        writes.instances_new.push_back(large_instance(n));
        writes.executions_new.push_back({resuming, {}});
    }
    ASSERT_TRUE(write(writes));
    AdmissionRequest request = asking();
    request.bytes_max = 2 * kLarge;
    const AdmissionRows rows = look(request);
    ASSERT_EQ(rows.lines.size(), 1U);
    EXPECT_EQ(keys(rows.lines.front()), (std::vector{execution_key(1), execution_key(2)}));
    for (const WaitingExecution& waiting : rows.lines.front().ready) {
        EXPECT_TRUE(waiting.instance);
    }
    EXPECT_EQ(rows.lines.front().ready_count, 4);
}

MILLRACE_FOR_ALL_STORES(ReadingBoundTest);

}  // namespace
}  // namespace millrace
