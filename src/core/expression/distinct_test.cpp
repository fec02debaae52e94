#include "core/expression/distinct.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/expression/operators.hpp"
#include "support/expressions.hpp"

namespace millrace::expression {
namespace {

TEST(Distinct, KeepsTheFirstOfWhatIsEqual) {
    expect_rows({
        {"uniq([])", "[]"},
        {"uniq([3, 1, 3, 2, 1])", "[3,1,2]"},
        {"uniq([1, 1.0, a, 5, '1', true, nil, nil, false, true])", "[1,5,\"1\",true,null,false]"},
        {"uniq([0, -0.0, 0.5, 0.5])", "[0,0.5]"},
        {"uniq(['a', 'A', 'a', ''])", "[\"a\",\"A\",\"\"]"},
        {"uniq([[1, 2], [2, 1], [1.0, 2], []])", "[[1,2],[2,1],[]]"},
        {"uniq([{x: 1, y: 2}, {y: 2.0, x: 1}, {x: 2, y: 1}])",
         "[{\"x\":1,\"y\":2},{\"x\":2,\"y\":1}]"},
        {"uniq([{x: nil}, {y: nil}, {}])", "[{\"x\":null},{\"y\":null},{}]"},
        {"len(uniq([date('2026-01-01'), date('2026-01-01T02:00:00+02:00'), now()]))", "2"},
        {"len(uniq([duration('1h'), duration('60m'), duration('1m')]))", "2"},
        {"len(uniq([timezone('UTC'), timezone('Z'), timezone('+01:00')]))", "2"},
        {"uniq([exact, 9007199254740992, 9007199254740993])",
         "[9007199254740993,9007199254740992]"},
        {"len(uniq([9007199254740992.0, 9007199254740993, 9007199254740992]))", "1"},
        {"len(uniq([[9007199254740993], [9007199254740992.0], [9007199254740992]]))", "2"},
    });
}

TEST(Distinct, TakesThousands) {
    expect_rows({
        {"len(uniq(1..20000))", "20000"},
        {"len(uniq(map(1..8000, # % 100)))", "100"},
        {"len(uniq(map(1..5000, 'k' + string(#))))", "5000"},
        {"len(uniq(map(1..5000, {id: 1152921504606846976 + #})))", "5000"},
        {"uniq(1..60000)", "error"},
    });
}

// Goal: the digests find exactly what == finds.
// Method: compare with the plain algorithm on values that are often equal.
RC_GTEST_PROP(Distinct, AgreesWithEquality, ()) {
    static const std::vector<std::string> kTexts{"", "a", "b"};
    const auto scalar = [](int pick) -> Value {
        switch (pick % 8) {
            case 0: return Value(std::int64_t{pick / 8});
            case 1: return Value(static_cast<double>(pick / 8));
            case 2: return Value(JsonInteger{(std::int64_t{1} << 53) + pick / 8 % 3});
            case 3: return Value(0x1p53);
            case 4: return Value(std::string_view(kTexts[static_cast<std::size_t>(pick) / 8 % 3]));
            case 5: return Value(pick / 8 % 2 == 0);
            case 6: return Value(static_cast<double>(pick / 8) / 2);
            default: return {};
        }
    };
    const IndexedObject none{json::Object{}};
    WorkMeter meter;
    Evaluation run(none, kExampleNow, meter);
    std::vector<Value> items;
    for (const int pick : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 64))) {
        const Value inner = scalar(pick);
        items.push_back(pick % 3 == 0 ? *run.make_list(std::span(&inner, 1)) : inner);
    }
    std::vector<Value> expected;
    for (const Value& item : items) {
        bool is_known = false;
        for (const Value& earlier : expected) is_known = is_known || *equal(run, earlier, item);
        if (!is_known) expected.push_back(item);
    }
    const auto unique = distinct(run, items);
    RC_ASSERT(unique.has_value());
    RC_ASSERT(unique->size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        RC_ASSERT((*unique)[i].type() == expected[i].type());
        RC_ASSERT(*equal(run, (*unique)[i], expected[i]));
    }
}

}  // namespace
}  // namespace millrace::expression
