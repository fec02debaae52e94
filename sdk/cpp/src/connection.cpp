#include "connection.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>

#include <array>
#include <atomic>
#include <optional>

#include "name_lookup.hpp"
#include "reply_body.hpp"
#include "retry_after.hpp"
#include "tls_context.hpp"

namespace millrace::client {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Parser = http::response_parser<ReplyBody>;
using TcpSocket = asio::ip::tcp::socket;

std::string request_text(const Url& url, const ClientOptions& options, const Request& request) {
    std::string text;
    text.reserve(512 + request.target.size() + request.body.size());
    const auto add = [&](std::string_view name, std::string_view value) {
        text.append(name).append(": ").append(value).append("\r\n");
    };
    text.append(request.method).append(" ").append(url.prefix).append(request.target);
    text += " HTTP/1.1\r\n";
    add("Host", authority(url));
    add("User-Agent", "millrace-client-cpp");
    add("Accept", request.accept);
    if (!options.api_key.empty()) add("Authorization", "Bearer " + options.api_key);
    if (!options.workspace.empty()) add("Millrace-Workspace", options.workspace);
    for (const Header& header : request.headers) add(header.name, header.value);
    if (!request.body.empty()) add("Content-Type", "application/json");
    if (!request.body.empty() || request.method != "GET") {
        add("Content-Length", std::to_string(request.body.size()));
    }
    text += "\r\n";
    text += request.body;
    return text;
}

// A server that hangs up without saying so in TLS has still hung up.
bool is_end(const std::optional<error_code>& error) {
    return error == asio::error::eof || error == asio::ssl::error::stream_truncated;
}

bool is_success(const Parser& parser) {
    return parser.is_header_done() && parser.get().result_int() / 100 == 2;
}

}  // namespace

struct Connection::Socket {
    Socket(const ClientOptions& options_given, TlsContext* tls_given)
        : options(options_given), tls_context(tls_given) {}

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

    // Calls back with what bytes are to go through.
    template <class Use>
    void with_stream(Use use) {
        if (tls) {
            use(*tls);
        } else {
            use(stream);
        }
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

    // Agrees on keys, and on who the server is.
    std::optional<error_code> shake_hands(const Url& url, Deadline deadline);

    // Reads until the parser has a whole message, or the sink has enough.
    std::optional<error_code> read(Parser& parser, const Request& request, Deadline deadline,
                                   Duration duration_max);
    std::optional<error_code> read_some(Parser& parser, Deadline deadline);

    const ClientOptions& options;
    TlsContext* const tls_context;
    asio::io_context context{1};
    TcpSocket stream{context};
    std::optional<asio::ssl::stream<TcpSocket&>> tls{};
    std::array<char, 16384> chunk{};
    std::string unread{};
    bool heard_nothing = true;
    bool is_enough = false;
    std::atomic<bool> interrupted = false;
    NameLookup lookup{};
};

std::optional<error_code> Connection::Socket::shake_hands(const Url& url, Deadline deadline) {
    tls.emplace(stream, tls_context->native());
    error_code ignored;
    const bool is_name = (asio::ip::make_address(url.host, ignored), ignored.failed());
    // Servers of several names choose their certificate by it.
    if (is_name) SSL_set_tlsext_host_name(tls->native_handle(), url.host.c_str());
    if (options.verifies_server) {
        tls->set_verify_callback(asio::ssl::host_name_verification(url.host), ignored);
    }
    return await([&](auto done) { tls->async_handshake(asio::ssl::stream_base::client, done); },
                 deadline);
}

std::optional<error_code> Connection::Socket::read(Parser& parser, const Request& request,
                                                   Deadline deadline, Duration duration_max) {
    while (!parser.is_done() && !is_enough) {
        const auto error = read_some(parser, deadline);
        if (!error || *error) return error;
        if (!request.sink || !is_success(parser)) continue;
        deadline = deadline_after(duration_max);
        const std::string piece = std::exchange(parser.get().body(), {});
        is_enough = !piece.empty() && !request.sink(piece);
    }
    return error_code{};
}

std::optional<error_code> Connection::Socket::read_some(Parser& parser, Deadline deadline) {
    std::size_t count = 0;
    const auto error = await(
        [&](auto done) {
            with_stream([&](auto& bytes) {
                bytes.async_read_some(asio::buffer(chunk),
                                      [&count, done](error_code e, std::size_t n) mutable {
                                          count = n;
                                          done(e);
                                      });
            });
        },
        deadline);
    error_code parse_error;
    if (is_end(error) && parser.got_some()) {
        parser.put_eof(parse_error);
        return parse_error;
    }
    if (!error || *error) return error;

    heard_nothing = false;
    unread.append(chunk.data(), count);
    // Eager parsers stop where a body begins that its limit must be known for, so go on.
    while (!unread.empty() && !parser.is_done()) {
        const std::size_t used = parser.put(asio::buffer(unread), parse_error);
        unread.erase(0, used);
        if (parse_error == http::error::need_more || (!parse_error && used == 0)) break;
        if (parse_error) return parse_error;
    }
    return error_code{};
}

Connection::Connection(const ClientOptions& options, TlsContext* tls)
    : socket_(std::make_unique<Socket>(options, tls)) {}

Connection::~Connection() = default;

Status Connection::connect(const Url& url, Deadline deadline) {
    const auto found = socket_->lookup.find(url.host, url.port, deadline);
    if (socket_->interrupted || !found) return socket_->failed({}, "interrupted", url);
    if (found->error) return socket_->failed(found->error, "unreachable", url);

    auto error = socket_->await(
        [&](auto done) {
            asio::async_connect(socket_->stream, found->endpoints,
                                [done](error_code e, const auto&) mutable { done(e); });
        },
        deadline);
    if (!error || *error) return socket_->failed(error, "unreachable", url);
    error_code ignored;  // Only slower without.
    socket_->stream.set_option(asio::ip::tcp::no_delay(true), ignored);
    if (socket_->tls_context == nullptr) return std::monostate{};

    error = socket_->shake_hands(url, deadline);
    if (!error || *error) return socket_->failed(error, "untrusted", url);
    return std::monostate{};
}

Result<Response> Connection::exchange(const Url& url, const Request& request,
                                      Duration duration_max) {
    socket_->heard_nothing = true;
    socket_->is_enough = false;
    socket_->unread.clear();
    if (socket_->interrupted) return socket_->failed({}, "interrupted", url);

    const Deadline deadline = deadline_after(duration_max);
    const std::string text = request_text(url, socket_->options, request);
    const auto write_error = socket_->await(
        [&](auto done) {
            socket_->with_stream(
                [&](auto& bytes) { asio::async_write(bytes, asio::buffer(text), done); });
        },
        deadline);
    if (!write_error) return socket_->failed(write_error, "connection-lost", url);

    // A server that refuses a request may answer and close before it has read all of it, so a
    // failed write does not mean that there is no answer.
    Parser parser;
    parser.eager(true);
    if (request.sink) {
        parser.body_limit(boost::none);
    } else {
        parser.body_limit(socket_->options.reply_bytes_max);
    }
    const auto read_error = socket_->read(parser, request, deadline, duration_max);
    if (!read_error || *read_error) {
        const bool is_protocol =
            read_error &&
            read_error->category() == http::make_error_code(http::error::bad_version).category() &&
            *read_error != http::error::partial_message;
        return socket_->failed(read_error, is_protocol ? "bad-reply" : "connection-lost", url);
    }
    const bool is_over = parser.is_done() && parser.get().keep_alive();
    if (*write_error || !is_over) socket_->close();
    return Response{.status = static_cast<int>(parser.get().result_int()),
                    .body = std::move(parser.get().body()),
                    .retry_after = retry_after(parser.get()[http::field::retry_after],
                                               parser.get()[http::field::date])};
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
    socket_->lookup.interrupt();
    asio::post(socket_->context, [socket = socket_.get()] { socket->close(); });
}

}  // namespace millrace::client
