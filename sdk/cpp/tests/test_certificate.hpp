#pragma once

#include <string>

#include "scripted_server.hpp"

namespace millrace::client {

// Makes a certificate that signs itself, and its key, as files in a folder. `name` is what its
// server is called: a host name, or IP:127.0.0.1.
TlsIdentity make_certificate(const std::string& folder, const std::string& name);

}  // namespace millrace::client
