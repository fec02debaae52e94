#include "executor/temporal/payloads.hpp"

#include <temporal/workflow_service.pb.h>

#include <string_view>
#include <utility>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/expression/base64.hpp"

namespace millrace {

namespace {

constexpr const char* kEncoding = "encoding";
constexpr std::string_view kJson = "json/plain";
constexpr std::string_view kJsonProtobuf = "json/protobuf";
constexpr std::string_view kNull = "binary/null";

std::string_view encoding_of(const wire::Payload& payload) {
    const auto found = payload.metadata().find(kEncoding);
    return found == payload.metadata().end() ? std::string_view{} : found->second;
}

bool is_json(const wire::Payload& payload) {
    const std::string_view encoding = encoding_of(payload);
    if (encoding != kJson && encoding != kJsonProtobuf) return false;
    return static_cast<bool>(json::parse(payload.data()));
}

void append_value(std::string& out, const wire::Payload& payload) {
    if (encoding_of(payload) == kNull) {
        out += "null";
    } else if (is_json(payload)) {
        out += payload.data();
    } else {
        json::append(out, json::Object{{"encoding", encoding_of(payload)},
                                       {"data", expression::to_base64(payload.data())}});
    }
}

}  // namespace

void set_json(wire::Payload& payload, std::string json) {
    (*payload.mutable_metadata())[kEncoding] = kJson;
    payload.set_data(std::move(json));
}

std::string result_text(const wire::Payloads& result) {
    std::string text;
    if (result.payloads_size() == 1) append_value(text, result.payloads(0));
    if (result.payloads_size() <= 1) return text;
    text += '[';
    for (int index = 0; index < result.payloads_size(); ++index) {
        if (index > 0) text += ',';
        append_value(text, result.payloads(index));
    }
    return text + ']';
}

std::optional<std::string> memo_text(const wire::Fields& memo, const char* name) {
    const auto found = memo.fields().find(name);
    if (found == memo.fields().end() || encoding_of(found->second) != kJson) return std::nullopt;
    const Result<json::Value> value = json::parse(found->second.data());
    const std::string* text = value ? value->if_string() : nullptr;
    if (text == nullptr) return std::nullopt;
    return *text;
}

bool names_execution(const wire::Fields& memo, const ExecutionKey& key) {
    return memo_text(memo, kMemoExecutionId) == to_string(key.id.value) &&
           memo_text(memo, kMemoWorkspaceId) == key.workspace_id.value;
}

}  // namespace millrace
