#include "api/http/response_writer.hpp"

#include <array>
#include <charconv>
#include <chrono>

namespace millrace::http {

namespace {

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 204: return "No Content";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 413: return "Content Too Large";
        case 417: return "Expectation Failed";
        case 415: return "Unsupported Media Type";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        case 505: return "HTTP Version Not Supported";
        default: return "Status";
    }
}

void append_number(std::string& out, std::size_t number, int base = 10) {
    std::array<char, 20> digits{};
    const auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
    out.append(digits.data(), end);
}

void append_two_digits(std::string& out, long number) {
    out += static_cast<char>('0' + number / 10);
    out += static_cast<char>('0' + number % 10);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

// The date changes once a second and costs more than the rest of a header.
void append_date(std::string& out, Instant now) {
    thread_local std::chrono::sys_seconds second{};
    thread_local std::string text;
    const auto current = std::chrono::floor<std::chrono::seconds>(now);
    if (text.empty() || current != second) {
        second = current;
        text = http_date(now);
    }
    append_field(out, "Date", text);
}

void append_connection(std::string& out, const ResponseFrame& frame) {
    if (!frame.keep_alive) {
        out += "Connection: close\r\n";
    } else if (frame.is_http10) {
        out += "Connection: keep-alive\r\n";
    }
}

// A 204 must not have a length; everything else has one, so that the client knows where it ends.
void append_content_fields(std::string& out, const HttpResponse& response) {
    if (response.status == 204) return;
    if (!response.body.empty()) append_field(out, "Content-Type", response.content_type);
    out += "Content-Length: ";
    append_number(out, response.body.size());
    out += "\r\n";
}

void append_status_line(std::string& out, int status) {
    out += "HTTP/1.1 ";
    append_number(out, static_cast<std::size_t>(status));
    out.append(1, ' ').append(reason_phrase(status)).append("\r\n");
}

// What every answer has, behind what describes its body.
void append_common_fields(std::string& out, const HttpResponse& response,
                          const ResponseFrame& frame) {
    append_date(out, frame.now);
    out += "Vary: Origin\r\n";
    if (!frame.allowed_origin.empty()) {
        append_field(out, "Access-Control-Allow-Origin", frame.allowed_origin);
    }
    if (!frame.request_id.empty()) append_field(out, "X-Request-Id", frame.request_id);
    for (const auto& [name, value] : response.headers) append_field(out, name, value);
    append_connection(out, frame);
    out += "\r\n";
}

bool is_chunked(const ResponseFrame& frame) {
    return !frame.is_head && !frame.is_http10;
}

}  // namespace

std::string http_date(Instant at) {
    using namespace std::chrono;
    static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const sys_days day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss time(floor<seconds>(at) - day);

    std::string out = kDays[weekday(day).c_encoding()];
    out += ", ";
    append_two_digits(out, static_cast<long>(static_cast<unsigned>(date.day())));
    out += ' ';
    out += kMonths[static_cast<unsigned>(date.month()) - 1];
    out += ' ';
    append_number(out, static_cast<std::size_t>(static_cast<int>(date.year())));
    out += ' ';
    append_two_digits(out, time.hours().count());
    out += ':';
    append_two_digits(out, time.minutes().count());
    out += ':';
    append_two_digits(out, static_cast<long>(time.seconds().count()));
    out += " GMT";
    return out;
}

void append_response(std::string& out, const HttpResponse& response, const ResponseFrame& frame) {
    out.reserve(out.size() + response.body.size() + 320);
    append_status_line(out, response.status);
    append_content_fields(out, response);
    append_common_fields(out, response, frame);
    if (!frame.is_head && response.status != 204) out += response.body;
}

void append_stream_head(std::string& out, const HttpResponse& head, const ResponseFrame& frame) {
    append_status_line(out, head.status);
    append_field(out, "Content-Type", head.content_type);
    if (!frame.is_http10) out += "Transfer-Encoding: chunked\r\n";
    append_common_fields(out, head, frame);
}

void append_chunk(std::string& out, std::string_view bytes, const ResponseFrame& frame) {
    if (bytes.empty() || frame.is_head) return;
    if (!is_chunked(frame)) {
        out += bytes;
        return;
    }
    out.reserve(out.size() + bytes.size() + 24);
    append_number(out, bytes.size(), 16);
    out.append("\r\n").append(bytes).append("\r\n");
}

void append_stream_end(std::string& out, const ResponseFrame& frame) {
    if (is_chunked(frame)) out += "0\r\n\r\n";
}

}  // namespace millrace::http
