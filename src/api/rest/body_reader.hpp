#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// The JSON value of a body, which has to be an object, with nothing after it.
Result<json::Value> parse_object(std::string_view body);
// The same where a body may be missing: then the object is empty.
Result<json::Value> parse_optional_object(std::string_view body);

// Takes the fields of an object apart. Names match whatever the case of their letters, so the same
// one in two ways is wrong; null counts as absent, and fields that nobody asks for are ignored, as
// existing clients may rely on.
//
// Ask for everything first, then for the error: it is that of the first field that was wrong.
class BodyReader {
public:
    // `path` leads to the object, for errors: "jobs[3]" or nothing.
    explicit BodyReader(const json::Value& object, std::string path = {})
        : object_(object), path_(std::move(path)) {}

    // Empty, false, null when the field is absent.
    std::string text(std::string_view name);
    // Where an empty text is not the same as none.
    std::optional<std::string> optional_text(std::string_view name);
    bool flag(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name);
    std::optional<double> number(std::string_view name);
    // The object, or null.
    json::Value object(std::string_view name);
    const json::Array* array(std::string_view name);
    // Any value; null when it is absent.
    const json::Value* value(std::string_view name) { return find(name); }

    // Where null says something else than nothing: the field is there and null.
    bool is_null(std::string_view name);

    // A name that somebody chose: worker, definition, business key. Up to kNameBytesMax, without
    // U+0000, which no database stores.
    std::string name(std::string_view name);

    // For calls that would do more than was meant when a name is misspelt: every field has to be
    // one of these.
    void refuse_others(std::initializer_list<std::string_view> names);

    // Notes that a field is missing or wrong in a way that its type does not show.
    void refuse(std::string_view name, std::string reason);

    bool has_error() const { return error_.has_value(); }
    const Error& error() const { return *error_; }

private:
    const json::Value* find_any(std::string_view name);
    const json::Value* find(std::string_view name);
    void refuse_type(std::string_view name, std::string_view expected);

    const json::Value& object_;
    std::string path_;
    std::optional<Error> error_{};
};

}  // namespace millrace::rest
