#include "core/access/policy.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

constexpr Access kAll[] = {Access::open, Access::known,   Access::view,
                           Access::work, Access::operate, Access::administer};

TEST(PolicyTest, GivesEachRoleWhatItIsFor) {
    struct Row {
        Role role;
        std::vector<Access> granted;
    };
    for (const Row& row : {
             Row{Role::viewer, {Access::open, Access::known, Access::view}},
             Row{Role::worker, {Access::open, Access::known, Access::work}},
             Row{Role::operator_,
                 {Access::open, Access::known, Access::view, Access::work, Access::operate}},
             Row{Role::admin, {std::begin(kAll), std::end(kAll)}},
         }) {
        std::vector<Access> granted;
        for (const Access access : kAll) {
            if (may(row.role, access)) granted.push_back(access);
        }
        EXPECT_EQ(granted, row.granted) << to_string(row.role);
    }
}

}  // namespace
}  // namespace millrace
