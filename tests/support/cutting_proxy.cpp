#include "support/cutting_proxy.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "base/check.hpp"

namespace millrace {

namespace {

constexpr int kPollMilliseconds = 50;
constexpr std::size_t kBufferBytes = 1u << 20;
// A Parse message: its letter, its length, no name, and the text.
constexpr std::string_view kCommit{"\0COMMIT\0", 8};
constexpr std::size_t kParseHeader = 5;
// How an answer ends: its letter, its length, and that no transaction is open.
constexpr std::string_view kReady{"Z\0\0\0\5I", 6};
// How everything ends that a client sends at once.
constexpr std::string_view kSync{"S\0\0\0\4", 5};

void write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

// Empty when the peer is gone.
std::string read_some(int from) {
    std::string bytes(kBufferBytes, '\0');
    const ssize_t count = recv(from, bytes.data(), bytes.size(), 0);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
}

bool is_readable(int descriptor, int milliseconds) {
    pollfd poll_entry{.fd = descriptor, .events = POLLIN, .revents = 0};
    return poll(&poll_entry, 1, milliseconds) > 0;
}

int connect_to(const std::string& path) {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    MILLRACE_CHECK(path.size() < sizeof(address.sun_path));
    std::memcpy(address.sun_path, path.data(), path.size());
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    MILLRACE_CHECK(connect(descriptor, generic, sizeof(address)) == 0);
    return descriptor;
}

}  // namespace

CuttingProxy::CuttingProxy(std::string socket_path) : socket_path_(std::move(socket_path)) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    MILLRACE_CHECK(bind(listener_, generic, size) == 0 && listen(listener_, 16) == 0);
    MILLRACE_CHECK(getsockname(listener_, generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

CuttingProxy::~CuttingProxy() {
    is_stopping_ = true;
    acceptor_.join();
    for (std::thread& server : servers_) server.join();
    close(listener_);
    const MutexLock lock(mutex_);
    for (const int descriptor : half_open_) close(descriptor);
}

void CuttingProxy::accept_all() {
    while (!is_stopping_) {
        if (!is_readable(listener_, kPollMilliseconds)) continue;
        const int client = accept(listener_, nullptr, nullptr);
        servers_.emplace_back([this, client] { serve(client); });
    }
}

void CuttingProxy::serve(int client) {
    const int server = connect_to(socket_path_);
    bool is_open = true;
    bool is_logged_in = false;
    while (is_open && !is_stopping_) {
        pollfd entries[] = {{.fd = client, .events = POLLIN, .revents = 0},
                            {.fd = server, .events = POLLIN, .revents = 0}};
        if (poll(entries, 2, kPollMilliseconds) <= 0) continue;
        if (entries[1].revents != 0) {
            const std::string answered = read_some(server);
            write_all(client, answered);
            is_open = !answered.empty();
            is_logged_in = is_logged_in || answered.ends_with(kReady);
        }
        if (is_open && entries[0].revents != 0) is_open = pass_on(client, server, is_logged_in);
    }
    close(client);
    close(server);
}

bool CuttingProxy::pass_on(int client, int server, bool is_logged_in) {
    std::string sent = read_some(client);
    if (sent.empty()) return false;
    // libpq sends in pieces of 8 KiB, and a COMMIT may lie across two of them.
    while (is_logged_in && armed_ != Cut::none && !sent.ends_with(kSync)) {
        const std::string more = read_some(client);
        if (more.empty()) return false;
        sent += more;
    }
    const std::size_t commit_at = sent.find(kCommit);
    const Cut armed = armed_;
    if (armed == Cut::none || commit_at == std::string::npos) {
        write_all(server, sent);
        return true;
    }
    if (is_armed_once_) armed_ = Cut::none;
    cut(armed, server, sent, commit_at);
    return false;
}

void CuttingProxy::keep_open(int server) {
    const MutexLock lock(mutex_);
    half_open_.push_back(dup(server));
}

void CuttingProxy::cut(Cut cut, int server, const std::string& sent, std::size_t commit_at) {
    const bool is_before = cut == Cut::before_commit || cut == Cut::before_commit_half_open;
    write_all(server, std::string_view(sent).substr(
                          0, is_before ? commit_at - kParseHeader : std::string::npos));
    if (cut == Cut::before_commit_half_open || cut == Cut::after_sending) keep_open(server);
    if (cut != Cut::before_reply) return;
    std::string answer;
    while (!answer.ends_with(kReady)) {
        const std::string more = read_some(server);
        if (more.empty()) return;
        answer += more;
    }
}

}  // namespace millrace
