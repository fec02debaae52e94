#include "api/grpc/workflow/struct_json.hpp"

#include <google/protobuf/struct.pb.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "api/grpc/workflow/struct_size.hpp"
#include "api/grpc/workflow/workflow_method.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"

namespace millrace::rpc {
namespace {

namespace pb = ::google::protobuf;

std::string text_after(double number) {
    pb::Value value;
    value.set_number_value(number);
    const Result<json::Value> kept = value_of(value, "x");
    return kept ? json::write(*kept) : kept.error().detail;
}

TEST(StructJsonTest, NumbersThatAreWholeAreIntegers) {
    struct Row {
        double number;
        const char* text;
    };
    for (const Row& row :
         {Row{0, "0"}, Row{-0.0, "0"}, Row{1, "1"}, Row{-7, "-7"}, Row{0.5, "0.5"},
          Row{9007199254740991.0, "9007199254740991"}, Row{9007199254740992.0, "9007199254740992"},
          Row{-9007199254740992.0, "-9007199254740992"}, Row{1e300, "1e+300"},
          Row{std::nan(""), "x must be a number that is finite"},
          Row{-std::numeric_limits<double>::infinity(), "x must be a number that is finite"}}) {
        EXPECT_EQ(text_after(row.number), row.text);
    }
}

TEST(StructJsonTest, EverythingComesBack) {
    for (const char* text :
         {"{}", R"({"a":null,"b":true,"c":[1,2.5,"x",[],{}],"d":{"":"\u0000"},"é":"😀"})"}) {
        const Result<json::Value> value = json::parse(text);
        ASSERT_TRUE(value);
        pb::Struct filled;
        ASSERT_TRUE(fill(filled, *value));
        const Result<json::Value> back = value_of(filled, "v");
        ASSERT_TRUE(back);
        EXPECT_EQ(json::write(*back), text);
        EXPECT_EQ(struct_bytes(text), filled.ByteSizeLong());
    }
}

TEST(StructJsonTest, MembersAreSortedByBytes) {
    pb::Struct unsorted;
    for (const char* key : {"b", "a", "é", "Z", "aa", ""}) {
        (*unsorted.mutable_fields())[key].set_bool_value(true);
    }
    EXPECT_EQ(json::write(*value_of(unsorted, "v")),
              R"({"":true,"Z":true,"a":true,"aa":true,"b":true,"é":true})");
}

TEST(StructJsonTest, AValueThatIsNotSetIsRefusedWhereItStands) {
    pb::Struct broken;
    (*broken.mutable_fields())["a"].mutable_list_value()->add_values();
    const Result<json::Value> value = value_of(broken, "variables");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(value.error().details[0].path, "variables.a[0]");
}

// A path for each value would be 100 GB of copies.
TEST(StructJsonTest, ALongKeyCostsTheValuesBelowItNothing) {
    constexpr int kNulls = 100'000;
    const std::string key(1u << 20, 'k');
    pb::Struct hostile;
    pb::ListValue* nulls = (*hostile.mutable_fields())[key].mutable_list_value();
    for (int i = 0; i < kNulls; ++i) nulls->add_values()->set_null_value(pb::NULL_VALUE);
    const Result<json::Value> value = value_of(hostile, "v");
    ASSERT_TRUE(value);
    EXPECT_EQ(value->find(key)->if_array()->size(), static_cast<std::size_t>(kNulls));

    nulls->add_values();
    const Result<json::Value> broken = value_of(hostile, "v");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().details[0].path, "v." + key + "[100000]");
}

// {"a":{"a":…}} with so many objects.
pb::Struct nested(std::size_t depth) {
    pb::Struct outermost;
    pb::Struct* place = &outermost;
    for (std::size_t i = 1; i < depth; ++i) {
        place = (*place->mutable_fields())["a"].mutable_struct_value();
    }
    return outermost;
}

TEST(StructJsonTest, NestingHasALimitBothWays) {
    const pb::Struct deepest = nested(limits::kStructDepthMax);
    const Result<json::Value> value = value_of(deepest, "v");
    ASSERT_TRUE(value);
    pb::Struct filled;
    EXPECT_TRUE(fill(filled, *value));
    pb::Struct read;
    EXPECT_TRUE(parse_message(read, deepest.SerializeAsString()));

    const pb::Struct too_deep = nested(limits::kStructDepthMax + 1);
    EXPECT_EQ(value_of(too_deep, "v").error().code, ErrorCode::invalid_argument);
    const json::Value deeper = json::Object{{"a", *value}};
    EXPECT_EQ(fill(filled, deeper).error().code, ErrorCode::too_large);
    EXPECT_EQ(struct_bytes(json::write(deeper)), std::numeric_limits<std::size_t>::max());
    EXPECT_FALSE(parse_message(read, nested(10 * limits::kStructDepthMax).SerializeAsString()));
}

}  // namespace
}  // namespace millrace::rpc
