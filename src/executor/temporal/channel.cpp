#include "executor/temporal/channel.hpp"

#include <grpc/support/log.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "executor/temporal/service.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;
using Credentials = std::shared_ptr<grpc::ChannelCredentials>;

// As Temporal's own clients: results of runs may be large.
constexpr int kMessageBytesMax = 128 << 20;
// A connection that is silently gone is found out in this time. Temporal allows one ping in ten
// seconds, also without a call under way.
constexpr std::chrono::milliseconds kPingInterval = 30s;
constexpr std::chrono::milliseconds kPingTimeout = 15s;
// A target that comes back is used again soon. gRPC's own maximum is two minutes.
constexpr std::chrono::milliseconds kReconnectPauseMin = 100ms;
constexpr std::chrono::milliseconds kReconnectPauseMax = 2s;
constexpr std::chrono::milliseconds kConnectTimeout = 5s;

Error refused(std::string detail) {
    return {ErrorCode::invalid_argument, std::move(detail)};
}

Status check_readable(const std::string& path, const std::string& what) {
    if (path.empty() || std::ifstream(path).good()) return ok();
    return refused("Expected " + what + " for Temporal, but " + path + " cannot be read.");
}

Status check(const TemporalOptions& options) {
    if (options.address.empty()) return refused("Expected the address of a Temporal server.");
    if (!is_header_text(options.api_key)) {
        return refused("Expected an API key for Temporal of printable characters in one line.");
    }
    if (!options.tls) return ok();
    const TemporalTls& tls = *options.tls;
    if (tls.certificate_file.empty() != tls.key_file.empty()) {
        return refused("Expected a client certificate for Temporal together with its key.");
    }
    for (const auto& [path, what] : {std::pair{tls.ca_file, "the certificates to trust"},
                                     std::pair{tls.certificate_file, "the client certificate"},
                                     std::pair{tls.key_file, "the client key"}}) {
        if (Status status = check_readable(path, what); !status) return status;
    }
    return ok();
}

Credentials tls_credentials(const TemporalTls& tls) {
    using namespace grpc::experimental;
    TlsChannelCredentialsOptions options;
    if (!tls.ca_file.empty() || !tls.certificate_file.empty()) {
        const auto every =
            std::chrono::duration_cast<std::chrono::seconds>(tls.files_checked_every);
        options.set_certificate_provider(std::make_shared<FileWatcherCertificateProvider>(
            tls.key_file, tls.certificate_file, tls.ca_file,
            static_cast<unsigned>(std::max<std::chrono::seconds>(every, 1s).count())));
    }
    if (!tls.ca_file.empty()) options.watch_root_certs();
    if (!tls.certificate_file.empty()) options.watch_identity_key_cert_pairs();
    return TlsCredentials(options);
}

int milliseconds(std::chrono::milliseconds duration) {
    return static_cast<int>(duration.count());
}

grpc::ChannelArguments channel_arguments(const TemporalTls* tls) {
    grpc::ChannelArguments arguments;
    arguments.SetUserAgentPrefix("millrace");
    arguments.SetMaxReceiveMessageSize(kMessageBytesMax);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(kPingInterval));
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds(kPingTimeout));
    arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, milliseconds(kReconnectPauseMin));
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, milliseconds(kReconnectPauseMax));
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, milliseconds(kConnectTimeout));
    // Targets share no connection, for gRPC would share one between equal channels: what is stopped
    // for one must not be felt by another.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    // All servers that the address stands for, as Temporal's own clients do it.
    arguments.SetLoadBalancingPolicyName("round_robin");
    if (tls != nullptr && !tls->server_name.empty()) {
        arguments.SetSslTargetNameOverride(tls->server_name);
    }
    return arguments;
}

}  // namespace

Result<std::shared_ptr<grpc::Channel>> open_channel(const TemporalOptions& options) {
    if (Status status = check(options); !status) return status.error();
    // It would write to the standard error, in a form of its own, what the status of calls tells.
    gpr_set_log_function([](gpr_log_func_args*) {});
    std::optional<TemporalTls> tls = options.tls;
    if (!tls && !options.api_key.empty()) tls.emplace();
    const Credentials credentials =
        tls ? tls_credentials(*tls) : grpc::InsecureChannelCredentials();
    return grpc::CreateCustomChannel(options.address, credentials,
                                     channel_arguments(tls ? &*tls : nullptr));
}

}  // namespace millrace
