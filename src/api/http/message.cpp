#include "api/http/message.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace millrace::http {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool equal_ignoring_case(std::string_view left, std::string_view right) {
    return left.size() == right.size() && std::ranges::equal(left, right, {}, lower, lower);
}

void HttpHeaders::add(std::string_view name, std::string_view value) {
    fields_.push_back({
        .begin = static_cast<std::uint32_t>(text_.size()),
        .name_bytes = static_cast<std::uint32_t>(name.size()),
        .value_bytes = static_cast<std::uint32_t>(value.size()),
    });
    text_.append(name).append(value);
}

std::optional<std::string_view> HttpHeaders::find(std::string_view name) const {
    for (const Field& field : fields_) {
        if (equal_ignoring_case(name_of(field), name)) return value_of(field);
    }
    return std::nullopt;
}

std::size_t HttpHeaders::count(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        fields_, [&](const Field& field) { return equal_ignoring_case(name_of(field), name); }));
}

std::string_view HttpHeaders::name_of(const Field& field) const {
    return std::string_view(text_).substr(field.begin, field.name_bytes);
}

std::string_view HttpHeaders::value_of(const Field& field) const {
    return std::string_view(text_).substr(field.begin + field.name_bytes, field.value_bytes);
}

const std::string& HttpRequest::path_parameter(std::string_view name) const {
    const std::string* found = find_path_parameter(name);
    MILLRACE_CHECK(found != nullptr);
    return *found;
}

const std::string* HttpRequest::find_path_parameter(std::string_view name) const {
    const auto found =
        std::ranges::find(path_parameters, name, [](const auto& pair) { return pair.first; });
    return found == path_parameters.end() ? nullptr : &found->second;
}

}  // namespace millrace::http
