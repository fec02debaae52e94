#pragma once

#include <functional>
#include <string>
#include <vector>

namespace millrace::client {

struct Error;

struct Header {
    std::string name{};
    std::string value{};
};

// A call to the server that is about to be sent.
struct Call {
    const std::string& method;
    // Path and query.
    const std::string& target;
    // Besides those of every call; an interceptor may add some.
    std::vector<Header>& headers;
};

struct CallEnd {
    // Of the answer; 0 when there was none.
    int status = 0;
    // Null when there was an answer.
    const Error* error = nullptr;
};

// Lets the call go on by `proceed`, once, and sees how it ended: for traces, measurements and
// headers of one's own. Called from the threads that make calls, several at once, for each try.
using CallInterceptor = std::function<void(Call& call, const std::function<CallEnd()>& proceed)>;

}  // namespace millrace::client
