#include "store/postgres/postgres_hint_listener.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.hpp"
#include "store/postgres/hint_message.hpp"

namespace millrace::postgres {

namespace {

ConnectionOptions listening_options(const PostgresOptions& options) {
    ConnectionOptions listening = connection_options(options);
    if (!options.listen_target.empty()) listening.target = options.listen_target;
    return listening;
}

}  // namespace

PostgresHintListener::PostgresHintListener(PostgresOptions options)
    : options_(std::move(options)),
      connection_(listening_options(options_)),
      interrupt_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    MILLRACE_CHECK(interrupt_fd_ >= 0);
}

PostgresHintListener::~PostgresHintListener() {
    ::close(interrupt_fd_);
}

Result<std::vector<Hint>> PostgresHintListener::wait(Duration patience) {
    if (!connection_.is_open()) {
        if (const Status status = listen(); !status) return status.error();
        return std::vector{Hint{.is_incomplete = true}};
    }
    const Woken woken = wait_for_something(patience);
    if (woken == Woken::by_interrupt) return std::vector<Hint>{};
    if (woken == Woken::by_time) {
        const Result<Instant> answer = read_clock(connection_);
        if (!answer) return answer.error();
    }
    return take_hints();
}

void PostgresHintListener::interrupt() {
    (void)eventfd_write(interrupt_fd_, 1);  // Fails only when it is full, and so set.
}

Status PostgresHintListener::listen() {
    if (const Status status = connection_.open(); !status) return status;
    const Result<std::vector<Rows>> channel = connection_.run({call(sql::hint_channel)});
    if (!channel) return channel.error();
    const std::string listen = "LISTEN \"" + std::string(Fields(channel->front(), 0).text()) + "\"";
    const Result<std::vector<Rows>> listening = connection_.run({command(listen.c_str())});
    return listening ? ok() : Status(listening.error());
}

PostgresHintListener::Woken PostgresHintListener::wait_for_something(Duration patience) {
    pollfd sources[] = {{.fd = connection_.socket(), .events = POLLIN, .revents = 0},
                        {.fd = interrupt_fd_, .events = POLLIN, .revents = 0}};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(patience);
    (void)::poll(sources, std::size(sources), static_cast<int>(milliseconds.count()));
    if (sources[1].revents != 0) {
        eventfd_t interrupts = 0;
        (void)eventfd_read(interrupt_fd_, &interrupts);
        return Woken::by_interrupt;
    }
    return sources[0].revents != 0 ? Woken::by_server : Woken::by_time;
}

Result<std::vector<Hint>> PostgresHintListener::take_hints() {
    const Result<std::vector<std::string>> messages = connection_.take_messages();
    if (!messages) return messages.error();
    std::vector<Hint> hints;
    for (const std::string& text : *messages) {
        std::optional<HintMessage> message = read_hint(text);
        if (message && message->from != options_.replica_id) {
            hints.push_back(std::move(message->hint));
        }
    }
    return hints;
}

}  // namespace millrace::postgres
