#include "observe/otlp/export_request.hpp"

#include <gtest/gtest.h>

#include "observe/otlp/protobuf_writer.hpp"

namespace millrace::observe::otlp {
namespace {

std::string hex(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
        out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
    }
    return out;
}

// Examples of https://protobuf.dev/programming-guides/encoding/.
TEST(ProtobufWriterTest, WritesFields) {
    const struct {
        std::uint64_t number;
        const char* expected;
    } rows[] = {
        {0, "0800"}, {1, "0801"}, {150, "089601"}, {~std::uint64_t{0}, "08ffffffffffffffffff01"}};
    for (const auto& row : rows) {
        ProtobufWriter out;
        out.varint(1, row.number);
        EXPECT_EQ(hex(out.text()), row.expected);
    }
    ProtobufWriter out;
    out.bytes(2, "testing");
    out.fixed64(16, 0x0102030405060708);
    EXPECT_EQ(hex(out.text()),
              "120774657374696e67"
              "8101"
              "0807060504030201");
}

// Field numbers and wire types of opentelemetry/proto/trace/v1/trace.proto.
TEST(ExportRequestTest, WritesSpansAsOtlpHasThem) {
    const TraceContext context{0x0102030405060708, 0x090a0b0c0d0e0f10, 0x1112131415161718, true,
                               true};
    const Span span{
        .context = context,
        .parent_span_id = 0x2122232425262728,
        .name = "n",
        .kind = SpanKind::server,
        .started_at = Instant{Duration{1}},
        .ended_at = Instant{Duration{2}},
        .status = SpanStatus::error,
        .status_message = "m",
        .attributes = {{"s", std::string("v")}, {"i", std::int64_t{-1}}, {"b", true}},
        .links = {context},
    };
    const std::string ids =
        "0a100102030405060708090a0b0c0d0e0f10"
        "12081112131415161718";
    const std::string message = ids +
                                "22082122232425262728"
                                "2a016e"
                                "3002"
                                "39e803000000000000"
                                "41d007000000000000"
                                "4a080a017312030a0176"
                                "4a100a0169120b18ffffffffffffffffff01"
                                "4a070a016212021001"
                                "6a1c" +
                                ids + "7a0512016d1802";
    const std::string scope = "0a0a0a086d696c6c72616365";
    const std::string text = hex(export_request({{"service.name", "x"}}, std::vector{span}));
    EXPECT_NE(text.find(message), std::string::npos) << text;
    EXPECT_NE(text.find(hex("service.name")), std::string::npos);
    EXPECT_NE(text.find(scope), std::string::npos);
}

TEST(ExportRequestTest, LeavesOutWhatIsNotThere) {
    const std::string text =
        hex(export_request({}, std::vector{Span{.context = {1, 2, 3, true, true}, .name = "n"}}));
    EXPECT_EQ(text.find("2208"), std::string::npos) << "no parent";
    EXPECT_EQ(text.find("7a"), std::string::npos) << "no status";
}

}  // namespace
}  // namespace millrace::observe::otlp
