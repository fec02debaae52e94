#include "queue/find_foreign_definition.hpp"

#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class FindForeignDefinitionTest : public QueueTest {
protected:
    bool is_foreign(const std::string& workspace, const std::string& id) {
        const auto found = read(FindForeignDefinition{{workspace}, id}, node_.reader());
        EXPECT_TRUE(found) << (found ? "" : found.error().detail);
        return found && found->is_foreign;
    }
};

TEST_F(FindForeignDefinitionTest, OnlyWhatAnotherWorkspaceHasAndThisOneLacks) {
    make_workspace("other");
    EXPECT_TRUE(is_foreign("other", "order"));
    EXPECT_FALSE(is_foreign(kWorkspace.value, "order")) << "it is its own";
    EXPECT_FALSE(is_foreign("other", "none"));
    EXPECT_FALSE(is_foreign("nowhere", "order")) << "there is no such workspace";
}

}  // namespace
}  // namespace millrace
