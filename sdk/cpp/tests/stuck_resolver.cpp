#include "stuck_resolver.hpp"

#include <dlfcn.h>
#include <netdb.h>

#include <string_view>

namespace millrace::client {

StuckResolverGate& StuckResolverGate::get() {
    static StuckResolverGate gate;
    return gate;
}

void StuckResolverGate::set(bool open) {
    const std::unique_lock lock(mutex_);
    is_open_ = open;
    changed_.notify_all();
}

void StuckResolverGate::open_after(std::chrono::seconds duration) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, duration, [this] { return is_open_; });
    is_open_ = true;
    changed_.notify_all();
}

void StuckResolverGate::pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_open_; });
}

}  // namespace millrace::client

// Stands before that of the C library.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** found) {
    if (name != nullptr && std::string_view(name) == "stuck.test") {
        millrace::client::StuckResolverGate::get().pass();
        return EAI_NONAME;
    }
    using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
    static const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return next(name, service, hints, found);
}
