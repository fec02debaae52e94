#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "core/expression/indexed_object.hpp"
#include "core/variables/variables.hpp"
#include "core/work_meter.hpp"

namespace millrace {

// The variables of an instance while its steps look inside and change them: parsed once and written
// once, however many steps there are. A step that changes one of them costs as much as that one,
// not as all of them.
class OpenVariables {
public:
    // `object` is one.
    explicit OpenVariables(json::Value object) : members_(std::move(object)) {}

    const expression::IndexedObject& members() const { return members_; }

    // What is set from here on is kept as a whole, or rolled back.
    void begin_step() { changes_.clear(); }
    void set(std::string_view name, json::Value value, WorkMeter& meter);
    // Whether any of it differs from what was there when the step began.
    bool has_changed() const;
    // too_large when there would be more of them than are stored.
    Status fits() const;
    void roll_back();

    // Whether text() would give another text than the last time, or than they were read from.
    bool is_changed() const { return is_changed_; }
    void keep_step() { is_changed_ = true; }
    Variables take_text();

private:
    struct Size {
        std::size_t bytes = 0;   // As JSON text.
        std::size_t values = 0;  // As the parser counts them.
        std::size_t depth = 0;   // At most so deep: it is not measured again when one goes.
    };
    static Size size_of(const json::Value& value);

    struct Change {
        std::size_t place = 0;
        std::optional<json::Value> before{};  // Empty for one that was not there.
        Size size_before{};                   // Of all.
    };

    expression::IndexedObject members_;
    std::optional<Size> size_{};  // Of all; measured when the first one changes.
    std::vector<Change> changes_{};
    bool is_changed_ = false;
};

}  // namespace millrace
