#pragma once

#include "core/model/worker.hpp"
#include "service/runs/runs.hpp"

namespace andon::service {

/// A topic of the memory as a prompt contains it.
struct DocumentOfMemory {
  std::string name;
  std::string text;
  bool is_noted = false;
};
void describe(auto& field, DocumentOfMemory const*) {
  field(&DocumentOfMemory::name, "name", "The topic", core::always);
  field(&DocumentOfMemory::text, "text", "What is in it", core::always);
  field(&DocumentOfMemory::is_noted, "is_noted", "Whether the worker itself wrote it", core::set_only);
}

/// The documents of the data directory of a server for the prompt of a run on another host.
struct RunDocuments {
  std::string role;
  std::vector<DocumentOfMemory> memory;
};
void describe(auto& field, RunDocuments const*) {
  field(&RunDocuments::role, "role", "The description of the role");
  field(&RunDocuments::memory, "memory", "The memory that the worker gets", core::always);
}

/// Whose documents those are.
struct DocumentsQuestion {
  core::Worker worker;
  std::vector<std::string> tags;
};
void describe(auto& field, DocumentsQuestion const*) {
  field(&DocumentsQuestion::worker, "worker");
  field(&DocumentsQuestion::tags, "tags");
}
core::Result<DocumentsQuestion> run_documents(OperationContext& ctx, RunRequest const& request);

}  // namespace andon::service
