#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "base/json/value.hpp"
#include "base/time.hpp"

namespace millrace::expression {

class Value;
struct Entry;
struct NamedZone;

struct Nil {
    friend bool operator==(Nil, Nil) = default;
};

// An integer out of a JSON document: a double wherever something is computed, yet it passes through
// unchanged where nothing is.
struct JsonInteger {
    std::int64_t value = 0;
};

// An instant, and the offset from UTC that it is shown in.
struct Time {
    Instant at{};
    std::chrono::minutes offset{};
    const NamedZone* zone = nullptr;  // Whose offset it is, if it is one's.
};

using Span = std::chrono::nanoseconds;

// A fixed offset from UTC, or a zone that changes it.
struct Zone {
    std::chrono::minutes offset{};
    const NamedZone* named = nullptr;
};

// A view of values: of a JSON array in the variables, or of values that the evaluation owns.
class List {
public:
    List() = default;
    explicit List(const json::Array& array)
        : json_(array.data()), size_(static_cast<std::uint32_t>(array.size())) {}
    List(const Value* items, std::size_t size, std::uint32_t depth)
        : items_(items), size_(static_cast<std::uint32_t>(size)), depth_(depth) {}

    std::size_t size() const { return size_; }
    Value at(std::size_t index) const;

    // How deep the values that the evaluation made itself are nested; 0 for JSON.
    std::uint32_t depth() const { return depth_; }

private:
    const Value* items_ = nullptr;
    const json::Value* json_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t depth_ = 0;
};

// A view of members, in order; as List.
class Map {
public:
    Map() = default;
    explicit Map(const json::Object& object)
        : json_(object.data()), size_(static_cast<std::uint32_t>(object.size())) {}
    Map(const Entry* entries, std::size_t size, std::uint32_t depth)
        : entries_(entries), size_(static_cast<std::uint32_t>(size)), depth_(depth) {}

    std::size_t size() const { return size_; }
    std::string_view key(std::size_t index) const;
    Value value(std::size_t index) const;
    std::optional<Value> find(std::string_view key) const;
    // Whether it shows exactly these members, where they lie.
    bool is_view_of(const json::Object& object) const {
        return json_ != nullptr && json_ == object.data();
    }
    std::uint32_t depth() const { return depth_; }

private:
    const Entry* entries_ = nullptr;
    const json::Member* json_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t depth_ = 0;
};

// What an expression computes with. A trivial view: texts, lists and maps lie in the variables, in
// the parsed expression or in the memory of the running evaluation, and are valid as long as that.
class Value {
public:
    Value() = default;
    Value(bool value) : data_(value) {}
    Value(std::int64_t value) : data_(value) {}
    Value(JsonInteger value) : data_(value) {}
    Value(double value) : data_(value) {}
    Value(std::string_view value) : data_(value) {}
    Value(List value) : data_(value) {}
    Value(Map value) : data_(value) {}
    Value(Time value) : data_(value) {}
    Value(Span value) : data_(value) {}
    Value(Zone value) : data_(value) {}
    Value(const char*) = delete;  // It would become a bool.

    static Value of(const json::Value& value);

    template <class T>
    const T* get_if() const {
        return std::get_if<T>(&data_);
    }
    bool is_nil() const { return get_if<Nil>() != nullptr; }

    // Integers of the language, exactly; a JSON number is none.
    const std::int64_t* integer() const { return get_if<std::int64_t>(); }

    // Both kinds of exact integers.
    std::optional<std::int64_t> exact() const;

    // Any number as a double.
    std::optional<double> number() const;

    // A number without fraction that fits 64 bits: what indexes and counts accept.
    std::optional<std::int64_t> whole() const;

    // As the language's own type() says it: nil, bool, int, float, string, array, map, ...
    std::string_view type() const;

private:
    std::variant<Nil, bool, std::int64_t, JsonInteger, double, std::string_view, List, Map, Time,
                 Span, Zone>
        data_;
};

struct Entry {
    std::string_view key{};
    Value value{};
};

// The depth that a list or map has at least when it holds this value.
std::uint32_t depth_around(const Value& value);

}  // namespace millrace::expression
