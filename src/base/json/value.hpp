#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace millrace::json {

// How deep and how large values get that come from outside. Writing, comparing and destroying
// recurse, so deeper is an attack on the stack; a million values take 40 to 200 MB.
inline constexpr std::size_t kDepthMax = 128;
inline constexpr std::size_t kValuesMax = 1'000'000;

class Value;
struct Member;

using Array = std::vector<Value>;
// In document order, each key once. Order is meaning in decisions and transformations.
using Object = std::vector<Member>;

enum class Kind { null, boolean, integer, number, string, array, object };

// One JSON value. Integers of 64 bits stay exact; every other number is a double.
class Value {
public:
    Value();
    Value(std::nullptr_t);
    Value(bool value);
    Value(std::int32_t value);
    Value(std::uint32_t value);
    Value(std::int64_t value);
    Value(double value);
    Value(std::string value);
    Value(std::string_view value);
    Value(const char* value);
    Value(Array value);
    Value(Object value);
    Value(const Value&);
    Value(Value&&) noexcept;
    Value& operator=(const Value&);
    Value& operator=(Value&&) noexcept;
    ~Value();

    Kind kind() const { return static_cast<Kind>(data_.index()); }
    bool is_null() const { return kind() == Kind::null; }
    bool is_object() const { return kind() == Kind::object; }

    // Null when the value is of another kind.
    const bool* if_boolean() const { return std::get_if<bool>(&data_); }
    const std::int64_t* if_integer() const { return std::get_if<std::int64_t>(&data_); }
    const double* if_number() const { return std::get_if<double>(&data_); }
    const std::string* if_string() const { return std::get_if<std::string>(&data_); }
    const Array* if_array() const { return std::get_if<Array>(&data_); }
    const Object* if_object() const { return std::get_if<Object>(&data_); }
    Array* if_array() { return std::get_if<Array>(&data_); }
    Object* if_object() { return std::get_if<Object>(&data_); }

    // Become an empty string, array or object, to be filled in place.
    std::string& emplace_string();
    Array& emplace_array();
    Object& emplace_object();

    // The member of that name; null when there is none or this is no object.
    const Value* find(std::string_view key) const;

    // Replaces the member of that name where it stands, or appends it. Only for objects.
    void set(std::string_view key, Value value);

    // Members compare in document order.
    friend bool operator==(const Value&, const Value&);

private:
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> data_;
};

struct Member {
    std::string key{};
    Value value{};

    friend bool operator==(const Member&, const Member&) = default;
};

// Here and not in the class, because they need to know what a Member is.
inline Value::Value() = default;
inline Value::Value(std::nullptr_t) {}
inline Value::Value(bool value) : data_(value) {}
inline Value::Value(std::int32_t value) : data_(std::int64_t{value}) {}
inline Value::Value(std::uint32_t value) : data_(std::int64_t{value}) {}
inline Value::Value(std::int64_t value) : data_(value) {}
inline Value::Value(double value) : data_(value) {}
inline Value::Value(std::string value) : data_(std::move(value)) {}
inline Value::Value(std::string_view value) : data_(std::string(value)) {}
inline Value::Value(const char* value) : data_(std::string(value)) {}
inline Value::Value(Array value) : data_(std::move(value)) {}
inline Value::Value(Object value) : data_(std::move(value)) {}
inline Value::Value(const Value&) = default;
inline Value::Value(Value&&) noexcept = default;
inline Value& Value::operator=(const Value&) = default;
inline Value& Value::operator=(Value&&) noexcept = default;
inline Value::~Value() = default;

inline std::string& Value::emplace_string() {
    return data_.emplace<std::string>();
}

inline Array& Value::emplace_array() {
    return data_.emplace<Array>();
}

inline Object& Value::emplace_object() {
    return data_.emplace<Object>();
}

}  // namespace millrace::json
