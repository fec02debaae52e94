#pragma once

#include "node/node_context.hpp"
#include "support/counting_random.hpp"

namespace millrace {

// What a process has around its node, for a test that is not about it: nobody reads its log.
struct Surroundings {
    CountingRandom random{};
    observe::Metrics metrics{};
    const observe::Tracer tracer{};
    observe::Log log{{.level = observe::LogLevel::error, .sink = [](std::string_view) {
                      }}};

    // `other` is a tracer whose spans are of interest; null for none.
    NodeContext context(Database& database, const Clock& clock,
                        const observe::Tracer* other = nullptr) {
        return {.database = database,
                .clock = clock,
                .random = random,
                .metrics = metrics,
                .tracer = other == nullptr ? tracer : *other,
                .log = log};
    }
};

}  // namespace millrace
