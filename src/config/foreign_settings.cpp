#include "config/settings.hpp"

namespace millrace {

const std::vector<ForeignSetting>& foreign_settings() {
    static const std::vector<ForeignSetting> kForeign = [] {
        constexpr std::string_view kConnections = "each thread that needs a connection has one";
        constexpr std::string_view kKafka = "jobs are not dispatched through Kafka here";
        return std::vector<ForeignSetting>{
            {"dbMaxConns", "DB_MAX_CONNS", kConnections},
            {"dbMinConns", "DB_MIN_CONNS", kConnections},
            {"kafka.seedBrokers", "WE_KAFKA_SEED_BROKERS", kKafka},
            {"kafka.transport", "WE_KAFKA_TRANSPORT", kKafka},
            {"kafka.saslMechanism", "WE_KAFKA_SASL_MECHANISM", kKafka},
            {"", "WE_KAFKA_SASL_USERNAME", kKafka},
            {"", "WE_KAFKA_SASL_PASSWORD", kKafka},
            {"kafka.tlsCAPath", "WE_KAFKA_TLS_CA_PATH", kKafka},
            {"kafka.tlsServerName", "WE_KAFKA_TLS_SERVER_NAME", kKafka},
            {"kafka.outboxBatchSize", "WE_OUTBOX_BATCH_SIZE", kKafka},
        };
    }();
    return kForeign;
}

}  // namespace millrace
