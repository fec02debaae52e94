#include "engine/get_user_task.hpp"

#include "engine/find_user_task.hpp"
#include "engine/stored_definition.hpp"

namespace millrace {

Result<UserTaskView> read(const GetUserTask& query, Reader& reader) {
    const Result<std::optional<UserTask>> task = reader.user_task(query.task);
    if (!task) return task.error();
    if (!*task) return user_task_not_found(query.task);

    const InstanceKey key{instance_of(query.task.id), query.task.workspace_id};
    const Result<std::optional<Instance>> instance = reader.instance(key);
    if (!instance) return instance.error();
    if (!*instance) return user_task_not_found(query.task);
    UserTaskView view{.task = **task, .variables = (*instance)->variables};

    const Result<DefinitionPtr> definition = stored_definition(**instance, reader);
    if (!definition) return definition.error();
    const Step* step =
        *definition == nullptr ? nullptr : (*definition)->find_step((*task)->step_id);
    if (step != nullptr) view.form = step->form;
    return view;
}

}  // namespace millrace
