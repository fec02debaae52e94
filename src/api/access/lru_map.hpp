#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace millrace::access {

// Remembers so many values by name, those that were used last. Not thread-safe.
template <class Value>
class LruMap {
public:
    explicit LruMap(std::size_t count_max) : count_max_(count_max) {}

    // Null when it is not remembered. Counts as a use. Valid until the next put or erase.
    Value* find(std::string_view name) {
        const auto found = places_.find(name);
        if (found == places_.end()) return nullptr;
        items_.splice(items_.begin(), items_, found->second);
        return &found->second->second;
    }

    Value& put(std::string_view name, Value value) {
        if (Value* known = find(name)) return *known = std::move(value);
        if (items_.size() == count_max_) {
            places_.erase(items_.back().first);
            items_.pop_back();
        }
        items_.emplace_front(std::string(name), std::move(value));
        places_.emplace(items_.front().first, items_.begin());
        return items_.front().second;
    }

    void erase(std::string_view name) {
        const auto found = places_.find(name);
        if (found == places_.end()) return;
        const auto item = found->second;
        places_.erase(found);
        items_.erase(item);
    }

    std::size_t size() const { return items_.size(); }

private:
    using Items = std::list<std::pair<const std::string, Value>>;

    std::size_t count_max_;
    Items items_;  // The one used last comes first.
    std::unordered_map<std::string_view, typename Items::iterator> places_;  // Names of the items.
};

}  // namespace millrace::access
