#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/time.hpp"

namespace millrace {

// Files in PEM format. They may be replaced while we run: new connections use the new ones.
struct TemporalTls {
    std::string ca_file{};           // Empty: what the system trusts.
    std::string certificate_file{};  // Ours, to show to the server; empty for none.
    std::string key_file{};
    std::string
        server_name{};  // The name to expect in its certificate; empty: that of the address.
    Duration files_checked_every = std::chrono::seconds{60};
};

// How to reach one target. An API key is only ever sent over TLS: with one and without `tls`, TLS
// is used as by default.
struct TemporalOptions {
    std::string address{};  // host:port, or whatever else gRPC resolves.
    std::string name_space = "default";
    std::string task_queue{};
    std::string identity = "millrace";  // How Temporal's history names us.
    std::string api_key{};              // Empty for none.
    std::optional<TemporalTls> tls{};
};

}  // namespace millrace
