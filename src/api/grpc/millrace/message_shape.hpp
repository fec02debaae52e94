#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/grpc/millrace/wire.hpp"

namespace millrace::rpc {

// What a field is in JSON. `json` is any value, carried as its text; `blob` is none at all.
enum class FieldKind { text, flag, int32, int64, number, time, word, json, message, blob };

// The words that stand for the values of an enum in JSON. The value 0 has none: it is absence.
struct Words {
    std::vector<std::pair<int, std::string>> values{};

    const std::string* find(int number) const;
    std::optional<int> find(std::string_view word) const;
};

struct MessageShape;

struct FieldShape {
    const wire::FieldDescriptor* field = nullptr;
    std::string name{};  // In JSON.
    FieldKind kind = FieldKind::text;
    bool is_list = false;
    bool is_nullable = false;               // Its name may stand in a list of nulls.
    bool is_list_of_nulls = false;          // Names of fields that are sent as null.
    const Words* words = nullptr;           // Of a word.
    const MessageShape* message = nullptr;  // Of a message.
};

// A message as JSON sees it: what its descriptor and options say, looked up once.
struct MessageShape {
    std::vector<FieldShape> fields{};

    const FieldShape* find(std::string_view name) const;
    // By the name in JSON or the name in the proto: people write either.
    const FieldShape* find_either(std::string_view name) const;
    // The same without this field.
    MessageShape without(const FieldShape* field) const;
};

// The shapes of messages and of all that is inside them. Filled when the program starts; a message
// that cannot be translated (a map, itself inside itself, bytes beside JSON) is a bug of the proto.
class Shapes {
public:
    const MessageShape& of(const wire::Descriptor& descriptor);

private:
    const Words& words_of(const wire::EnumDescriptor& descriptor);
    FieldShape field_of(const wire::FieldDescriptor& field);

    std::map<const wire::Descriptor*, std::unique_ptr<MessageShape>> shapes_{};
    std::map<const wire::EnumDescriptor*, std::unique_ptr<Words>> words_{};
};

}  // namespace millrace::rpc
