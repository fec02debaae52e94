#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/rest/unread_fields.hpp"
#include "base/json/value.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// The JSON value of a body, which has to be an object, with nothing after it.
Result<json::Value> parse_object(std::string_view body);
// The same where a body may be missing: then the object is empty.
Result<json::Value> parse_optional_object(std::string_view body);

// Takes the fields of an object apart. Names match whatever the case of their letters, so the same
// one in two ways is wrong; null counts as absent.
//
// Ask for everything, whatever the values are, then finish: what was asked for is what the object
// may have, so that no second list of names can differ from what is read.
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

    // Notes that a field is missing or wrong in a way that its type does not show.
    void refuse(std::string_view name, std::string reason);

    // True when every field was right and somebody has asked for it. A field that nobody knows is
    // the error before all others: it tells why another one seems to be missing.
    [[nodiscard]] bool finish();
    // The same, but where unknown fields are not refused they are noted. When something else is
    // wrong, the error names them, too: a misspelt field is why another one seems to be missing.
    [[nodiscard]] bool finish(UnreadFields& unread);

    // That of the first field that was wrong, so far.
    bool has_error() const { return error_.has_value(); }
    const Error& error() const { return *error_; }

private:
    // Remembers that the name was asked for.
    const json::Value* find_any(std::string_view name);
    // Tells of a field that nobody knows beside the error that there is.
    void add_unknown(std::string_view name);
    bool is_known(std::string_view name) const;
    std::string path_to(std::string_view name) const;
    const json::Value* find(std::string_view name);
    void refuse_type(std::string_view name, std::string_view expected);

    const json::Value& object_;
    std::string path_;
    std::optional<Error> error_{};
    // No object of ours has as many. They are constants of whoever asks.
    std::array<std::string_view, 24> known_{};
    std::size_t known_count_ = 0;
};

}  // namespace millrace::rest
