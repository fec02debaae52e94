#include "api/grpc/millrace/reply_streams.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>

#include "api/grpc/millrace/transcode_reply.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

class EventReplyStream final : public ReplyStream {
public:
    EventReplyStream(const wire::Message& prototype, const MessageShape& shape)
        : prototype_(prototype), shape_(shape), id_field_(shape.find("eventId")) {}

    Result<std::vector<std::string>> take(std::string_view piece) override {
        std::vector<std::string> messages;
        while (!piece.empty()) {
            const std::size_t end = piece.find('\n');
            line_.append(piece.substr(0, end));
            if (line_.size() + data_.size() > limits::kStreamEventBytesMax) {
                return Error{ErrorCode::internal, "An event is too large for a message."};
            }
            if (end == std::string_view::npos) break;
            piece.remove_prefix(end + 1);
            if (line_.ends_with('\r')) line_.pop_back();
            if (!line_.empty()) {
                note_line();
            } else if (auto fault = end_event(messages)) {
                return Error{ErrorCode::internal, "An event cannot be told: " + sentence(*fault)};
            }
            line_.clear();
        }
        return messages;
    }

private:
    // `name: value`; a line that begins with a colon is a comment.
    void note_line() {
        const std::size_t colon = line_.find(':');
        const std::string_view name = std::string_view(line_).substr(0, colon);
        std::string_view value;
        if (colon != std::string::npos) value = std::string_view(line_).substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (name == "event") event_ = value;
        if (name == "id") id_ = value;
        if (name != "data") return;
        if (!data_.empty()) data_ += '\n';
        data_ += value;
    }

    std::optional<Fault> end_event(std::vector<std::string>& messages) {
        const FieldShape* field = shape_.find(event_);
        std::optional<Fault> fault;
        if (field != nullptr && field->kind == FieldKind::message && !data_.empty()) {
            const std::unique_ptr<wire::Message> reply(prototype_.New());
            const wire::Reflection& reflection = *reply->GetReflection();
            if (id_field_ != nullptr && !id_.empty()) {
                reflection.SetString(reply.get(), id_field_->field, id_);
            }
            wire::Message& data = *reflection.MutableMessage(reply.get(), field->field);
            fault = read_object(data_, data, *field->message);
            if (!fault) messages.push_back(reply->SerializeAsString());
        }
        event_.clear();
        id_.clear();
        data_.clear();
        return fault;
    }

    const wire::Message& prototype_;
    const MessageShape& shape_;
    const FieldShape* id_field_;
    std::string line_{};  // What has come of it.
    std::string event_{};
    std::string id_{};
    std::string data_{};
};

class ByteReplyStream final : public ReplyStream {
public:
    ByteReplyStream(const wire::Message& prototype, const FieldShape& field)
        : prototype_(prototype), field_(field) {}

    Result<std::vector<std::string>> take(std::string_view piece) override {
        std::vector<std::string> messages;
        while (!piece.empty()) {
            const std::string_view part = piece.substr(0, limits::kStreamPieceBytesMax);
            piece.remove_prefix(part.size());
            const std::unique_ptr<wire::Message> reply(prototype_.New());
            reply->GetReflection()->SetString(reply.get(), field_.field, std::string(part));
            messages.push_back(reply->SerializeAsString());
        }
        return messages;
    }

private:
    const wire::Message& prototype_;
    const FieldShape& field_;
};

}  // namespace

std::unique_ptr<ReplyStream> event_reply_stream(const wire::Message& prototype,
                                                const MessageShape& shape) {
    return std::make_unique<EventReplyStream>(prototype, shape);
}

std::unique_ptr<ReplyStream> byte_reply_stream(const wire::Message& prototype,
                                               const FieldShape& field) {
    return std::make_unique<ByteReplyStream>(prototype, field);
}

}  // namespace millrace::rpc
