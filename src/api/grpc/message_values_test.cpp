#include "api/grpc/message_values.hpp"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/struct.pb.h>
#include <gtest/gtest.h>

namespace millrace::rpc {
namespace {

constexpr std::size_t kMax = 1'000;

std::size_t count_in(const google::protobuf::Message& message) {
    return values_in(message.SerializeAsString(), *message.GetDescriptor(), kMax);
}

TEST(MessageValuesTest, CountsMembersElementsAndUnknownFields) {
    google::protobuf::Struct object;
    EXPECT_EQ(count_in(object), 0U);
    (*object.mutable_fields())["a"].set_number_value(1);
    (*object.mutable_fields())["b"].set_string_value("\x0A\x00\x0A\x00");
    EXPECT_EQ(count_in(object), 2U);
    auto& list = *(*object.mutable_fields())["c"].mutable_list_value();
    for (int i = 0; i < 10; ++i) list.add_values()->mutable_struct_value();
    EXPECT_EQ(count_in(object), 13U);
    object.GetReflection()->MutableUnknownFields(&object)->AddVarint(99, 1);
    object.GetReflection()->MutableUnknownFields(&object)->AddGroup(98)->AddVarint(1, 1);
    EXPECT_EQ(count_in(object), 17U);  // A group begins and ends.

    google::protobuf::FileDescriptorProto file;
    file.set_name("one value, wherever it is");
    for (int i = 0; i < 5; ++i) file.add_dependency();
    EXPECT_EQ(count_in(file), 5U);
}

TEST(MessageValuesTest, CountsPackedNumbersAsWhatTheyBecome) {
    google::protobuf::SourceCodeInfo::Location location;
    for (int i = 0; i < 7; ++i) location.add_path(i);
    EXPECT_EQ(count_in(location), 7U);
}

TEST(MessageValuesTest, StopsBeyondTheMost) {
    std::string bytes;
    for (int i = 0; i < 100'000; ++i) bytes += std::string("\x0A\x00", 2);
    EXPECT_EQ(values_in(bytes, *google::protobuf::ListValue::descriptor(), kMax), kMax + 1);
    EXPECT_EQ(values_in(bytes, *google::protobuf::Value::descriptor(), kMax), kMax + 1);
}

// A field of that number, with so many bytes.
std::string field_of(int number, const std::string& content) {
    std::string bytes(1, static_cast<char>(number << 3 | 2));
    std::size_t size = content.size();
    for (; size > 0x7F; size >>= 7) bytes += static_cast<char>((size & 0x7F) | 0x80);
    return bytes + static_cast<char>(size) + content;
}

TEST(MessageValuesTest, StopsWhereNoParserGoesOn) {
    const auto& list = *google::protobuf::ListValue::descriptor();
    const std::string many = field_of(1, "") + field_of(1, "");
    for (const char* broken : {"\xFF", "\x0A\x7F", "\x0C", "\x0F", "\x09\x01",
                               "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"}) {
        EXPECT_EQ(values_in(many + broken, list, kMax), 2U);
    }
    std::string deep;
    for (int i = 0; i < 1'000; ++i) deep = field_of(1, field_of(6, deep));
    EXPECT_EQ(values_in(deep, list, 1'000), 201U);  // Two levels each.
}

}  // namespace
}  // namespace millrace::rpc
