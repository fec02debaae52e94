#include "api/http/certificate_names.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <string_view>

namespace millrace::http {

namespace {

// A name with U+0000 inside would be read differently by others, so nobody is known by it.
void add_name(CertificateNames& names, std::string_view kind, const ASN1_STRING* text) {
    unsigned char* bytes = nullptr;
    const int size = ASN1_STRING_to_UTF8(&bytes, text);
    if (size < 0) return;
    const std::string_view name(reinterpret_cast<const char*>(bytes),
                                static_cast<std::size_t>(size));
    if (!name.empty() && name.find('\0') == std::string_view::npos) {
        names.push_back(std::string(kind) + std::string(name));
    }
    OPENSSL_free(bytes);
}

void add_alternative_names(CertificateNames& names, const X509* certificate) {
    auto* found = static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
    for (int i = 0; i < sk_GENERAL_NAME_num(found); ++i) {
        const GENERAL_NAME* each = sk_GENERAL_NAME_value(found, i);
        if (each->type == GEN_URI) add_name(names, "uri:", each->d.uniformResourceIdentifier);
        if (each->type == GEN_DNS) add_name(names, "dns:", each->d.dNSName);
    }
    GENERAL_NAMES_free(found);
}

// Of several common names none is taken: which one is meant, nobody can say.
void add_common_name(CertificateNames& names, const X509* certificate) {
    const X509_NAME* subject = X509_get_subject_name(certificate);
    const int first = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    if (first < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, first) >= 0) return;
    add_name(names, "cn:", X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, first)));
}

std::shared_ptr<const CertificateNames> names_in(const X509* certificate) {
    auto names = std::make_shared<CertificateNames>();
    add_alternative_names(*names, certificate);
    add_common_name(*names, certificate);
    return names;
}

}  // namespace

std::shared_ptr<const CertificateNames> certificate_names(const ssl_st* connection) {
    const X509* certificate = SSL_get0_peer_certificate(connection);
    return certificate != nullptr ? names_in(certificate) : nullptr;
}

std::shared_ptr<const CertificateNames> certificate_names(std::string_view pem) {
    BIO* text = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    X509* certificate = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
    BIO_free(text);
    if (certificate == nullptr) {
        ERR_clear_error();
        return nullptr;
    }
    auto names = names_in(certificate);
    X509_free(certificate);
    return names;
}

}  // namespace millrace::http
