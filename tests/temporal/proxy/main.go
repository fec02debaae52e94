// A proxy before a Temporal server, for tests: it speaks TLS, asks for client certificates and an API
// key as hosted clusters do, and loses answers when it is told to. Prints "listening PORT"; ends with
// its standard input, on which each line is an order to faults.go.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

type options struct {
	upstream, certificate, key, clientCA, apiKey string
}

func main() {
	var o options
	flag.StringVar(&o.upstream, "upstream", "", "host:port of the Temporal server")
	flag.StringVar(&o.certificate, "certificate", "", "to show; without one, no TLS")
	flag.StringVar(&o.key, "key", "", "of the certificate")
	flag.StringVar(&o.clientCA, "client-ca", "", "who signs the certificates that clients must show")
	flag.StringVar(&o.apiKey, "api-key", "", "that clients must send")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(o options) error {
	faults := &faults{}
	server := &http.Server{
		Handler:     guarded(o.apiKey, faults.around(forward(o.upstream))),
		Protocols:   onlyHTTP2(),
		ConnContext: rememberConnection,
		ErrorLog:    log.New(io.Discard, "", 0), // Refused handshakes are what tests are about.
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening", listener.Addr().(*net.TCPAddr).Port)
	go faults.obey(os.Stdin, func() { server.Close() })

	if o.certificate == "" {
		err = server.Serve(listener)
	} else if server.TLSConfig, err = tlsConfig(o.clientCA); err == nil {
		err = server.ServeTLS(listener, o.certificate, o.key)
	}
	if err == http.ErrServerClosed {
		return nil
	}
	return err
}

func onlyHTTP2() *http.Protocols {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return protocols
}

func tlsConfig(clientCA string) (*tls.Config, error) {
	config := &tls.Config{NextProtos: []string{"h2"}}
	if clientCA == "" {
		return config, nil
	}
	pem, err := os.ReadFile(clientCA)
	if err != nil {
		return nil, err
	}
	config.ClientCAs = x509.NewCertPool()
	config.ClientCAs.AppendCertsFromPEM(pem)
	config.ClientAuth = tls.RequireAndVerifyClientCert
	return config, nil
}

func forward(upstream string) http.Handler {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: upstream})
		},
		Transport:     &http.Transport{Protocols: protocols},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	}
}

// The codes of gRPC that the proxy answers with by itself.
const (
	unavailable     = 14
	unauthenticated = 16
)

func answer(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/grpc")
	w.Header().Set("Grpc-Status", fmt.Sprint(code))
	w.Header().Set("Grpc-Message", message)
}

func guarded(apiKey string, next http.Handler) http.Handler {
	if apiKey == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isNamed := r.Header.Get("Temporal-Namespace") != "" || r.URL.Path == systemInfo
		if r.Header.Get("Authorization") != "Bearer "+apiKey || !isNamed {
			answer(w, unauthenticated, "Request unauthorized.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

type connectionKey struct{}

func rememberConnection(ctx context.Context, connection net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, connection)
}
