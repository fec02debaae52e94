#include "api/grpc/millrace/json_text.hpp"

#include <algorithm>

#include "base/json/parse.hpp"

namespace millrace::rpc {

char JsonText::peek() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    at_ = next == std::string_view::npos ? text_.size() : next;
    return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonText::enter(char bracket) {
    if (peek() != bracket) return false;
    ++at_;
    is_first_ = true;
    return true;
}

bool JsonText::next_member(std::string& name) {
    if (!next('}')) return false;
    const auto key = peek() == '"' ? take() : std::nullopt;
    auto text = key ? string_in(*key) : std::nullopt;
    if (!text || peek() != ':') return fail();
    ++at_;
    name = std::move(*text);
    return true;
}

bool JsonText::next_item() {
    return next(']');
}

bool JsonText::next(char end) {
    if (has_failed_) return false;
    const bool is_first = is_first_;
    is_first_ = false;
    const char c = peek();
    if (c == end) {
        ++at_;
        return false;
    }
    if (is_first) return c != '\0' || fail();
    if (c != ',') return fail();
    ++at_;
    return true;
}

std::optional<std::string_view> JsonText::take() {
    peek();
    is_first_ = false;
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '"') {
            if (!skip_string()) break;
        } else if (c == '{' || c == '[') {
            ++depth;
            ++at_;
            continue;
        } else if (c == '}' || c == ']') {
            if (depth == 0) break;
            --depth;
            ++at_;
        } else if (depth > 0) {
            ++at_;
            continue;
        } else {
            at_ = std::min(text_.find_first_of(" \t\r\n,:]}[{\"", at_), text_.size());
            if (at_ == begin) break;  // A comma or colon where a value should be.
        }
        if (depth == 0) return text_.substr(begin, at_ - begin);
    }
    fail();
    return std::nullopt;
}

// Leaves the end behind the closing quote.
bool JsonText::skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\\') {
            ++at_;
        } else if (text_[at_] == '"') {
            ++at_;
            return true;
        }
    }
    at_ = text_.size();
    return false;
}

bool JsonText::fail() {
    has_failed_ = true;
    return false;
}

std::optional<std::string> string_in(std::string_view json) {
    if (json.size() < 2 || json.front() != '"' || json.back() != '"') return std::nullopt;
    const std::string_view inner = json.substr(1, json.size() - 2);
    if (inner.find('\\') == std::string_view::npos) return std::string(inner);
    Result<json::Value> value = json::parse(json);
    if (!value || value->if_string() == nullptr) return std::nullopt;
    return *value->if_string();
}

}  // namespace millrace::rpc
