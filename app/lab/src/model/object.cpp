// SPDX-License-Identifier: MIT
// See lab/object.hpp. The names of objects are in object_names.cpp.
#include "lab/object.hpp"

#include <unordered_map>

#include "api/descriptions.hpp"

namespace lab {

bool Object::operator==(const Object& other) const {
  return id == other.id && serial == other.serial && handle == other.handle && size == other.size &&
         context == other.context && device == other.device && owner == other.owner &&
         references == other.references && mappings == other.mappings && given == other.given &&
         blocking == other.blocking && multiprocessors == other.multiprocessors &&
         created_at == other.created_at && label_text() == other.label_text();
}

ObjectKind kind_of_handle(std::string_view type) {
  static const auto kinds = [] {
    std::unordered_map<std::string_view, ObjectKind> made;
    for (std::size_t i = 0; i < kObjectKinds; ++i)
      if (const std::string_view handle = api::objects()[i].handle_type; !handle.empty())
        made.emplace(handle, static_cast<ObjectKind>(i));
    return made;
  }();
  while (type.ends_with('*') || type.ends_with(' ')) type.remove_suffix(1);
  const auto found = kinds.find(type);
  return found == kinds.end() ? ObjectKind::None : found->second;
}

bool must_be_destroyed(const Object& object) {
  return !object.given && object.references > 0;
}

}  // namespace lab
