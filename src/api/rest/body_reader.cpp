#include "api/rest/body_reader.hpp"

#include "api/http/message.hpp"
#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "base/nearest_word.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

Result<json::Value> parse_object(std::string_view body) {
    Result<json::Value> value = json::parse(body);
    if (!value) {
        return Error{value.error().code, "invalid request body: " + value.error().detail,
                     value.error().details};
    }
    if (value->is_object()) return value;
    if (value->is_null()) return json::Value(json::Object{});
    return Error{ErrorCode::invalid_argument, "invalid request body: expected an object"};
}

Result<json::Value> parse_optional_object(std::string_view body) {
    if (body.empty()) return json::Value(json::Object{});
    return parse_object(body);
}

std::string BodyReader::text(std::string_view name) {
    const json::Value* value = find(name);
    if (value == nullptr) return {};
    if (const std::string* text = value->if_string()) return *text;
    refuse_type(name, "a string");
    return {};
}

std::optional<std::string> BodyReader::optional_text(std::string_view name) {
    if (find(name) == nullptr) return std::nullopt;
    return text(name);
}

bool BodyReader::flag(std::string_view name) {
    const json::Value* value = find(name);
    if (value == nullptr) return false;
    if (const bool* is = value->if_boolean()) return *is;
    refuse_type(name, "true or false");
    return false;
}

std::optional<std::int64_t> BodyReader::integer(std::string_view name) {
    const json::Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (const std::int64_t* integer = value->if_integer()) return *integer;
    refuse_type(name, "an integer");
    return std::nullopt;
}

std::optional<double> BodyReader::number(std::string_view name) {
    const json::Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (const std::int64_t* integer = value->if_integer()) return static_cast<double>(*integer);
    if (const double* number = value->if_number()) return *number;
    refuse_type(name, "a number");
    return std::nullopt;
}

json::Value BodyReader::object(std::string_view name) {
    const json::Value* value = find(name);
    if (value == nullptr) return nullptr;
    if (value->is_object()) return *value;
    refuse_type(name, "an object");
    return nullptr;
}

const json::Array* BodyReader::array(std::string_view name) {
    const json::Value* value = find(name);
    if (value == nullptr) return nullptr;
    if (const json::Array* array = value->if_array()) return array;
    refuse_type(name, "an array");
    return nullptr;
}

std::string BodyReader::name(std::string_view name) {
    std::string value = text(name);
    if (value.find('\0') != std::string::npos) {
        refuse(name, std::string(name) + " must not contain U+0000");
        return {};
    }
    if (value.size() <= limits::kNameBytesMax) return value;
    refuse(name, std::string(name) + " must be at most " + std::to_string(limits::kNameBytesMax) +
                     " bytes long");
    return {};
}

void BodyReader::refuse(std::string_view name, std::string reason) {
    if (error_) return;
    error_ = Error{ErrorCode::invalid_argument, reason, {{path_to(name), reason}}};
}

bool BodyReader::finish() {
    for (const json::Member& member : *object_.if_object()) {
        if (is_known(member.key)) continue;
        const std::vector<std::string_view> names(known_.begin(), known_.begin() + known_count_);
        error_.reset();
        refuse(shown_word(member.key), no_such_word("field", member.key, names));
        return false;
    }
    return !error_;
}

bool BodyReader::finish(UnreadFields& unread) {
    if (unread.are_refused()) return finish();
    for (const json::Member& member : *object_.if_object()) {
        if (is_known(member.key)) continue;
        unread.note(path_to(member.key));
        if (error_) add_unknown(member.key);
    }
    return !error_;
}

void BodyReader::add_unknown(std::string_view name) {
    if (error_->details.size() > limits::kWarnedFieldsMax) return;
    const std::vector<std::string_view> names(known_.begin(), known_.begin() + known_count_);
    error_->details.push_back({path_to(shown_word(name)), no_such_word("field", name, names)});
}

bool BodyReader::is_null(std::string_view name) {
    const json::Value* found = find_any(name);
    return found != nullptr && found->is_null();
}

bool BodyReader::is_known(std::string_view name) const {
    for (std::size_t i = 0; i < known_count_; ++i) {
        if (http::equal_ignoring_case(known_[i], name)) return true;
    }
    return false;
}

std::string BodyReader::path_to(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

const json::Value* BodyReader::find_any(std::string_view name) {
    if (!is_known(name)) {
        MILLRACE_CHECK(known_count_ < known_.size());
        known_[known_count_++] = name;
    }
    const json::Value* found = nullptr;
    for (const json::Member& member : *object_.if_object()) {
        if (!http::equal_ignoring_case(member.key, name)) continue;
        if (found != nullptr) {
            refuse(name, "invalid request body: " + std::string(name) +
                             " stands twice in one object, in different case");
        }
        found = &member.value;
    }
    return found;
}

const json::Value* BodyReader::find(std::string_view name) {
    const json::Value* found = find_any(name);
    return found == nullptr || found->is_null() ? nullptr : found;
}

void BodyReader::refuse_type(std::string_view name, std::string_view expected) {
    refuse(name,
           "invalid request body: " + std::string(name) + " must be " + std::string(expected));
}

}  // namespace millrace::rest
