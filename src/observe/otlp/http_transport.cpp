#include "observe/otlp/http_transport.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <charconv>
#include <chrono>
#include <optional>

namespace millrace::observe::otlp {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr auto kLookInterval = std::chrono::milliseconds(50);  // Whether to give up.
constexpr std::uint64_t kReplyBytesMax = 1u << 20;  // An answer is some bytes, or a sentence.

using Request = http::request<http::string_body>;

std::string host_field(const Endpoint& endpoint) {
    const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
    return (is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" + endpoint.port;
}

Request make_request(const HttpTransportConfig& config, const std::string& body) {
    Request request(http::verb::post, config.endpoint.target, 11, body);
    request.set(http::field::host, host_field(config.endpoint));
    request.set(http::field::content_type, "application/x-protobuf");
    request.set(http::field::user_agent, "millrace");
    for (const auto& [name, value] : config.headers) request.set(name, value);
    request.prepare_payload();
    return request;
}

// Seconds; a date is not understood, and the usual pause is made instead.
std::optional<Duration> retry_after(std::string_view text) {
    std::uint32_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return std::chrono::seconds(seconds);
}

}  // namespace

// Blocking calls that can be given up at any time: each starts an operation and runs the loop until
// it has ended.
class HttpTransport::Connection {
public:
    explicit Connection(const HttpTransportConfig& config) : config_(config) {}

    error_code prepare() {
        error_code failure;
        tls_.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv3 |
                             asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1,
                         failure);
        if (failure) return failure;
        if (config_.ca_file.empty()) {
            tls_.set_default_verify_paths(failure);
        } else {
            tls_.load_verify_file(config_.ca_file, failure);
        }
        return failure;
    }

    bool is_open() const { return stream_ && stream_->lowest_layer().is_open(); }

    void close() {
        if (!stream_) return;
        error_code ignored;
        stream_->lowest_layer().close(ignored);
        stream_.reset();
        buffer_.clear();
    }

    error_code open(const std::function<bool()>& gives_up) {
        tcp::resolver resolver(io_);
        tcp::resolver::results_type addresses;
        error_code failure = wait(
            [&](auto done) {
                resolver.async_resolve(config_.endpoint.host, config_.endpoint.port,
                                       [&addresses, done](error_code ended, auto found) {
                                           addresses = std::move(found);
                                           done(ended);
                                       });
            },
            gives_up);
        if (failure) return failure;

        stream_.emplace(io_, tls_);
        failure = wait(
            [&](auto done) {
                asio::async_connect(stream_->lowest_layer(), addresses,
                                    [done](error_code ended, const auto&) { done(ended); });
            },
            gives_up);
        return failure || !config_.endpoint.is_https ? failure : shake_hands(gives_up);
    }

    Result<Reply> exchange(const Request& request, const std::function<bool()>& gives_up) {
        return config_.endpoint.is_https ? exchange(*stream_, request, gives_up)
                                         : exchange(stream_->next_layer(), request, gives_up);
    }

private:
    using Stream = asio::ssl::stream<tcp::socket>;

    error_code shake_hands(const std::function<bool()>& gives_up) {
        error_code failure;
        const std::string& host = config_.endpoint.host;
        // Names only: an address is not announced (RFC 6066).
        asio::ip::make_address(host, failure);
        if (failure) SSL_set_tlsext_host_name(stream_->native_handle(), host.c_str());
        failure = {};
        stream_->set_verify_mode(asio::ssl::verify_peer, failure);
        if (failure) return failure;
        stream_->set_verify_callback(asio::ssl::host_name_verification(host), failure);
        if (failure) return failure;
        return wait(
            [&](auto done) { stream_->async_handshake(asio::ssl::stream_base::client, done); },
            gives_up);
    }

    template <class Wire>
    Result<Reply> exchange(Wire& wire, const Request& request,
                           const std::function<bool()>& gives_up) {
        http::response_parser<http::string_body> reply;
        reply.body_limit(kReplyBytesMax);
        error_code failure = wait(
            [&](auto done) {
                http::async_write(wire, request,
                                  [done](error_code ended, std::size_t) { done(ended); });
            },
            gives_up);
        if (!failure) {
            failure = wait(
                [&](auto done) {
                    http::async_read(wire, buffer_, reply,
                                     [done](error_code ended, std::size_t) { done(ended); });
                },
                gives_up);
        }
        if (failure) return Error{ErrorCode::unavailable, failure.message()};
        if (!reply.get().keep_alive()) close();
        return Reply{.status = static_cast<int>(reply.get().result_int()),
                     .retry_after = retry_after(reply.get()[http::field::retry_after])};
    }

    template <class Start>
    error_code wait(Start start, const std::function<bool()>& gives_up) {
        std::optional<error_code> ended;
        start([&ended](error_code outcome) { ended = outcome; });
        while (!ended) {
            if (gives_up()) {
                close_socket();
                io_.restart();
                while (!ended) io_.run_one();
                return asio::error::timed_out;
            }
            io_.restart();
            io_.run_one_for(kLookInterval);
        }
        return *ended;
    }

    void close_socket() {
        error_code ignored;
        if (stream_) stream_->lowest_layer().close(ignored);
    }

    const HttpTransportConfig& config_;
    asio::io_context io_{1};
    asio::ssl::context tls_{asio::ssl::context::tls_client};
    std::optional<Stream> stream_{};
    boost::beast::flat_buffer buffer_{};
};

HttpTransport::HttpTransport(HttpTransportConfig config)
    : config_(std::move(config)), connection_(std::make_unique<Connection>(config_)) {}

HttpTransport::~HttpTransport() = default;

Result<std::unique_ptr<HttpTransport>> HttpTransport::make(HttpTransportConfig config) {
    std::unique_ptr<HttpTransport> transport(new HttpTransport(std::move(config)));
    if (const error_code failure = transport->connection_->prepare()) {
        return Error{ErrorCode::invalid_argument,
                     "tracing.caFile: \"" + transport->config_.ca_file +
                         "\" cannot be used: " + failure.message() + "."};
    }
    return transport;
}

Result<Reply> HttpTransport::post(const std::string& body, const std::function<bool()>& gives_up) {
    const Request request = make_request(config_, body);
    // A collector may close a connection that was idle just when it is used again.
    if (connection_->is_open()) {
        Result<Reply> reply = connection_->exchange(request, gives_up);
        if (reply) return reply;
        connection_->close();
        if (gives_up()) return reply;
    }
    if (const error_code failure = connection_->open(gives_up)) {
        connection_->close();
        return Error{ErrorCode::unavailable, failure.message()};
    }
    Result<Reply> reply = connection_->exchange(request, gives_up);
    if (!reply) connection_->close();
    return reply;
}

}  // namespace millrace::observe::otlp
