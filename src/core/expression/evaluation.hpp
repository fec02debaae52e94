#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"
#include "base/time.hpp"
#include "core/expression/indexed_object.hpp"
#include "core/expression/value.hpp"
#include "core/work_meter.hpp"

namespace millrace::expression {

// What `#`, `#index` and `#acc` mean inside a predicate.
struct Scope {
    Value element{};
    Value accumulator{};
    std::int64_t index = 0;
};

// One run of one expression: what it reads, the memory of what it makes, and its bounds. The first
// failure stays; whoever gets an empty optional just returns it.
class Evaluation {
public:
    Evaluation(const IndexedObject& variables, Instant now, WorkMeter& meter)
        : variables_(variables), now_(now), meter_(meter) {}
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    const json::Value& variables() const { return variables_.value(); }
    Instant now() const { return now_; }

    const Scope& scope() const { return *scope_; }
    void set_scope(const Scope* scope) { scope_ = scope; }
    const Scope* scope_or_null() const { return scope_; }

    std::nullopt_t fail(std::string reason);
    const std::string& reason() const { return reason_; }

    // Counts steps; false when the evaluation or its command has had its share, and it has failed.
    bool spend(std::size_t steps = 1);

    // Counts work on that many bytes of text.
    bool spend_on(std::string_view text);

    // Counts what the steps do not tell: bytes that something touches beside them, at so many for
    // a unit of work.
    bool touch(std::size_t bytes, std::size_t bytes_per_unit);

    WorkMeter& meter() { return meter_; }
    // Fails because the command has had its share of work.
    std::nullopt_t fail_for_work();

    // The outer optional is empty when the evaluation has failed, the inner one when there is no
    // such member.
    using Found = std::optional<std::optional<Value>>;
    Found find_variable(std::string_view name);
    Found find_member(const Map& map, std::string_view name);

    // Memory for a text to be filled in; null when the evaluation has had its share, and has
    // failed.
    char* allocate_text(std::size_t size);

    std::optional<Value> make_text(std::string_view text);
    std::optional<Value> make_list(std::span<const Value> items);

    // Of keys that stand twice the first place and the last value count.
    std::optional<Value> make_map(std::span<const Entry> entries);

    // Parses a text; what it holds stays alive until the end.
    std::optional<Value> parse_json(std::string_view text);

private:
    bool count_bytes(std::size_t size);
    void* allocate(std::size_t size, std::size_t alignment);
    bool is_too_deep(std::uint32_t depth);

    const IndexedObject& variables_;
    Instant now_;
    WorkMeter& meter_;
    const Scope* scope_ = nullptr;
    std::string reason_{};
    std::size_t steps_ = 0;
    std::size_t bytes_ = 0;
    std::array<std::byte, 512> first_bytes_;  // Enough for most conditions, without the heap.
    std::pmr::monotonic_buffer_resource memory_{first_bytes_.data(), first_bytes_.size()};
    std::list<json::Value> documents_{};
};

}  // namespace millrace::expression
