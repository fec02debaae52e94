#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::client {

// Resolves names within a deadline. The system's resolver can be neither bounded nor stopped, so it
// runs on a thread of its own, which a lookup that has waited long enough leaves to itself.
class NameLookup {
public:
    struct Found {
        boost::system::error_code error{};
        std::vector<boost::asio::ip::tcp::endpoint> endpoints{};
    };

    NameLookup();
    ~NameLookup();
    NameLookup(const NameLookup&) = delete;
    NameLookup& operator=(const NameLookup&) = delete;

    // nullopt: the deadline has passed, or interrupt() was called.
    std::optional<Found> find(const std::string& host, const std::string& port,
                              std::chrono::steady_clock::time_point deadline);

    // Ends the lookup that runs, and all to come. From any thread.
    void interrupt();

private:
    struct State;
    const std::shared_ptr<State> state_;
};

}  // namespace millrace::client
