#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "api/http/server.hpp"
#include "base/mutex.hpp"
#include "runtime/csprng_random.hpp"
#include "runtime/system_clock.hpp"

namespace millrace {

// A server on a free port of this machine, with all that it needs. Add routes, then start.
class HttpTestServer {
public:
    explicit HttpTestServer(observe::LogLevel log_level = observe::LogLevel::info)
        : log_({.level = log_level,
                .format = observe::LogFormat::json,
                .sink = [this](std::string_view line) {
                    keep(line);
                }}) {}

    http::Router& router() { return router_; }
    observe::Metrics& metrics() { return metrics_; }
    const Clock& clock() const { return clock_; }

    void start(http::ServerConfig config = {}, http::ServiceConfig service_config = {}) {
        service_ = std::make_unique<http::Service>(router_, metrics_, log_, clock_, random_,
                                                   service_config);
        server_ = std::make_unique<http::Server>(*service_, metrics_, log_, std::move(config));
        const Status status = server_->start();
        ASSERT_TRUE(status) << status.error().detail;
    }
    void stop() { server_.reset(); }

    http::Server& server() { return *server_; }
    http::Service& service() { return *service_; }
    std::uint16_t port() const { return server_->port(); }

    std::vector<std::string> log_lines() {
        const MutexLock lock(mutex_);
        return lines_;
    }

private:
    void keep(std::string_view line) {
        const MutexLock lock(mutex_);
        lines_.emplace_back(line);
    }

    Mutex mutex_;
    std::vector<std::string> lines_ MILLRACE_GUARDED_BY(mutex_);
    observe::Log log_;
    observe::Metrics metrics_;
    runtime::SystemClock clock_;
    runtime::CsprngRandom random_;
    http::Router router_{metrics_};
    std::unique_ptr<http::Service> service_;
    std::unique_ptr<http::Server> server_;
};

}  // namespace millrace
