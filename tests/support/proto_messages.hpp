#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>

#include "api/grpc/method.hpp"

// Test support: methods of millrace.v1 and their messages, by name.
namespace millrace::rpc {

namespace pb = google::protobuf;

// `Instances/GetInstance`.
const Method& millrace_method_named(const std::string& name);
const Methods& all_millrace_methods();

const pb::MethodDescriptor& descriptor_of(const Method& method);

std::unique_ptr<pb::Message> new_message(const pb::Descriptor& descriptor);

// A message with fields set at random, all of them such that they can be translated.
std::unique_ptr<pb::Message> random_message(const pb::Descriptor& descriptor, std::uint64_t seed);

}  // namespace millrace::rpc
