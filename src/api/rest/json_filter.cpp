#include "api/rest/json_filter.hpp"

#include <algorithm>

#include "api/http/message.hpp"
#include "api/rest/body_reader.hpp"
#include "base/nearest_word.hpp"

namespace millrace::rest {

namespace {

std::string list_of(BodyReader& body, std::string_view name, const json::Array& array) {
    std::string list;
    for (const json::Value& each : array) {
        const std::string* text = each.if_string();
        if (text == nullptr || text->empty()) {
            body.refuse(name, std::string(name) + " must be texts that are not empty");
            return {};
        }
        if (!list.empty()) list += ',';
        list += *text;
    }
    return list;
}

// Empty when it is missing or wrong.
std::string text_of(BodyReader& body, const FilterField& field) {
    const json::Value* value = body.value(field.name);
    if (value == nullptr) return {};
    switch (field.kind) {
        case FilterKind::text: return body.name(field.name);
        case FilterKind::text_or_texts:
            if (const json::Array* array = value->if_array()) {
                return list_of(body, field.name, *array);
            }
            return body.text(field.name);
        case FilterKind::integer: {
            const std::optional<std::int64_t> number = body.integer(field.name);
            return number ? std::to_string(*number) : "";
        }
        case FilterKind::flag: return body.flag(field.name) ? "true" : "false";
    }
    return {};
}

}  // namespace

Result<FilterTexts> read_json_filter(const json::Value& object,
                                     std::span<const FilterField> fields) {
    BodyReader body(object, "filter");
    FilterTexts texts;
    for (const json::Member& member : *object.if_object()) {
        const auto field = std::ranges::find_if(fields, [&member](const FilterField& each) {
            return http::equal_ignoring_case(each.name, member.key);
        });
        if (field == fields.end()) {
            std::vector<std::string_view> names;
            for (const FilterField& each : fields) names.push_back(each.name);
            body.refuse(shown_word(member.key), no_such_word("field", member.key, names));
            break;
        }
        std::string text = text_of(body, *field);
        if (text.empty()) {
            body.refuse(field->name, std::string(field->name) +
                                         " must not be empty or null: leave it out where it does "
                                         "not matter");
        }
        texts.insert_or_assign(std::string(field->name), std::move(text));
    }
    if (body.has_error()) return body.error();
    return texts;
}

}  // namespace millrace::rest
