#include "support/proto_messages.hpp"

#include <google/protobuf/timestamp.pb.h>
#include <gtest/gtest.h>
#include <millrace/v1/rest.pb.h>

#include <random>

#include "api/grpc/millrace/millrace_methods.hpp"

namespace millrace::rpc {

namespace {

// Fills a message; a list has up to three items.
class RandomFiller {
public:
    explicit RandomFiller(std::uint64_t seed) : dice_(seed) {}

    void fill(pb::Message& message) {
        if (message.GetDescriptor() == pb::Timestamp::descriptor()) return fill_time(message);
        const pb::Descriptor& descriptor = *message.GetDescriptor();
        for (int i = 0; i < descriptor.field_count(); ++i) {
            const pb::FieldDescriptor& field = *descriptor.field(i);
            const bool is_left_out = one_of(3) == 0 || field.options().GetExtension(v1::nulls);
            if (is_left_out) continue;
            const std::size_t count = field.is_repeated() ? one_of(4) : 1;
            for (std::size_t j = 0; j < count; ++j) set(message, field);
        }
    }

private:
    std::size_t one_of(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(dice_);
    }

    template <std::size_t N>
    std::string pick(const char* const (&texts)[N]) {
        return texts[one_of(N)];
    }

    void fill_time(pb::Message& message) {
        auto& time = static_cast<pb::Timestamp&>(message);
        time.set_seconds(
            std::uniform_int_distribution<std::int64_t>(-62'135'596'800, 253'402'300'799)(dice_));
        time.set_nanos(static_cast<std::int32_t>(one_of(1'000'000)) * 1'000);
    }

    void set(pb::Message& message, const pb::FieldDescriptor& field) {
        static constexpr const char* kTexts[] = {"a", "\"\\/<>&", "\n\x01\x7f", "ü\u2028😀",
                                                 "a/b?c=d"};
        static constexpr const char* kJson[] = {"{}", "null", "9223372036854775807",
                                                " [1, 2.50 ,{\"b\":\"]\",\"a\":1}] ",
                                                "\"\\u00fc\""};
        const pb::Reflection& reflection = *message.GetReflection();
        const bool is_list = field.is_repeated();
        switch (field.cpp_type()) {
            case pb::FieldDescriptor::CPPTYPE_STRING: {
                const bool is_json = field.options().GetExtension(v1::json);
                std::string text = is_json ? pick(kJson) : pick(kTexts);
                // A body is its text without the space around it.
                if (is_json && text.front() == ' ') text = text.substr(1, text.size() - 2);
                is_list ? reflection.AddString(&message, &field, text)
                        : reflection.SetString(&message, &field, text);
                return;
            }
            case pb::FieldDescriptor::CPPTYPE_BOOL:
                return reflection.SetBool(&message, &field, one_of(2) == 0);
            case pb::FieldDescriptor::CPPTYPE_INT32:
                return reflection.SetInt32(&message, &field, static_cast<std::int32_t>(dice_()));
            case pb::FieldDescriptor::CPPTYPE_INT64:
                return reflection.SetInt64(&message, &field, static_cast<std::int64_t>(dice_()));
            case pb::FieldDescriptor::CPPTYPE_DOUBLE:
                return reflection.SetDouble(&message, &field,
                                            static_cast<double>(dice_()) * 1e-9 + 0.25);
            case pb::FieldDescriptor::CPPTYPE_ENUM: {
                const auto count = static_cast<std::size_t>(field.enum_type()->value_count());
                const int number =
                    field.enum_type()->value(static_cast<int>(1 + one_of(count - 1)))->number();
                is_list ? reflection.AddEnumValue(&message, &field, number)
                        : reflection.SetEnumValue(&message, &field, number);
                return;
            }
            case pb::FieldDescriptor::CPPTYPE_MESSAGE:
                return fill(is_list ? *reflection.AddMessage(&message, &field)
                                    : *reflection.MutableMessage(&message, &field));
            default: ADD_FAILURE() << field.full_name();
        }
    }

    std::mt19937_64 dice_;
};

}  // namespace

const Methods& all_millrace_methods() {
    static const Methods methods = millrace_methods();
    return methods;
}

const Method& millrace_method_named(const std::string& name) {
    for (const auto& each : all_millrace_methods()) {
        if (each->name() == "/millrace.v1." + name) return *each;
    }
    ADD_FAILURE() << "no method " << name;
    return *all_millrace_methods().front();
}

const pb::MethodDescriptor& descriptor_of(const Method& method) {
    std::string name = method.name().substr(1);
    name[name.find('/')] = '.';
    return *pb::DescriptorPool::generated_pool()->FindMethodByName(name);
}

std::unique_ptr<pb::Message> new_message(const pb::Descriptor& descriptor) {
    return std::unique_ptr<pb::Message>(
        pb::MessageFactory::generated_factory()->GetPrototype(&descriptor)->New());
}

std::unique_ptr<pb::Message> random_message(const pb::Descriptor& descriptor, std::uint64_t seed) {
    auto message = new_message(descriptor);
    RandomFiller(seed).fill(*message);
    return message;
}

}  // namespace millrace::rpc
