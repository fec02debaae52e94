#include "api/grpc/workflow/struct_size.hpp"

#include <google/protobuf/struct.pb.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "api/grpc/workflow/struct_json.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {
namespace {

namespace pb = ::google::protobuf;

std::size_t bytes_when_built(std::string_view text) {
    const Result<json::Value> object = json::parse(text);
    pb::Struct built;
    return object && fill(built, *object) ? built.ByteSizeLong() : kCannotBeSent;
}

std::string with_key(std::size_t bytes) {
    return "{\"" + std::string(bytes, 'k') + "\":null}";
}

std::string with_list(std::size_t items) {
    std::string text = R"({"a":[0)";
    for (std::size_t i = 1; i < items; ++i) text += ",0";
    return text + "]}";
}

std::string nested_arrays(std::size_t depth) {
    return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

TEST(StructSize, IsThatOfTheStruct) {
    const std::string texts[] = {
        "{}",
        " { } ",
        R"({"a":null})",
        R"({"a":true,"b":false,"":""})",
        R"({"a":0,"b":-1.5e300,"c":9223372036854775807,"d":123456789012345678901234567890})",
        R"({"a":[],"b":{},"c":[[],{},[{}]],"d":{"e":{"f":[1,"x",null]}}})",
        "\n{ \"a\" :\t[ 1 , 2 ] ,\r\"b\" : \"x\" }\n",
        R"({"\"\\\/\b\f\n\r\t":"a\\\"b\\"})",
        R"({"\u0000\u007f":"\u0080\u07FF\u0800\uffff\ud83d\uDE00","é":"😀"})",
        with_key(127),
        with_key(128),
        with_key(16'383),
        with_key(16'384),
        with_key(2'097'152),
        with_list(11),
        with_list(12),
        with_list(1'489),
        with_list(1'490),
        with_list(100'000),
        nested_arrays(limits::kStructDepthMax),
    };
    for (const std::string& text : texts) {
        ASSERT_NE(bytes_when_built(text), kCannotBeSent) << text.substr(0, 100);
        EXPECT_EQ(struct_bytes(text), bytes_when_built(text)) << text.substr(0, 100);
    }
}

TEST(StructSize, IsNoneOfWhatCannotBeSent) {
    const std::string texts[] = {
        "",
        " ",
        "{",
        "[]",
        "1",
        "{} x",
        "{}{}",
        "{,}",
        R"({"a"})",
        R"({"a":})",
        R"({"a":1,})",
        R"({"a":1)",
        R"({"a":[1)",
        R"({"a":[1,]})",
        R"({"a":[1 2]})",
        R"({"a":nul})",
        R"({"a":"x)",
        R"({"a":"\)",
        R"({"a":"\u12)",
        R"({"a":"\u12xy"})",
        R"({1:2})",
        R"({"a":]})",
        R"({"a":[}]})",
        nested_arrays(limits::kStructDepthMax + 1),
    };
    for (const std::string& text : texts) {
        EXPECT_EQ(struct_bytes(text), kCannotBeSent) << text;
    }
}

json::Value any_value(int depth) {
    switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
        case 0: return nullptr;
        case 1: return *rc::gen::arbitrary<bool>();
        case 2: return *rc::gen::arbitrary<std::int64_t>();
        case 3: return static_cast<double>(*rc::gen::inRange(-1'000, 1'000)) / 8;
        case 4:
            return *rc::gen::container<std::string>(rc::gen::inRange<char>('\0', '\x7f')) +
                   std::string(static_cast<std::size_t>(*rc::gen::inRange(0, 200)), 'x');
        case 5: {
            json::Array array;
            for (int left = *rc::gen::inRange(0, 20); left > 0; --left) {
                array.push_back(any_value(depth - 1));
            }
            return array;
        }
        default: {
            json::Value object = json::Object{};
            for (int left = *rc::gen::inRange(0, 20); left > 0; --left) {
                object.set(*rc::gen::container<std::string>(rc::gen::inRange<char>('\0', '\x7f')),
                           any_value(depth - 1));
            }
            return object;
        }
    }
}

RC_GTEST_PROP(StructSize, IsThatOfAnyStruct, ()) {
    const std::string text = json::write(json::Object{{"v", any_value(3)}});
    RC_ASSERT(struct_bytes(text) == bytes_when_built(text));
}

}  // namespace
}  // namespace millrace::rpc
