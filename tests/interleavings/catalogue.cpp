#include "interleavings/catalogue.hpp"

#include <map>

namespace millrace {

const Deed& deed_named(const std::string& name) {
    static const std::map<std::string, Deed> deeds = [] {
        std::map<std::string, Deed> all;
        for (const Deed& deed : instance_deeds()) all.emplace(deed.name, deed);
        for (const Deed& deed : execution_deeds()) all.emplace(deed.name, deed);
        return all;
    }();
    const auto found = deeds.find(name);
    MILLRACE_CHECK(found != deeds.end());
    return found->second;
}

}  // namespace millrace
