#include "executor/temporal/payloads.hpp"

#include <gtest/gtest.h>
#include <temporal/workflow_service.pb.h>

namespace millrace {
namespace {

using namespace std::chrono_literals;

const ExecutionKey kKey{
    .id = {Id128::for_instance(Instant(1700000000s), 7)},
    .workspace_id = {"acme"},
};

void add(wire::Payloads& payloads, const std::string& encoding, const std::string& data) {
    wire::Payload& payload = *payloads.add_payloads();
    (*payload.mutable_metadata())["encoding"] = encoding;
    payload.set_data(data);
}

std::string result_of(const std::string& encoding, const std::string& data) {
    wire::Payloads payloads;
    add(payloads, encoding, data);
    return result_text(payloads);
}

TEST(PayloadsTest, AResultOfJsonIsTakenAsItIs) {
    EXPECT_EQ(result_of("json/plain", R"({"b": 1, "a": [2.50]})"), R"({"b": 1, "a": [2.50]})");
    EXPECT_EQ(result_of("json/protobuf", R"({"a":1})"), R"({"a":1})");
    EXPECT_EQ(result_of("binary/null", ""), "null");
}

TEST(PayloadsTest, NoResultIsTheEmptyText) {
    EXPECT_EQ(result_text({}), "");
}

TEST(PayloadsTest, AResultThatIsNoJsonIsShownInBase64) {
    EXPECT_EQ(result_of("binary/encrypted", "\x01\x02"),
              R"({"encoding":"binary/encrypted","data":"AQI="})");
    EXPECT_EQ(result_of("json/plain", "{oops"), R"({"encoding":"json/plain","data":"e29vcHM="})");
    wire::Payloads bare;
    bare.add_payloads()->set_data("x");
    EXPECT_EQ(result_text(bare), R"({"encoding":"","data":"eA=="})");
}

TEST(PayloadsTest, SeveralResultsAreAnArray) {
    wire::Payloads payloads;
    add(payloads, "json/plain", "1");
    add(payloads, "binary/null", "");
    add(payloads, "json/plain", R"("two")");
    EXPECT_EQ(result_text(payloads), R"([1,null,"two"])");
}

TEST(PayloadsTest, AMemoNamesAnExecutionInItsWorkspace) {
    const auto memo_of = [](const std::string& id, const std::string& workspace) {
        wire::Fields memo;
        set_json((*memo.mutable_fields())[kMemoExecutionId], id);
        set_json((*memo.mutable_fields())[kMemoWorkspaceId], workspace);
        return memo;
    };
    const std::string id = '"' + to_string(kKey.id.value) + '"';
    EXPECT_TRUE(names_execution(memo_of(id, R"("acme")"), kKey));
    EXPECT_FALSE(names_execution(memo_of(id, R"("other")"), kKey));
    EXPECT_FALSE(names_execution(memo_of(R"("other")", R"("acme")"), kKey));
    EXPECT_FALSE(names_execution(memo_of("7", R"("acme")"), kKey));
    EXPECT_FALSE(names_execution(memo_of("{oops", R"("acme")"), kKey));
    EXPECT_FALSE(names_execution({}, kKey));
}

TEST(PayloadsTest, AMemoInAnotherEncodingNamesNothing) {
    wire::Fields memo;
    wire::Payload& payload = (*memo.mutable_fields())[kMemoExecutionId];
    (*payload.mutable_metadata())["encoding"] = "binary/encrypted";
    payload.set_data(R"("text")");
    EXPECT_EQ(memo_text(memo, kMemoExecutionId), std::nullopt);
}

}  // namespace
}  // namespace millrace
