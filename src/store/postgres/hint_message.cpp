#include "store/postgres/hint_message.hpp"

#include "base/json/parse.hpp"
#include "base/json/write.hpp"

namespace millrace::postgres {

namespace {

constexpr std::string_view kIncomplete = R"(,"incomplete":true)";
constexpr std::string_view kMembers = R"(,"members":true)";
constexpr std::size_t kEndBytesMax = kIncomplete.size() + kMembers.size() + 2;  // And the brackets.

// Appends what fits.
class Writer {
public:
    explicit Writer(Id128 from) : text_(R"({"from":")" + to_string(from) + '"') {}

    // Whether all of it fits.
    template <class Items, class Write>
    bool add(std::string_view name, const Items& items, Write write) {
        if (items.empty()) return true;
        const std::string opening = ",\"" + std::string(name) + "\":[";
        std::string list;
        std::size_t count = 0;
        for (const auto& item : items) {
            std::string next(list.empty() ? "" : ",");
            write(next, item);
            const std::size_t length = text_.size() + opening.size() + list.size() + next.size();
            if (length + kEndBytesMax > kHintBytesMax) break;
            list += next;
            count += 1;
        }
        if (!list.empty()) text_ += opening + list + ']';
        return count == items.size();
    }

    void add(std::string_view flag) { text_ += flag; }

    std::string finish() && { return std::move(text_) + '}'; }

private:
    std::string text_;
};

void write_pair(std::string& out, std::string_view first, std::string_view second) {
    out += '[';
    json::append_string(out, first);
    out += ',';
    json::append_string(out, second);
    out += ']';
}

const json::Array& list_of(const json::Value& document, std::string_view name) {
    static const json::Array kNone;
    const json::Value* list = document.find(name);
    const json::Array* items = list == nullptr ? nullptr : list->if_array();
    return items == nullptr ? kNone : *items;
}

// The two texts of an item; empty when it is something else.
std::optional<std::pair<std::string, std::string>> pair_of(const json::Value& item) {
    const json::Array* pair = item.if_array();
    if (pair == nullptr || pair->size() != 2) return std::nullopt;
    const std::string* first = (*pair)[0].if_string();
    const std::string* second = (*pair)[1].if_string();
    if (first == nullptr || second == nullptr) return std::nullopt;
    return std::pair(*first, *second);
}

bool is_set(const json::Value& document, std::string_view name) {
    const json::Value* flag = document.find(name);
    return flag != nullptr && *flag == json::Value(true);
}

Hint hint_of(const json::Value& document) {
    Hint hint;
    for (const json::Value& item : list_of(document, "keys")) {
        if (const std::string* id = item.if_string()) hint.api_keys.push_back(*id);
    }
    for (const json::Value& item : list_of(document, "waiting")) {
        if (auto pair = pair_of(item)) hint.waiting.push_back({{pair->first}, {pair->second}});
    }
    for (const json::Value& item : list_of(document, "instances")) {
        const auto pair = pair_of(item);
        const std::optional<Id128> id = pair ? parse_ulid(pair->second) : std::nullopt;
        if (id) hint.instances.push_back({{*id}, {pair->first}});
    }
    for (const json::Value& item : list_of(document, "queues")) {
        if (const std::string* id = item.if_string()) hint.queues.push_back({*id});
    }
    hint.members_changed = is_set(document, "members");
    hint.is_incomplete = is_set(document, "incomplete");
    return hint;
}

}  // namespace

std::string write_hint(const HintMessage& message) {
    const Hint& hint = message.hint;
    Writer writer(message.from);
    const bool has_keys =
        writer.add("keys", hint.api_keys,
                   [](std::string& out, const std::string& id) { json::append_string(out, id); });
    const bool has_types =
        writer.add("waiting", hint.waiting, [](std::string& out, const WaitingType& type) {
            write_pair(out, type.workspace_id.value, type.job_type.value);
        });
    const bool has_queues = writer.add(
        "queues", hint.queues,
        [](std::string& out, const WorkspaceId& id) { json::append_string(out, id.value); });
    writer.add("instances", hint.instances, [](std::string& out, const InstanceKey& key) {
        write_pair(out, key.workspace_id.value, to_string(key.id.value));
    });
    if (hint.members_changed) writer.add(kMembers);
    if (hint.is_incomplete || !has_keys || !has_types || !has_queues) writer.add(kIncomplete);
    return std::move(writer).finish();
}

std::optional<HintMessage> read_hint(std::string_view text) {
    const Result<json::Value> document = json::parse(text);
    if (!document) return std::nullopt;
    const json::Value* from = document->find("from");
    const std::string* sender = from == nullptr ? nullptr : from->if_string();
    const std::optional<Id128> id = sender == nullptr ? std::nullopt : parse_ulid(*sender);
    if (!id) return std::nullopt;
    return HintMessage{.from = *id, .hint = hint_of(*document)};
}

}  // namespace millrace::postgres
