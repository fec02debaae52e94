"""Certificates for this machine, made with openssl."""

import os
import pathlib
import ssl
import subprocess
import tempfile

from client import PATIENCE_SECONDS


class Certificate:
    """A pair of files, which a new pair can replace as a renewal does."""

    def __init__(self):
        self._directory = tempfile.TemporaryDirectory(prefix="millrace_tls_")
        self.directory = pathlib.Path(self._directory.name)
        self.certificate = self.directory / "tls.pem"
        self.key = self.directory / "tls.key"
        self.renew()

    def remove(self):
        self._directory.cleanup()

    def renew(self):
        self.put_in_place(*self.new_pair())

    def new_pair(self):
        """The files of another certificate and its key, beside those in use."""
        files = [self.directory / "new.pem", self.directory / "new.key"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "1", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-out", files[0], "-keyout", files[1]],
            check=True, capture_output=True, timeout=PATIENCE_SECONDS)
        return files

    def put_in_place(self, certificate, key):
        os.replace(certificate, self.certificate)
        os.replace(key, self.key)

    def context(self):
        """Trusts the certificate as it is now, and no other."""
        return ssl.create_default_context(cafile=self.certificate)

    def fingerprint(self):
        """What a connection shows of the certificate as it is now."""
        return ssl.PEM_cert_to_DER_cert(self.certificate.read_text())
