#include "engine/idempotent.hpp"

namespace millrace {

Error key_reused(const IdempotencyKey& key) {
    return {ErrorCode::key_reused, "Expected the request that the idempotency key \"" + key.key +
                                       "\" has named before, but it is another one."};
}

}  // namespace millrace
