#include "core/expression/to_json.hpp"

#include <utility>

#include "core/expression/format.hpp"
#include "core/limits.hpp"

namespace millrace::expression {
namespace {

// The result becomes a member of the variables, which have the same limit as a whole.
constexpr std::size_t kDepthMax = limits::kJsonDepthMax - 1;

// Copies a value, and counts as it goes: a small expression may name a large value many times.
class Converter {
public:
    explicit Converter(Evaluation& run) : run_(run) {}

    std::optional<json::Value> convert(const Value& value, std::size_t depth) {
        if (++values_ > limits::kJsonValuesMax) return run_.fail("the result has too many values");
        if (!count(kPunctuation) || !run_.touch(1, kValuesPerUnit)) return std::nullopt;
        if (const auto* list = value.get_if<List>()) return convert_list(*list, depth + 1);
        if (const auto* map = value.get_if<Map>()) return convert_map(*map, depth + 1);
        if (const auto* text = value.get_if<std::string_view>()) {
            if (!count(text->size())) return std::nullopt;
            return json::Value(*text);
        }
        if (const auto* boolean = value.get_if<bool>()) return json::Value(*boolean);
        if (const auto integer = value.exact()) return json::Value(*integer);
        if (const auto number = value.number()) return json::Value(*number);
        if (value.is_nil()) return json::Value();
        return json::Value(format(value));
    }

private:
    std::optional<json::Value> convert_list(const List& list, std::size_t depth) {
        if (is_too_deep(depth) || !pay_for(list.depth(), list.size())) return std::nullopt;
        json::Array array;
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto item = convert(list.at(i), depth);
            if (!item) return std::nullopt;
            array.push_back(std::move(*item));
        }
        return json::Value(std::move(array));
    }

    std::optional<json::Value> convert_map(const Map& map, std::size_t depth) {
        if (is_too_deep(depth) || !pay_for(map.depth(), map.size())) return std::nullopt;
        json::Object object;
        for (std::size_t i = 0; i < map.size(); ++i) {
            if (!count(map.key(i).size() + kPunctuation) || !run_.touch(1, kValuesPerUnit)) {
                return std::nullopt;
            }
            auto value = convert(map.value(i), depth);
            if (!value) return std::nullopt;
            object.push_back({std::string(map.key(i)), std::move(*value)});
        }
        return json::Value(std::move(object));
    }

    // What lies in the variables has its size; what the evaluation made may name one part often.
    bool pay_for(std::uint32_t own_depth, std::size_t size) {
        return own_depth == 0 || run_.spend(size);
    }

    bool count(std::size_t bytes) {
        bytes_ += bytes;
        if (!run_.touch(bytes, bytes_per_unit::kCopied)) return false;
        if (bytes_ <= limits::kExpressionBytesResultMax) return true;
        (void)run_.fail("the result has more than " +
                        std::to_string(limits::kExpressionBytesResultMax) + " bytes");
        return false;
    }

    bool is_too_deep(std::size_t depth) {
        if (depth <= kDepthMax) return false;
        (void)run_.fail("the result is nested deeper than " + std::to_string(kDepthMax));
        return true;
    }

    static constexpr std::size_t kValuesPerUnit = 1;
    // The least that a value takes in the JSON text: `0,`.
    static constexpr std::size_t kPunctuation = 2;

    Evaluation& run_;
    std::size_t bytes_ = 0;
    std::size_t values_ = 0;
};

}  // namespace

std::optional<json::Value> to_json(Evaluation& run, const Value& value) {
    return Converter(run).convert(value, 0);
}

}  // namespace millrace::expression
