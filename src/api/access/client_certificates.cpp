#include "api/access/client_certificates.hpp"

#include <utility>

namespace millrace::access {

void ClientCertificates::add(std::string certificate_name, Principal principal) {
    by_name_.insert_or_assign(std::move(certificate_name),
                              std::make_shared<const Principal>(std::move(principal)));
}

std::shared_ptr<const Principal> ClientCertificates::find(
    std::span<const std::string> certificate_names) const {
    std::shared_ptr<const Principal> found;
    for (const std::string& name : certificate_names) {
        const auto each = by_name_.find(name);
        if (each == by_name_.end()) continue;
        if (found != nullptr && *found != *each->second) return nullptr;
        found = each->second;
    }
    return found;
}

}  // namespace millrace::access
