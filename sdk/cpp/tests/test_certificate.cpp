#include "test_certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>

#include "base/check.hpp"

namespace millrace::client {
namespace {

constexpr long kHour = 3600;

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File create(const std::string& path) {
    File file(std::fopen(path.c_str(), "wb"), &std::fclose);
    MILLRACE_CHECK(file != nullptr);
    return file;
}

void add_extension(X509* certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    MILLRACE_CHECK(extension != nullptr);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

}  // namespace

TlsIdentity make_certificate(const std::string& folder, const std::string& name) {
    const Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const Certificate certificate(X509_new(), &X509_free);
    MILLRACE_CHECK(key != nullptr && certificate != nullptr);
    X509* raw = certificate.get();
    X509_set_version(raw, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(raw), 1);
    X509_gmtime_adj(X509_getm_notBefore(raw), -kHour);
    X509_gmtime_adj(X509_getm_notAfter(raw), kHour);
    X509_set_pubkey(raw, key.get());
    X509_NAME* subject = X509_get_subject_name(raw);
    const auto* text = reinterpret_cast<const unsigned char*>("millrace test");
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, -1, -1, 0);
    X509_set_issuer_name(raw, subject);
    add_extension(raw, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(raw, NID_subject_alt_name, name.starts_with("IP:") ? name : "DNS:" + name);
    MILLRACE_CHECK(X509_sign(raw, key.get(), EVP_sha256()) != 0);

    const TlsIdentity files{folder + "/" + "certificate.pem", folder + "/key.pem"};
    MILLRACE_CHECK(PEM_write_X509(create(files.certificate_file).get(), raw) == 1);
    MILLRACE_CHECK(PEM_write_PrivateKey(create(files.key_file).get(), key.get(), nullptr, nullptr,
                                        0, nullptr, nullptr) == 1);
    return files;
}

}  // namespace millrace::client
