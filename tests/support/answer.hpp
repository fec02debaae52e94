#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <utility>

namespace millrace {

// Calls something that answers on another thread, and waits for the answer. A second answer breaks
// the promise and with it the test.
template <class T>
class Answer {
public:
    template <class Call>
    explicit Answer(Call call) {
        auto promise = std::make_shared<std::promise<T>>();
        future_ = promise->get_future();
        call([promise](T value) { promise->set_value(std::move(value)); });
    }

    bool is_there() const {
        return future_.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    }

    T get() {
        const auto state = future_.wait_for(std::chrono::seconds{60});
        EXPECT_EQ(state, std::future_status::ready) << "There is no answer.";
        return state == std::future_status::ready ? future_.get() : T{};
    }

private:
    std::future<T> future_;
};

}  // namespace millrace
