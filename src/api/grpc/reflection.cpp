#include "api/grpc/reflection.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/rpc/error_details.pb.h>
#include <google/rpc/status.pb.h>
#include <grpc/health/v1/health.pb.h>
#include <grpc/reflection/v1/reflection.pb.h>
#include <grpc/reflection/v1alpha/reflection.pb.h>

#include <algorithm>
#include <set>

#include "api/grpc/code.hpp"

namespace millrace::rpc {

namespace {

namespace reflection_wire = ::grpc::reflection::v1;
using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;

constexpr std::string_view kReflectionMethod = "/ServerReflectionInfo";

std::string error_answer(Code code, const std::string& message) {
    reflection_wire::ServerReflectionResponse response;
    response.mutable_error_response()->set_error_code(static_cast<int>(code));
    response.mutable_error_response()->set_error_message(message);
    return response.SerializeAsString();
}

std::string not_found(const std::string& sought) {
    return error_answer(Code::not_found, "not found: " + sought);
}

void add_file(reflection_wire::FileDescriptorResponse& response, const FileDescriptor& file,
              std::set<const FileDescriptor*>& added) {
    if (!added.insert(&file).second) return;
    google::protobuf::FileDescriptorProto proto;
    file.CopyTo(&proto);
    file.CopyJsonNameTo(&proto);  // Or clients would show fields by another name than REST has.
    response.add_file_descriptor_proto(proto.SerializeAsString());
    for (int i = 0; i < file.dependency_count(); ++i) {
        add_file(response, *file.dependency(i), added);
    }
}

std::string file_answer(const FileDescriptor& file) {
    reflection_wire::ServerReflectionResponse response;
    std::set<const FileDescriptor*> added;
    add_file(*response.mutable_file_descriptor_response(), file, added);
    return response.SerializeAsString();
}

// Naming them keeps them in the program as well, which would else leave out generated files that
// nothing refers to.
std::vector<const FileDescriptor*> files_of_every_server() {
    return {google::rpc::ErrorInfo::descriptor()->file(), google::rpc::Status::descriptor()->file(),
            ::grpc::health::v1::HealthCheckRequest::descriptor()->file(),
            reflection_wire::ServerReflectionRequest::descriptor()->file(),
            ::grpc::reflection::v1alpha::ServerReflectionRequest::descriptor()->file()};
}

template <class Map>
const typename Map::mapped_type* found_in(const Map& map, const std::string& name) {
    const auto found = map.find(name);
    return found != map.end() ? &found->second : nullptr;
}

}  // namespace

bool is_reflection(std::string_view method) {
    return std::ranges::any_of(kReflectionServices, [method](std::string_view service) {
        return method.substr(0, 1) == "/" && method.substr(1, service.size()) == service &&
               method.substr(1 + std::min(method.size() - 1, service.size())) == kReflectionMethod;
    });
}

Reflection::Reflection(const std::vector<std::string>& services) {
    reflection_wire::ServerReflectionResponse listed;
    for (const FileDescriptor* file : files_of_every_server()) add(*file);
    for (const std::string& name : services) {
        listed.mutable_list_services_response()->add_service()->set_name(name);
        const auto* service = DescriptorPool::generated_pool()->FindServiceByName(name);
        if (service != nullptr) add(*service->file());
    }
    services_ = listed.SerializeAsString();
}

void Reflection::add(const FileDescriptor& file) {
    if (files_.contains(file.name())) return;
    const Answer& answer = files_[file.name()] = file_answer(file);
    for (int i = 0; i < file.dependency_count(); ++i) add(*file.dependency(i));
    for (int i = 0; i < file.message_type_count(); ++i) add(*file.message_type(i), answer);
    for (int i = 0; i < file.enum_type_count(); ++i) add(*file.enum_type(i), answer);
    for (int i = 0; i < file.extension_count(); ++i) add_extension(*file.extension(i), answer);
    for (int i = 0; i < file.service_count(); ++i) {
        const auto& service = *file.service(i);
        symbols_[service.full_name()] = &answer;
        for (int j = 0; j < service.method_count(); ++j) {
            symbols_[service.method(j)->full_name()] = &answer;
        }
    }
}

void Reflection::add(const google::protobuf::Descriptor& message, const Answer& answer) {
    symbols_[message.full_name()] = &answer;
    (void)extensions_[message.full_name()];
    for (int i = 0; i < message.field_count(); ++i) {
        symbols_[message.field(i)->full_name()] = &answer;
    }
    for (int i = 0; i < message.oneof_decl_count(); ++i) {
        symbols_[message.oneof_decl(i)->full_name()] = &answer;
    }
    for (int i = 0; i < message.nested_type_count(); ++i) add(*message.nested_type(i), answer);
    for (int i = 0; i < message.enum_type_count(); ++i) add(*message.enum_type(i), answer);
    for (int i = 0; i < message.extension_count(); ++i) {
        add_extension(*message.extension(i), answer);
    }
}

void Reflection::add(const google::protobuf::EnumDescriptor& values, const Answer& answer) {
    symbols_[values.full_name()] = &answer;
    for (int i = 0; i < values.value_count(); ++i) {
        symbols_[values.value(i)->full_name()] = &answer;
    }
}

void Reflection::add_extension(const google::protobuf::FieldDescriptor& extension,
                               const Answer& answer) {
    symbols_[extension.full_name()] = &answer;
    extensions_[extension.containing_type()->full_name()][extension.number()] = &answer;
}

std::string Reflection::answer(std::string_view request) const {
    using Asked = reflection_wire::ServerReflectionRequest;
    Asked asked;
    if (!asked.ParseFromArray(request.data(), static_cast<int>(request.size()))) {
        return error_answer(Code::invalid_argument, "The message is no ServerReflectionRequest.");
    }
    reflection_wire::ServerReflectionResponse response;
    response.set_valid_host(asked.host());
    *response.mutable_original_request() = asked;
    // Two messages, one behind the other, are one with the fields of both.
    const std::string question = response.SerializeAsString();
    switch (asked.message_request_case()) {
        case Asked::kFileByFilename: {
            const Answer* file = found_in(files_, asked.file_by_filename());
            return question + (file != nullptr ? *file : not_found(asked.file_by_filename()));
        }
        case Asked::kFileContainingSymbol: {
            const std::string& symbol = asked.file_containing_symbol();
            const auto* file = found_in(symbols_, symbol);
            return question + (file != nullptr ? **file : not_found(symbol));
        }
        case Asked::kFileContainingExtension: {
            const auto& sought = asked.file_containing_extension();
            const auto* numbers = found_in(extensions_, sought.containing_type());
            if (numbers == nullptr || !numbers->contains(sought.extension_number())) {
                return question + not_found(sought.containing_type());
            }
            return question + *numbers->at(sought.extension_number());
        }
        case Asked::kAllExtensionNumbersOfType: {
            const std::string& type = asked.all_extension_numbers_of_type();
            const auto* numbers = found_in(extensions_, type);
            if (numbers == nullptr) return question + not_found(type);
            auto& shown = *response.mutable_all_extension_numbers_response();
            shown.set_base_type_name(type);
            for (const auto& [number, file] : *numbers) shown.add_extension_number(number);
            return response.SerializeAsString();
        }
        case Asked::kListServices: return question + services_;
        case Asked::MESSAGE_REQUEST_NOT_SET: break;
    }
    return question + error_answer(Code::invalid_argument, "The message asks for nothing.");
}

}  // namespace millrace::rpc
