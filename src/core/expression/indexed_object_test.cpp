#include "core/expression/indexed_object.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace millrace::expression {
namespace {

json::Object numbered(int count) {
    json::Object members;
    for (int i = 0; i < count; ++i) members.push_back({"k" + std::to_string(i), json::Value(i)});
    return members;
}

TEST(IndexedObject, FindsEachOfFewAndOfMany) {
    for (const int count : {0, 1, 16, 17, 1'000}) {
        const IndexedObject object{numbered(count)};
        std::size_t looks = 0;
        for (int i = 0; i < count; ++i) {
            EXPECT_EQ(object.place_of("k" + std::to_string(i), looks), i) << count;
        }
        EXPECT_EQ(object.place_of("missing", looks), std::nullopt) << count;
    }
}

TEST(IndexedObject, LooksAtFewNamesAmongMany) {
    const IndexedObject object{numbered(50'000)};
    std::size_t looks = 0;
    (void)object.place_of("k49999", looks);
    EXPECT_GE(looks, 50'000U) << "the index is made of all of them";
    looks = 0;
    for (int i = 0; i < 1'000; ++i) (void)object.place_of("k" + std::to_string(49 * i), looks);
    EXPECT_LE(looks, 10'000U);
}

RC_GTEST_PROP(IndexedObject, FindsAfterEveryChange, ()) {
    json::Object expected = numbered(*rc::gen::inRange(0, 40));
    IndexedObject object{expected};
    std::size_t looks = 0;
    for (const int pick : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 90))) {
        const std::string name = "k" + std::to_string(pick % 60);
        const auto place = object.place_of(name, looks);
        if (pick >= 80) {
            object.shrink_to(expected.size() / 2);
            expected.resize(expected.size() / 2);
        } else if (place) {
            object.replace(*place, json::Value(pick));
            expected[*place].value = json::Value(pick);
        } else {
            object.append(name, json::Value(pick), looks);
            expected.push_back({name, json::Value(pick)});
        }
        const json::Value whole(expected);
        RC_ASSERT(object.value() == whole);
        const auto found = object.place_of(name, looks);
        RC_ASSERT(found.has_value() == (whole.find(name) != nullptr));
    }
}

}  // namespace
}  // namespace millrace::expression
