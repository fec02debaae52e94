#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/access/principal.hpp"

namespace millrace::access {

// Whom the certificates of clients stand for, as the configuration says. Never changes.
class ClientCertificates {
public:
    // `certificate_name` as http::certificate_names() tells it; at most one principal for each.
    void add(std::string certificate_name, Principal principal);

    // The one whom these names stand for. Null when nobody is, or when they stand for several:
    // which of them is meant, nobody can say.
    std::shared_ptr<const Principal> find(std::span<const std::string> certificate_names) const;

private:
    std::map<std::string, std::shared_ptr<const Principal>, std::less<>> by_name_{};
};

}  // namespace millrace::access
