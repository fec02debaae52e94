#include "connection_pool.hpp"

namespace millrace::client {

ConnectionPool::ConnectionPool(const ClientOptions& options, TlsContext* tls)
    : options_(options), tls_(tls) {}

std::unique_ptr<Connection> ConnectionPool::pop_idle() {
    const MutexLock lock(mutex_);
    if (idle_.empty() || interrupted_) return nullptr;
    std::unique_ptr<Connection> connection = std::move(idle_.back());
    idle_.pop_back();
    borrowed_.insert(connection.get());
    return connection;
}

std::unique_ptr<Connection> ConnectionPool::borrow() {
    while (std::unique_ptr<Connection> connection = pop_idle()) {
        if (connection->is_idle()) return connection;
        const MutexLock lock(mutex_);
        borrowed_.erase(connection.get());
    }
    return borrow_fresh();
}

std::unique_ptr<Connection> ConnectionPool::borrow_fresh() {
    auto connection = std::make_unique<Connection>(options_, tls_);
    const MutexLock lock(mutex_);
    borrowed_.insert(connection.get());
    if (interrupted_) connection->interrupt();
    return connection;
}

void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
    const bool is_good = connection->is_idle();
    const MutexLock lock(mutex_);
    borrowed_.erase(connection.get());
    if (is_good && !interrupted_ && idle_.size() < options_.idle_connections_max) {
        idle_.push_back(std::move(connection));
    }
}

void ConnectionPool::forget_idle() {
    std::vector<std::unique_ptr<Connection>> closed;
    const MutexLock lock(mutex_);
    closed.swap(idle_);
}

void ConnectionPool::interrupt() {
    const MutexLock lock(mutex_);
    interrupted_ = true;
    for (Connection* connection : borrowed_) connection->interrupt();
}

}  // namespace millrace::client
