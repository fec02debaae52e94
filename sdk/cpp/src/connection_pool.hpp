#pragma once

#include <memory>
#include <set>
#include <vector>

#include "base/mutex.hpp"
#include "connection.hpp"
#include "millrace/client/options.hpp"

namespace millrace::client {

// Keeps connections open between calls. A borrowed one must be given back, whatever became of it.
class ConnectionPool {
public:
    // `options` and `tls` live longer; `tls` is null for plain connections.
    ConnectionPool(const ClientOptions& options, TlsContext* tls);

    // The one that was used last and is still good, else a new one that is not yet connected.
    std::unique_ptr<Connection> borrow();
    // A new one, not yet connected.
    std::unique_ptr<Connection> borrow_fresh();
    void give_back(std::unique_ptr<Connection> connection);

    // Closes what is kept: after one connection turned out to be half-open, the others are suspect.
    void forget_idle();

    // Interrupts every borrowed connection, and all to come.
    void interrupt();

private:
    std::unique_ptr<Connection> pop_idle();

    const ClientOptions& options_;
    TlsContext* const tls_;
    Mutex mutex_;
    std::vector<std::unique_ptr<Connection>> idle_ MILLRACE_GUARDED_BY(mutex_);
    std::set<Connection*> borrowed_ MILLRACE_GUARDED_BY(mutex_);
    bool interrupted_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace::client
