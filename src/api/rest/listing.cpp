#include "api/rest/listing.hpp"

#include <algorithm>
#include <charconv>

#include "api/http/url.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

std::optional<std::int32_t> whole_number(std::string_view text) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

Error foreign_cursor() {
    constexpr const char* kReason = "cursor is not one that this server gave out for this list";
    return {ErrorCode::invalid_argument, kReason, {{"cursor", kReason}}};
}

Result<Page> page_of(std::string_view list, std::string_view query) {
    const auto number = whole_number(http::query_value(query, "page").value_or(""));
    const auto size = whole_number(http::query_value(query, "pageSize").value_or(""));
    Page page{.number = std::max(number.value_or(0), 0), .size = limits::kPageSizeDefault};
    if (size && *size > 0) page.size = std::min(*size, limits::kPageSizeMax);
    const auto cursor = http::query_value(query, "cursor");
    if (!cursor || cursor->empty()) return page;

    std::optional<std::string> place = from_cursor(list, *cursor);
    if (!place) return foreign_cursor();
    page.number = 0;
    page.after = std::move(*place);
    return page;
}

}  // namespace millrace::rest
