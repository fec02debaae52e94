#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "api/http/message.hpp"

namespace millrace::http {

class Loop;
class StreamChannel;
class TcpStream;

// One client's connection, whatever it speaks. Lives in its loop's thread and as long as the loop
// keeps it.
class Connection {
public:
    virtual ~Connection() = default;

    virtual void start() = 0;
    virtual void drain() = 0;
    virtual void close() = 0;
    // With each tick of the loop.
    virtual void check_deadline(std::uint64_t ticks) = 0;

    std::size_t index = 0;  // In the loop's list.
};

using MakeConnection = std::function<std::shared_ptr<Connection>(Loop& loop, TcpStream stream)>;

// Who waits for an answer: a connection, or one of the calls that share it. On its loop's thread.
class Recipient {
public:
    virtual ~Recipient() = default;

    // Undelivered when nothing waits for it any more.
    virtual void answer(HttpResponse response) = 0;
    // The body of the request that waits for that may come, on the account of this client.
    virtual void admit(std::string client) = 0;
    // There is something new in a stream.
    virtual void go_on(const std::shared_ptr<StreamChannel>& stream) = 0;
};

}  // namespace millrace::http
