#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::rpc {

// Walks over a JSON text and gives out its values as the exact pieces of the text that they are.
// For answers of our own server, so it finds the ends of values and leaves what is inside strings
// and numbers to others; of a text that is no JSON it gives out some piece, or fails, and never
// reads beyond it.
class JsonText {
public:
    explicit JsonText(std::string_view text) : text_(text) {}

    // The first character of the next value; 0 at the end.
    char peek();

    // Steps into the object or array that comes next. False when there is none.
    bool enter(char bracket);
    // The next member of the object, or item of the array, that was entered last and not left:
    // stands before its value then. False at its end, which is left, and after a failure.
    bool next_member(std::string& name);
    bool next_item();

    // The whole next value, stepped over. Nothing when the text ends within it.
    std::optional<std::string_view> take();

    bool has_failed() const { return has_failed_; }

private:
    bool next(char end);
    bool skip_string();
    bool fail();

    std::string_view text_;
    std::size_t at_ = 0;
    bool is_first_ = false;  // Right behind an opening bracket.
    bool has_failed_ = false;
};

// What a string in JSON says. Nothing when it is none.
std::optional<std::string> string_in(std::string_view json);

}  // namespace millrace::rpc
