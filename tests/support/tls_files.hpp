#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "support/temporary_folder.hpp"

namespace millrace {

// A certificate for this machine and its key, as files; a new pair takes their place when told to.
class TlsFiles {
public:
    TlsFiles() { renew(1); }

    std::string certificate_file() const { return (directory_.path() / "server.crt").string(); }
    std::string key_file() const { return (directory_.path() / "server.key").string(); }

    // `serial` is how tests tell certificates apart.
    void renew(long serial) {
        using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
        using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
        const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
        const Certificate certificate(X509_new(), X509_free);
        X509_set_version(certificate.get(), 2);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
        X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
        X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
        X509_set_pubkey(certificate.get(), key.get());
        X509_NAME* name = X509_get_subject_name(certificate.get());
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
        X509_set_issuer_name(certificate.get(), name);
        X509_sign(certificate.get(), key.get(), EVP_sha256());

        write_file(certificate_file(),
                   [&](std::FILE* file) { PEM_write_X509(file, certificate.get()); });
        write_file(key_file(), [&](std::FILE* file) {
            PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
    }

    void write_certificate(std::string_view text) { std::ofstream(certificate_file()) << text; }

private:
    // Under another name first: whoever reads meanwhile sees the old file or the new one.
    template <class Write>
    static void write_file(const std::string& path, Write write) {
        const std::string fresh = path + ".new";
        std::FILE* file = std::fopen(fresh.c_str(), "w");
        ASSERT_NE(file, nullptr);
        write(file);
        std::fclose(file);
        std::filesystem::rename(fresh, path);
    }

    TemporaryFolder directory_;
};

}  // namespace millrace
