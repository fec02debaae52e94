#include "name_lookup.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <condition_variable>
#include <thread>

#include "base/mutex.hpp"

namespace millrace::client {
namespace {

using boost::asio::ip::tcp;

// Lookups that nobody waits for any more, while the resolver is stuck: no more threads than that.
constexpr int kLookupsMax = 32;
std::atomic<int> lookups_running = 0;

struct LookupCount {
    LookupCount() { ++lookups_running; }
    ~LookupCount() { --lookups_running; }
    LookupCount(const LookupCount&) = delete;
    LookupCount& operator=(const LookupCount&) = delete;
};

std::optional<NameLookup::Found> numeric(const std::string& host, const std::string& port) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    if (error) return std::nullopt;
    const auto number = static_cast<std::uint16_t>(std::stoi(port));  // A URL has no other ports.
    return NameLookup::Found{.endpoints = {tcp::endpoint(address, number)}};
}

NameLookup::Found ask_system(const std::string& host, const std::string& port) {
    NameLookup::Found found;
    boost::asio::io_context context;
    tcp::resolver resolver(context);
    for (const auto& entry : resolver.resolve(host, port, found.error)) {
        found.endpoints.push_back(entry.endpoint());
    }
    return found;
}

}  // namespace

struct NameLookup::State {
    Mutex mutex;
    std::condition_variable_any changed;
    std::optional<Found> found MILLRACE_GUARDED_BY(mutex);
    bool interrupted MILLRACE_GUARDED_BY(mutex) = false;
};

NameLookup::NameLookup() : state_(std::make_shared<State>()) {}

NameLookup::~NameLookup() = default;

std::optional<NameLookup::Found> NameLookup::find(const std::string& host, const std::string& port,
                                                  std::chrono::steady_clock::time_point deadline) {
    if (std::optional<Found> found = numeric(host, port)) return found;
    const auto count = std::make_shared<LookupCount>();
    if (lookups_running > kLookupsMax) {
        return Found{.error = boost::asio::error::host_not_found_try_again};
    }
    std::thread([state = state_, count, host, port] {
        Found found = ask_system(host, port);
        {
            const MutexLock lock(state->mutex);
            state->found = std::move(found);
        }
        state->changed.notify_all();
    }).detach();

    const MutexLock lock(state_->mutex);
    while (!state_->found && !state_->interrupted) {
        if (state_->changed.wait_until(state_->mutex, deadline) == std::cv_status::timeout) break;
    }
    return std::exchange(state_->found, std::nullopt);
}

void NameLookup::interrupt() {
    {
        const MutexLock lock(state_->mutex);
        state_->interrupted = true;
    }
    state_->changed.notify_all();
}

}  // namespace millrace::client
