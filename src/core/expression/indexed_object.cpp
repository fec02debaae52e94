#include "core/expression/indexed_object.hpp"

#include <bit>
#include <functional>
#include <string>
#include <utility>

#include "base/check.hpp"

namespace millrace::expression {

namespace {

// Up to here a walk is faster than a table.
constexpr std::size_t kFewMembers = 16;

std::size_t first_slot(std::string_view name, std::size_t slots) {
    return std::hash<std::string_view>{}(name) & (slots - 1);
}

}  // namespace

IndexedObject::IndexedObject(json::Value object) : object_(std::move(object)) {
    MILLRACE_CHECK(object_.is_object());
}

std::optional<std::size_t> IndexedObject::place_of(std::string_view name,
                                                   std::size_t& looks) const {
    const json::Object& all = members();
    if (all.size() <= kFewMembers) {
        for (std::size_t place = 0; place < all.size(); ++place) {
            ++looks;
            if (all[place].key == name) return place;
        }
        return std::nullopt;
    }
    if (table_.empty()) build(looks);
    for (std::size_t slot = first_slot(name, table_.size());;
         slot = (slot + 1) & (table_.size() - 1)) {
        ++looks;
        if (table_[slot] == 0) return std::nullopt;
        const std::size_t place = table_[slot] - 1;
        if (all[place].key == name) return place;
    }
}

json::Value IndexedObject::replace(std::size_t place, json::Value value) {
    return std::exchange((*object_.if_object())[place].value, std::move(value));
}

void IndexedObject::append(std::string_view name, json::Value value, std::size_t& looks) {
    json::Object& all = *object_.if_object();
    all.push_back({std::string(name), std::move(value)});
    if (table_.empty()) return;
    if (2 * all.size() > table_.size()) return build(looks);
    enter(all.size() - 1, looks);
}

void IndexedObject::shrink_to(std::size_t size) {
    json::Object& all = *object_.if_object();
    if (size >= all.size()) return;
    all.resize(size);
    table_.clear();
}

// Four slots for each member: the table is built again only after they have doubled.
void IndexedObject::build(std::size_t& looks) const {
    const std::size_t count = members().size();
    table_.assign(std::bit_ceil(4 * count), 0);
    for (std::size_t place = 0; place < count; ++place) enter(place, looks);
}

void IndexedObject::enter(std::size_t place, std::size_t& looks) const {
    std::size_t slot = first_slot(members()[place].key, table_.size());
    while (++looks, table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = static_cast<std::uint32_t>(place + 1);
}

}  // namespace millrace::expression
