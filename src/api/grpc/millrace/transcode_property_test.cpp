#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "api/grpc/millrace/message_shape.hpp"
#include "api/grpc/millrace/transcode_reply.hpp"
#include "api/grpc/millrace/transcode_request.hpp"
#include "base/json/parse.hpp"
#include "support/proto_messages.hpp"

namespace millrace::rpc {
namespace {

// Requests and replies that are JSON objects as a whole.
std::vector<const pb::Descriptor*> all_messages() {
    std::vector<const pb::Descriptor*> messages;
    for (const auto& each : all_millrace_methods()) {
        messages.push_back(descriptor_of(*each).input_type());
        if (!each->is_server_stream()) messages.push_back(descriptor_of(*each).output_type());
    }
    return messages;
}

RC_GTEST_PROP(TranscodeProperty, MessagesSurviveTheWayThroughJson, (std::uint64_t seed)) {
    Shapes shapes;
    for (const pb::Descriptor* descriptor : all_messages()) {
        const auto message = random_message(*descriptor, seed);
        std::string json;
        const auto refused =
            append_object(json, *message, shapes.of(*descriptor), Unknown::refused);
        if (refused) RC_FAIL(descriptor->full_name() + ": " + sentence(*refused));
        RC_ASSERT(static_cast<bool>(json::parse(json)));

        const auto again = new_message(*descriptor);
        const auto unread = read_object(json, *again, shapes.of(*descriptor));
        if (unread) RC_FAIL(descriptor->full_name() + ": " + sentence(*unread) + "\n" + json);
        if (!pb::util::MessageDifferencer::Equals(*message, *again)) {
            RC_FAIL(json + "\n" + message->DebugString() + "\n" + again->DebugString());
        }
    }
}

// What may come of any bytes: a call whose parts are well formed, or a refusal of the caller.
void expect_sound(const Method& method, const std::string& bytes) {
    const Result<RestCall> call = method.to_call(bytes);
    if (!call) {
        RC_ASSERT(call.error().code == ErrorCode::invalid_argument ||
                  call.error().code == ErrorCode::not_found);
        return;
    }
    RC_ASSERT(call->path.starts_with('/'));
    for (const char c : call->path + call->query) RC_ASSERT(c > ' ' && c < '\x7f');
    RC_ASSERT(call->body.empty() || static_cast<bool>(json::parse(call->body)));
}

RC_GTEST_PROP(TranscodeProperty, AnyBytesBecomeACallOrARefusal, (std::uint64_t seed)) {
    std::mt19937_64 dice(seed);
    for (const auto& each : all_millrace_methods()) {
        const std::string random = *rc::gen::arbitrary<std::string>();
        expect_sound(*each, random);
        std::string bytes =
            random_message(*descriptor_of(*each).input_type(), seed)->SerializeAsString();
        for (int i = 0; i < 4 && !bytes.empty(); ++i) {
            bytes[dice() % bytes.size()] = static_cast<char>(dice());
            expect_sound(*each, bytes);
        }
        expect_sound(*each, bytes.substr(0, bytes.size() / 2));
    }
}

RC_GTEST_PROP(TranscodeProperty, AnyAnswerBecomesAReplyOrAnError, (std::uint64_t seed)) {
    std::mt19937_64 dice(seed);
    Shapes shapes;
    for (const auto& each : all_millrace_methods()) {
        const pb::Descriptor& descriptor = *descriptor_of(*each).output_type();
        if (each->is_server_stream()) {
            (void)each->reply_stream()->take(*rc::gen::arbitrary<std::string>());
            continue;
        }
        std::string json;
        const auto message = random_message(descriptor, seed);
        RC_ASSERT(!append_object(json, *message, shapes.of(descriptor), Unknown::refused));
        for (int i = 0; i < 4; ++i) {
            json[dice() % json.size()] = "{}[]\",:\\ ntf01ea\x80\xff"[dice() % 18];
            const Result<std::string> reply = each->to_reply({.body = json});
            if (reply) RC_ASSERT(new_message(descriptor)->ParseFromString(*reply));
        }
    }
}

}  // namespace
}  // namespace millrace::rpc
