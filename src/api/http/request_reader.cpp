#include "api/http/request_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>

#include "api/http/url.hpp"

namespace millrace::http {

namespace {

namespace beast = boost::beast;
namespace wire = boost::beast::http;

using Code = beast::error_code;

// More is only reserved as it comes in: a claimed length costs its sender nothing.
constexpr std::uint64_t kBodyReserveMax = 1u << 20;

// The least that is still to come inside a chunked body: `0`, and two ends of a line. Beast asserts
// that it is there when it looks at a last chunk again.
constexpr std::size_t kChunkedRestBytesMin = 5;

// Around each chunk: its size in up to 16 digits, and two ends of a line.
constexpr std::size_t kChunkFrameBytesMax = 20;

std::string_view view(beast::string_view text) {
    return {text.data(), text.size()};
}

// There is an end of the line at the latest.
const char* behind_blanks(const char* at) {
    while (*at == ' ' || *at == '\t') ++at;
    return at;
}

// Fields that go on in a second line are out of use, and readers differ about them: a way to hide a
// request in another. Beast joins the lines; then the value does not stand behind its name.
bool is_folded(std::string_view name, std::string_view value) {
    const char* colon = name.data() + name.size();
    return behind_blanks(colon + 1) != value.data();
}

Rejection too_large(int status, const std::string& what, std::size_t bytes_max) {
    return {status, "too-large", what + " more than " + std::to_string(bytes_max) + " bytes."};
}

Rejection rejection_of(const Code& code, const RequestLimits& limits) {
    if (code == wire::error::header_limit) {
        return too_large(431, "The header of the request has", limits.header_bytes_max);
    }
    if (code == wire::error::body_limit) {
        return too_large(413, "The body of the request has", limits.body_bytes_max);
    }
    if (code == wire::error::bad_version) {
        return {505, "bad-request", "Only HTTP/1.0 and HTTP/1.1 are spoken here."};
    }
    return {400, "bad-request", "The request is not well-formed HTTP."};
}

}  // namespace

// Beast finds the parts; they are copied once, to where the handler will read them.
class RequestReader::Parser final : public wire::basic_parser<true> {
public:
    explicit Parser(const RequestLimits& limits) : limits_(limits) {}

    // Reads on in bytes that stand so far behind the beginning of the request.
    std::size_t put_at(std::size_t offset, std::string_view bytes, Code& code) {
        input_ = bytes.data();
        input_offset_ = offset;
        return put(boost::asio::const_buffer(bytes.data(), bytes.size()), code);
    }

    // Whether so many bytes of a request in chunks hold more beside its header, its body and the
    // frames of its chunks than a header may: extensions, trailers, zeros before a size.
    bool is_frame_too_large(std::size_t taken_bytes) const {
        const std::size_t known =
            header_bytes_ + request.body.size() + chunk_count_ * kChunkFrameBytesMax;
        return taken_bytes > known + limits_.header_bytes_max;
    }

    void reject(const Code& code) { rejection = rejection_of(code, limits_); }
    void reject_frame() {
        rejection = too_large(431, "The extensions and trailers of the chunks of the request have",
                              limits_.header_bytes_max);
    }

    HttpRequest request;
    std::optional<Rejection> rejection;
    bool is_http10 = false;
    bool expects_continue = false;

private:
    void on_request_impl(wire::verb, beast::string_view method, beast::string_view target,
                         int version, Code&) override {
        request.method = view(method);
        is_http10 = version == 10;
        header_bytes_ = offset_of(target.data() + target.size()) + kLineRestBytes;
        if (const auto parts = split_target(view(target))) {
            request.path = parts->path;
            request.query = parts->query;
            authority_ = parts->authority;
        } else {
            rejection = {400, "bad-request", "The target of the request is not a path."};
        }
    }

    void on_response_impl(int, beast::string_view, int, Code&) override {}

    // Also called for trailers, which come when the header is done and must not pass for part of
    // it.
    void on_field_impl(wire::field field, beast::string_view name, beast::string_view value,
                       Code&) override {
        if (is_header_done()) return;
        if (is_folded(view(name), view(value))) {
            rejection = {400, "bad-request", "A header field goes on in a second line."};
            return;
        }
        if (field == wire::field::transfer_encoding) {
            has_transfer_encoding_ = true;
            is_only_chunked_ = is_only_chunked_ && equal_ignoring_case(view(value), "chunked");
        }
        if (field == wire::field::expect) {
            expects_continue = equal_ignoring_case(view(value), "100-continue");
            if (!expects_continue) {
                rejection = {417, "bad-request", "The only expectation met here is 100-continue."};
            }
        }
        header_bytes_ = offset_of(behind_blanks(value.data() + value.size())) + kLineEndsBytes;
        request.headers.add(view(name), view(value));
    }

    void on_header_impl(Code&) override {
        // Beast counts from where it began to read last: up to twice as much would get through,
        // depending on how the bytes arrived.
        if (header_bytes_ > limits_.header_bytes_max) reject(wire::error::header_limit);
        if (has_transfer_encoding_ && (!chunked() || !is_only_chunked_)) {
            rejection = {501, "bad-request", "Only the transfer coding chunked is read here."};
        }
        // RFC 9112, 6.1: HTTP/1.0 knows no transfer codings, so a reader before this one may see
        // the end of the body elsewhere.
        if (has_transfer_encoding_ && is_http10) {
            rejection = {400, "bad-request", "HTTP/1.0 has no transfer codings."};
        }
        const std::size_t hosts = request.headers.count("Host");
        if (hosts > 1 || (hosts == 0 && !is_http10)) {
            rejection = {400, "bad-request", "A request has one Host."};
        }
        // A target that names a server counts more than Host (RFC 9112, 3.2.2). Who checks Host
        // must not be told one thing there and another here.
        if (authority_.empty() || rejection) return;
        if (hosts == 0) {
            request.headers.add("Host", authority_);
        } else if (!equal_ignoring_case(authority_, *request.headers.find("Host"))) {
            rejection = {400, "bad-request", "The target and Host name different servers."};
        }
    }

    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) override {
        if (length) request.body.reserve(std::min(*length, kBodyReserveMax));
    }

    std::size_t on_body_impl(beast::string_view bytes, Code&) override {
        request.body += view(bytes);
        return bytes.size();
    }

    void on_chunk_header_impl(std::uint64_t, beast::string_view, Code&) override {
        chunk_count_ += 1;
    }

    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes, Code&) override {
        request.body += view(bytes);
        return bytes.size();
    }

    void on_finish_impl(Code&) override {}

    std::size_t offset_of(const char* at) const {
        return input_offset_ + static_cast<std::size_t>(at - input_);
    }

    static constexpr std::size_t kLineEndsBytes = 4;   // Of the last field and of the header.
    static constexpr std::size_t kLineRestBytes = 13;  // ` HTTP/1.1` and the same.

    const RequestLimits limits_;
    const char* input_ = nullptr;
    std::size_t input_offset_ = 0;
    std::size_t header_bytes_ = 0;  // As if what was read last were the end of it.
    std::size_t chunk_count_ = 0;
    bool has_transfer_encoding_ = false;
    bool is_only_chunked_ = true;
    std::string authority_{};  // Of a target that names its server.
};

RequestReader::RequestReader(const RequestLimits& limits)
    : parser_(std::make_unique<Parser>(limits)) {
    parser_->eager(true);
    parser_->header_limit(static_cast<std::uint32_t>(limits.header_bytes_max));
    parser_->body_limit(limits.body_bytes_max);
}

RequestReader::~RequestReader() = default;

std::size_t RequestReader::feed(std::string_view bytes) {
    std::size_t taken = 0;
    while (taken < bytes.size() && !is_done() && !rejection()) {
        const bool is_in_chunks = parser_->is_header_done() && parser_->chunked();
        if (is_in_chunks && bytes.size() - taken < kChunkedRestBytesMin) break;
        Code code;
        const std::size_t count = parser_->put_at(taken_bytes_, bytes.substr(taken), code);
        taken += count;
        taken_bytes_ += count;
        const bool is_chunked = parser_->is_header_done() && parser_->chunked();
        if (is_chunked && !rejection() && parser_->is_frame_too_large(taken_bytes_)) {
            parser_->reject_frame();
        }
        if (code == wire::error::need_more) break;
        if (code && !parser_->rejection) parser_->reject(code);
    }
    return taken;
}

bool RequestReader::is_done() const {
    return parser_->is_done() && !parser_->rejection;
}

const std::optional<Rejection>& RequestReader::rejection() const {
    return parser_->rejection;
}

bool RequestReader::is_body_to_be_admitted() const {
    const bool is_open = parser_->is_header_done() && !parser_->is_done() && !rejection();
    if (!is_open || is_body_admitted_) return false;
    const auto length = body_bytes_declared();
    return parser_->expects_continue || !length || *length > limits::kBodyUnaskedBytesMax;
}

std::optional<std::size_t> RequestReader::body_bytes_declared() const {
    const auto length = parser_->content_length();
    if (!length) return std::nullopt;
    return static_cast<std::size_t>(*length);
}

std::size_t RequestReader::body_bytes() const {
    return parser_->request.body.size();
}

HttpRequest RequestReader::head() const {
    const HttpRequest& request = parser_->request;
    return {.method = request.method,
            .path = request.path,
            .query = request.query,
            .headers = request.headers};
}

void RequestReader::admit_body() {
    is_body_admitted_ = true;
    if (const auto length = body_bytes_declared()) parser_->request.body.reserve(*length);
}

bool RequestReader::take_wants_continue() {
    const bool may_come = parser_->is_header_done() && !parser_->is_done() && !rejection();
    return may_come && !parser_->is_http10 && std::exchange(parser_->expects_continue, false);
}

bool RequestReader::keep_alive() const {
    return parser_->keep_alive();
}

bool RequestReader::is_http10() const {
    return parser_->is_http10;
}

HttpRequest RequestReader::take() {
    return std::move(parser_->request);
}

}  // namespace millrace::http
