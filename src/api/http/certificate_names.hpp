#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Of OpenSSL, whose headers stay in .cpp files.
struct ssl_st;

namespace millrace::http {

// The names in a certificate that a client has shown and that was verified, each with its kind in
// front, so that one kind cannot pass for another: "uri:spiffe://acme/billing",
// "dns:billing.acme.internal", "cn:billing".
using CertificateNames = std::vector<std::string>;

// Null when the client has shown no certificate.
std::shared_ptr<const CertificateNames> certificate_names(const ssl_st* connection);
// The same of a certificate as text. Null when it is none.
std::shared_ptr<const CertificateNames> certificate_names(std::string_view pem);

// Of a certificate as text in the form of PEM. Null when it is none.
std::shared_ptr<const CertificateNames> certificate_names(std::string_view pem);

}  // namespace millrace::http
