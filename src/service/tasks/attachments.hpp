#pragma once

#include "core/model/attachment.hpp"
#include "service/requests.hpp"
#include "store/contract/attachment_files.hpp"

namespace andon::service {

struct AttachRequest {
  TaskRef id;
  std::string name;
  std::optional<core::Epoch> epoch;
  std::string sha256;
  /// The bytes of the file, which travel outside of the described fields. They are stored before the unit of
  /// work begins, which leaves them empty.
  std::string content{};
  store::AttachmentPlace place{};  ///< where they were stored
  core::Attachment stored{};       ///< what was found in them
};
void describe(auto& field, AttachRequest const*) {
  field(&AttachRequest::id, kIdField);
  field(&AttachRequest::name, "name", "Name of the file, without directories", core::required);
  field(&AttachRequest::epoch, kEpochField);
  field(&AttachRequest::sha256, "sha256",
        "SHA-256 of the content in hex digits; refused when it has another");
}

struct AttachmentRequest {
  TaskRef id;
  std::string name;
};
void describe(auto& field, AttachmentRequest const*) {
  field(&AttachmentRequest::id, kIdField);
  field(&AttachmentRequest::name, "name", "Name of the file", core::required);
}

struct DetachRequest {
  TaskRef id;
  std::string name;
  std::optional<core::Epoch> epoch;
  store::AttachmentPlace place{};  ///< of the content, which is removed after the record
};
void describe(auto& field, DetachRequest const*) {
  field(&DetachRequest::id, kIdField);
  field(&DetachRequest::name, "name", "Name of the file", core::required);
  field(&DetachRequest::epoch, kEpochField);
}

struct Attachments {
  std::vector<core::Attachment> items;
};
void describe(auto& field, Attachments const*) {
  field(&Attachments::items, "items", "The files, oldest first", core::always);
}

/// An attachment with its content, which travels outside of the described fields.
struct AttachmentContent {
  core::Attachment attachment;
  std::string content{};
};
void describe(auto& field, AttachmentContent const*) {
  field(&AttachmentContent::attachment, "attachment", "The record of the file", core::always);
}

/// The place of an attachment, and its record.
struct AttachmentQuestion {
  store::AttachmentPlace place;
  core::Attachment attachment;
};
void describe(auto& field, AttachmentQuestion const*) {
  field(&AttachmentQuestion::attachment, "attachment", "The record of the file", core::always);
}

core::Result<Attachments> list_attachments(OperationContext& ctx, TaskRequest const& request);
core::Result<AttachmentQuestion> get_attachment(OperationContext& ctx, AttachmentRequest const& request);

/// The place for the content of a new attachment, still without its id. Refuses what can be refused before
/// the content is stored.
core::Result<store::AttachmentPlace> place_for(OperationContext& ctx, AttachRequest const& request);
/// Records an attachment whose content is stored.
core::Result<core::Task> attach_file(OperationContext& ctx, AttachRequest const& request);

core::Result<store::AttachmentPlace> place_to_clear(OperationContext& ctx, DetachRequest const& request);
/// Removes the record of an attachment.
core::Result<core::Task> detach_file(OperationContext& ctx, DetachRequest const& request);

/// Those of the places that no record names: contents that were left behind. A task that the store has not
/// made yet may be one of another database whose files are here, so its contents are none of them.
std::vector<store::AttachmentPlace> left_behind(OperationContext& ctx,
                                                std::vector<store::AttachmentPlace> const& places);

}  // namespace andon::service
