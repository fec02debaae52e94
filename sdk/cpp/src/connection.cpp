#include "connection.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <array>
#include <atomic>
#include <optional>

namespace millrace::client {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Parser = http::response_parser<http::string_body>;

std::string request_text(const Url& url, const Request& request) {
    std::string text;
    text.reserve(256 + request.target.size() + request.body.size());
    text += request.method;
    text += ' ';
    text += url.prefix;
    text += request.target;
    text += " HTTP/1.1\r\nHost: ";
    text += authority(url);
    text += "\r\nUser-Agent: millrace-client-cpp\r\nAccept: application/json\r\n";
    if (!request.body.empty()) text += "Content-Type: application/json\r\n";
    if (!request.body.empty() || request.method == "POST") {
        text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    }
    text += "\r\n";
    text += request.body;
    return text;
}

}  // namespace

struct Connection::Socket {
    explicit Socket(std::size_t reply_bytes) : reply_bytes_max(reply_bytes) {}

    // Starts one operation and waits until it has ended. What takes longer than the deadline is
    // ended by closing the socket. nullopt: it was the deadline.
    template <class Start>
    std::optional<error_code> await(Start start, Deadline deadline) {
        std::optional<error_code> outcome;
        start([&outcome](error_code error, const auto&...) { outcome = error; });
        context.restart();
        context.run_until(deadline);
        if (outcome) return outcome;
        close();
        context.run();  // The operation refers to this frame: let it end, as cancelled.
        return std::nullopt;
    }

    void close() {
        error_code ignored;
        stream.close(ignored);
    }

    // What the caller is told, after closing.
    Error failed(const std::optional<error_code>& error, const char* code, const Url& url) {
        close();
        if (interrupted) return {.code = "interrupted", .message = "The call was interrupted."};
        if (!error) {
            return {.code = "timeout", .message = "No answer in time from " + authority(url) + "."};
        }
        return {.code = code,
                .message =
                    "The connection to " + authority(url) + " failed: " + error->message() + "."};
    }

    // Reads until the parser has a whole message.
    std::optional<error_code> read(Parser& parser, Deadline deadline);

    const std::size_t reply_bytes_max;
    asio::io_context context{1};
    asio::ip::tcp::socket stream{context};
    std::array<char, 16384> chunk{};
    std::string unread{};
    bool heard_nothing = true;
    std::atomic<bool> interrupted = false;
};

std::optional<error_code> Connection::Socket::read(Parser& parser, Deadline deadline) {
    while (!parser.is_done()) {
        std::size_t count = 0;
        const auto error = await(
            [&](auto done) {
                stream.async_read_some(asio::buffer(chunk),
                                       [&count, done](error_code e, std::size_t bytes) mutable {
                                           count = bytes;
                                           done(e);
                                       });
            },
            deadline);
        error_code parse_error;
        if (error == asio::error::eof && parser.got_some()) {
            parser.put_eof(parse_error);
            if (parse_error) return parse_error;
            continue;
        }
        if (!error || *error) return error;

        heard_nothing = false;
        unread.append(chunk.data(), count);
        const std::size_t used = parser.put(asio::buffer(unread), parse_error);
        unread.erase(0, used);
        if (parse_error && parse_error != http::error::need_more) return parse_error;
    }
    return error_code{};
}

Connection::Connection(std::size_t reply_bytes_max)
    : socket_(std::make_unique<Socket>(reply_bytes_max)) {}

Connection::~Connection() = default;

Status Connection::connect(const Url& url, Deadline deadline) {
    error_code resolve_error;
    asio::ip::tcp::resolver resolver(socket_->context);
    const auto endpoints = resolver.resolve(url.host, url.port, resolve_error);
    if (resolve_error) return socket_->failed(resolve_error, "unreachable", url);
    if (socket_->interrupted) return socket_->failed({}, "interrupted", url);

    const auto error = socket_->await(
        [&](auto done) {
            asio::async_connect(socket_->stream, endpoints,
                                [done](error_code e, const auto&) mutable { done(e); });
        },
        deadline);
    if (!error || *error) return socket_->failed(error, "unreachable", url);
    error_code ignored;  // Only slower without.
    socket_->stream.set_option(asio::ip::tcp::no_delay(true), ignored);
    return std::monostate{};
}

Result<Response> Connection::exchange(const Url& url, const Request& request, Deadline deadline) {
    socket_->heard_nothing = true;
    socket_->unread.clear();
    if (socket_->interrupted) return socket_->failed({}, "interrupted", url);

    const std::string text = request_text(url, request);
    const auto write_error = socket_->await(
        [&](auto done) { asio::async_write(socket_->stream, asio::buffer(text), done); }, deadline);
    if (!write_error) return socket_->failed(write_error, "connection-lost", url);

    // A server that refuses a request may answer and close before it has read all of it, so a
    // failed write does not mean that there is no answer.
    Parser parser;
    parser.eager(true);
    parser.body_limit(socket_->reply_bytes_max);
    const auto read_error = socket_->read(parser, deadline);
    if (!read_error || *read_error) {
        const bool is_protocol =
            read_error &&
            read_error->category() == http::make_error_code(http::error::bad_version).category();
        return socket_->failed(read_error, is_protocol ? "bad-reply" : "connection-lost", url);
    }
    if (*write_error || !parser.get().keep_alive()) socket_->close();
    return Response{.status = static_cast<int>(parser.get().result_int()),
                    .body = std::move(parser.get().body())};
}

bool Connection::is_idle() {
    if (!socket_->stream.is_open()) return false;
    error_code error;
    char byte = 0;
    socket_->stream.non_blocking(true, error);
    socket_->stream.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, error);
    return error == asio::error::would_block;
}

bool Connection::heard_nothing() const {
    return socket_->heard_nothing;
}

void Connection::interrupt() {
    socket_->interrupted = true;
    asio::post(socket_->context, [socket = socket_.get()] { socket->close(); });
}

}  // namespace millrace::client
