// A stream of bytes holds the same requests, however it was cut into pieces on its way. The first
// byte of the input says how: pieces of that size.

#include <algorithm>
#include <string>
#include <vector>

#include "api/http/request_reader.hpp"
#include "api/http/url.hpp"
#include "base/check.hpp"
#include "fuzz_target.hpp"

namespace millrace {

namespace {

using namespace http;

constexpr RequestLimits kLimits{.header_bytes_max = 1024, .body_bytes_max = 4096};
constexpr std::size_t kRequestsMax = 16;

// All that a handler or the connection can see of a request.
struct Seen {
    bool is_rejected = false;  // Why may differ: of two mistakes another one is met first.
    std::size_t bytes = 0;
    bool keep_alive = false;
    bool is_http10 = false;
    std::string method{};
    std::string path{};
    std::string query{};
    std::string host{};
    std::string body{};

    bool operator==(const Seen&) const = default;
};

Seen see(RequestReader& reader, std::size_t bytes) {
    Seen seen{.bytes = bytes};
    seen.keep_alive = reader.keep_alive();
    seen.is_http10 = reader.is_http10();
    HttpRequest request = reader.take();
    MILLRACE_CHECK(!request.method.empty() && request.path.starts_with('/'));
    MILLRACE_CHECK(request.body.size() <= kLimits.body_bytes_max);
    seen.method = std::move(request.method);
    seen.path = std::move(request.path);
    seen.query = std::move(request.query);
    seen.host = request.headers.find("Host").value_or("");
    seen.body = std::move(request.body);
    (void)percent_decoded(seen.path);
    return seen;
}

// The requests of the stream, as the connection reads them: what a reader leaves is shown to it
// again with more behind it.
std::vector<Seen> requests_in(std::string_view stream, std::size_t piece_bytes) {
    std::vector<Seen> requests;
    std::size_t begin = 0;  // Of what has not been taken.
    std::size_t end = 0;    // Of what has arrived.
    while (requests.size() < kRequestsMax) {
        RequestReader reader(kLimits);
        const std::size_t request_begin = begin;
        while (!reader.is_done() && !reader.rejection()) {
            if (end > begin) {
                const std::string arrived(stream.substr(begin, end - begin));
                const std::size_t taken = reader.feed(arrived);
                MILLRACE_CHECK(taken <= arrived.size());
                begin += taken;
                if (reader.is_done() || reader.rejection()) break;
            }
            if (end == stream.size()) return requests;
            end = std::min(end + piece_bytes, stream.size());
        }
        (void)reader.take_wants_continue();
        if (reader.rejection()) {
            requests.push_back({.is_rejected = true});
            return requests;
        }
        requests.push_back(see(reader, begin - request_begin));
    }
    return requests;
}

}  // namespace

void fuzz(std::string_view input) {
    if (input.empty()) return;
    const std::size_t piece_bytes = static_cast<unsigned char>(input.front()) % 32 + 1;
    // Ends every header: in small pieces what is wrong with one is only noticed there.
    const std::string stream = std::string(input.substr(1)) + "\r\n\r\n";
    const std::vector<Seen> whole = requests_in(stream, stream.size());
    MILLRACE_CHECK(requests_in(stream, piece_bytes) == whole);
}

}  // namespace millrace
