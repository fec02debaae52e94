#include "cli/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

extern char** environ;

namespace millrace::cli {
namespace {

class Descriptor {
public:
    explicit Descriptor(int value = -1) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const { return value_; }
    bool is_open() const { return value_ >= 0; }
    void close() {
        if (value_ >= 0) ::close(value_);
        value_ = -1;
    }

private:
    int value_;
};

struct Pipe {
    Descriptor reader{};
    Descriptor writer{};
};

// Neither end is inherited but through dup2, so that parallel children do not hold each other's.
bool open_pipe(Pipe& pipe) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    pipe.reader = Descriptor(ends[0]);
    pipe.writer = Descriptor(ends[1]);
    return true;
}

bool set_non_blocking(const Descriptor& descriptor) {
    const int flags = ::fcntl(descriptor.get(), F_GETFL);
    return flags >= 0 && ::fcntl(descriptor.get(), F_SETFL, flags | O_NONBLOCK) == 0;
}

Error system_error(const char* what) {
    return {ErrorCode::unavailable,
            std::string(what) + ": " + std::generic_category().message(errno) + "."};
}

// The three pipes and the process at their other end.
struct Child {
    pid_t pid = -1;
    Pipe input{};
    Pipe output{};
    Pipe error{};
};

// A group of its own, no signal held back, and SIGPIPE as a program expects it.
void set_attributes(posix_spawnattr_t& attributes) {
    sigset_t none;
    sigset_t restored;
    ::sigemptyset(&none);
    ::sigemptyset(&restored);
    ::sigaddset(&restored, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &restored);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

// Those that are given stand in front, where a shell finds them first, and ours of the same name
// are left out.
std::vector<char*> environment_with(Variables& variables) {
    std::vector<char*> all;
    for (std::string& variable : variables) all.push_back(variable.data());
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view ours(*entry);
        const bool is_given = std::ranges::any_of(variables, [&](const std::string& variable) {
            return ours.starts_with(variable.substr(0, variable.find('=') + 1));
        });
        if (!is_given) all.push_back(*entry);
    }
    all.push_back(nullptr);
    return all;
}

int spawn_shell(Child& child, std::string command, Variables variables) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, child.input.reader.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, child.output.writer.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, child.error.writer.get(), STDERR_FILENO);
    set_attributes(attributes);

    std::string shell = "/bin/sh";
    std::string option = "-c";
    const std::array<char*, 4> arguments{shell.data(), option.data(), command.data(), nullptr};
    const std::vector<char*> environment = environment_with(variables);
    const int error = ::posix_spawn(&child.pid, shell.c_str(), &actions, &attributes,
                                    arguments.data(), environment.data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Writes what fits. Closes the pipe when all is written or nobody reads any more.
void feed(Descriptor& writer, const std::string& input, std::size_t& written) {
    const ssize_t count = ::write(writer.get(), input.data() + written, input.size() - written);
    if (count > 0) written += static_cast<std::size_t>(count);
    if (written == input.size() || (count < 0 && errno != EAGAIN && errno != EINTR)) writer.close();
}

// Reads what is there and hands it on. Closes the pipe at its end.
template <class Sink>
void drain(Descriptor& reader, Sink sink) {
    std::array<char, 65536> chunk;
    const ssize_t count = ::read(reader.get(), chunk.data(), chunk.size());
    if (count > 0) sink(std::string_view(chunk.data(), static_cast<std::size_t>(count)));
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) reader.close();
}

void keep_output(ChildResult& result, std::string_view text) {
    const std::size_t room = kOutputBytesMax - result.output.size();
    result.output_cut = result.output_cut || text.size() > room;
    result.output += text.substr(0, room);
}

void keep_error(ChildResult& result, std::string_view text) {
    result.error_tail += text;
    if (result.error_tail.size() > kErrorTailBytesMax) {
        result.error_tail.erase(0, result.error_tail.size() - kErrorTailBytesMax);
    }
    // Losing some of it, e.g. into a closed terminal, is no reason to fail the job.
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

// Asks the command and all that it started to end, and makes them end after a while.
class Ending {
public:
    explicit Ending(const std::stop_token& stop)
        : asked_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(stop, Wake{asked_.get()}) {}

    int descriptor() const { return kill_at_ ? -1 : asked_.get(); }

    // How long to wait for something to happen, as poll() takes it.
    int wait_milliseconds() const {
        if (!kill_at_ || is_killed_) return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*kill_at_ - Clock::now());
        return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }

    void ask(pid_t group) {
        ::kill(-group, SIGTERM);
        kill_at_ = Clock::now() + kEndingGrace;
    }
    void insist(pid_t group) {
        if (!kill_at_ || is_killed_ || Clock::now() < *kill_at_) return;
        ::kill(-group, SIGKILL);
        is_killed_ = true;
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Wake {
        int descriptor;
        void operator()() const {
            const std::uint64_t one = 1;
            [[maybe_unused]] const ssize_t ignored = ::write(descriptor, &one, sizeof one);
        }
    };

    Descriptor asked_;
    std::stop_callback<Wake> callback_;
    std::optional<Clock::time_point> kill_at_{};
    bool is_killed_ = false;
};

// Readable when the process has ended; closed on a system that has no such descriptors.
Descriptor end_of(pid_t pid) {
    return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

// Until nobody writes to us any more and the command has read its input or has ended. Input is fed
// even when the command has closed its outputs: it may wait for the rest.
void talk(Child& child, const std::string& input, const std::stop_token& stop,
          ChildResult& result) {
    Ending ending(stop);
    Descriptor ended = end_of(child.pid);
    std::size_t written = 0;
    if (input.empty()) child.input.writer.close();
    while (child.input.writer.is_open() || child.output.reader.is_open() ||
           child.error.reader.is_open() || ended.is_open()) {
        std::array<pollfd, 5> polled{{{child.input.writer.get(), POLLOUT, 0},
                                      {child.output.reader.get(), POLLIN, 0},
                                      {child.error.reader.get(), POLLIN, 0},
                                      {ended.get(), POLLIN, 0},
                                      {ending.descriptor(), POLLIN, 0}}};
        if (::poll(polled.data(), polled.size(), ending.wait_milliseconds()) < 0) continue;
        if (polled[0].revents != 0) feed(child.input.writer, input, written);
        if (polled[1].revents != 0) {
            drain(child.output.reader, [&](auto text) { keep_output(result, text); });
        }
        if (polled[2].revents != 0) {
            drain(child.error.reader, [&](auto text) { keep_error(result, text); });
        }
        if (polled[3].revents != 0) {
            ended.close();
            child.input.writer.close();
        }
        if (polled[4].revents != 0) ending.ask(child.pid);
        ending.insist(child.pid);
    }
}

}  // namespace

Result<ChildResult> run_child(const std::string& command, const std::string& input,
                              const Variables& variables, const std::stop_token& stop) {
    Child child;
    if (!open_pipe(child.input) || !open_pipe(child.output) || !open_pipe(child.error) ||
        !set_non_blocking(child.input.writer) || !set_non_blocking(child.output.reader) ||
        !set_non_blocking(child.error.reader)) {
        return system_error("No pipes to the command");
    }
    if (const int error = spawn_shell(child, command, variables); error != 0) {
        errno = error;
        return system_error("The command cannot be started");
    }
    child.input.reader.close();
    child.output.writer.close();
    child.error.writer.close();

    ChildResult result;
    talk(child, input, stop, result);
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    return result;
}

}  // namespace millrace::cli
