#include "config/flaws_of_whole.hpp"

#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

// Far more than anybody needs; each plan and each target costs on every look at the queue.
constexpr std::size_t kPlansMax = 100;
constexpr std::size_t kTargetsMax = 32;
constexpr std::size_t kClientsMax = 1000;

class Flaws {
public:
    void check_pair(const std::string& certificate, const std::string& key,
                    const std::string& name) {
        if (certificate.empty() == key.empty()) return;
        const std::string missing = name + (key.empty() ? ".key" : ".certificate");
        add(missing, "is missing: " + name + " needs a certificate and its key");
    }

    void check_queue(const QueueSettings& queue) {
        if (queue.call_timeout < queue.lease) return;
        add("dispatcher.callTimeout",
            "must be less than dispatcher.leaseSeconds: a call ends before its claim does");
    }

    void check_plans(const std::map<std::string, PlanSettings>& plans) {
        if (plans.size() > kPlansMax) {
            add("plans", "there are more than " + std::to_string(kPlansMax));
        }
        for (const auto& [name, plan] : plans) {
            if (is_plan_name(name)) continue;
            add("plans." + name,
                "expected a name of at most 32 capital letters, digits and _, "
                "a letter first");
        }
    }

    void check_targets(const std::map<std::string, TemporalSettings>& targets) {
        if (targets.size() > kTargetsMax) {
            add("temporal", "there are more than " + std::to_string(kTargetsMax) + " targets");
        }
        for (const auto& [name, target] : targets) {
            const std::string key = "temporal." + name;
            if (!is_target_name(name)) {
                add(key,
                    "expected a name of at most 63 letters, digits, _ and -, a letter or "
                    "digit first");
            }
            if (target.address.empty()) add(key + ".address", "is missing");
            check_pair(target.certificate, target.key, key + ".tls");
        }
    }

    void check_clients(const ServerConfig& config) {
        const bool is_asked = !config.client_tls.ca.empty();
        if (is_asked && config.tls.certificate.empty()) {
            add("tls.clientCa", "needs tls.certificate: clients show theirs over TLS only");
        }
        if (is_asked && config.auth != AuthMode::keys) {
            add("tls.clientCa", "needs auth: keys, or everybody may do everything all the same");
        }
        if (config.client_tls.is_required && !is_asked) {
            add("tls.clientCertificate", "needs tls.clientCa");
        }
        if (!config.clients.empty() && !is_asked) {
            add("clients", "needs tls.clientCa, or nobody is asked for a certificate");
        }
        if (config.clients.size() > kClientsMax) {
            add("clients", "there are more than " + std::to_string(kClientsMax));
        }
        std::map<std::string, std::string> owners;
        for (const auto& [name, client] : config.clients) check_client(name, client, owners);
    }

    std::vector<ErrorDetail> take() && { return std::move(flaws_); }

private:
    void check_client(const std::string& name, const ClientSettings& client,
                      std::map<std::string, std::string>& owners) {
        const std::string key = "clients." + name;
        if (!is_client_name(name)) {
            add(key,
                "expected a name of at most 63 letters, digits, _ and -, a letter or digit first");
        }
        if (client.role.empty()) add(key + ".role", "is missing");
        if (client.certificate.empty()) return add(key + ".certificate", "is missing");
        const auto [owner, is_first] = owners.emplace(client.certificate, name);
        if (!is_first)
            add(key + ".certificate", "stands for the client " + owner->second + ", too");
    }

    void add(const std::string& key, const std::string& what) { flaws_.push_back({key, what}); }

    std::vector<ErrorDetail> flaws_;
};

}  // namespace

std::vector<ErrorDetail> flaws_of_whole(const ServerConfig& config) {
    Flaws flaws;
    flaws.check_pair(config.tls.certificate, config.tls.key, "tls");
    flaws.check_pair(config.metrics_tls.certificate, config.metrics_tls.key, "metricsTls");
    flaws.check_clients(config);
    flaws.check_queue(config.queue);
    flaws.check_plans(config.plans);
    flaws.check_targets(config.temporal);
    return std::move(flaws).take();
}

}  // namespace millrace::config
