#include "engine/find_instance.hpp"

namespace millrace {

Result<Instance> find_instance(const WorkingSet& rows, const InstanceKey& key) {
    if (const Instance* instance = rows.find(key)) return *instance;
    return instance_not_found(key);
}

Error instance_not_found(const InstanceKey& key) {
    return {ErrorCode::not_found, "instance \"" + to_string(key.id.value) + "\" not found"};
}

}  // namespace millrace
