// SPDX-License-Identifier: MIT
// The rules as a whole. What a call does is looked up in one table, so of two rules for a function one would
// be ignored without a message. And each call of the driver is made once, in a world that has one object of
// each kind: what it makes, ends, writes and does to the stack has to be what the description says of it, so
// that neither side knows a maker, an ender or a change of the stack that the other does not.
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "api/descriptions.hpp"
#include "lab/model.hpp"
#include "model/apply.hpp"
#include "model/state_ledger.hpp"
#include "support/events.hpp"

TEST(rules, no_call_has_two) {
  std::map<trace::Function, int> times;
  for (const lab::Rule& rule : lab::all_rules()) {
    EXPECT_EQ(++times[rule.call], 1) << trace::name_of(rule.call);
    EXPECT_TRUE(rule.apply) << trace::name_of(rule.call);
  }
  EXPECT_FALSE(times.contains(trace::Function::None));
  EXPECT_GT(times.size(), 100u);
}

TEST(rules, each_call_that_copies_or_fills_has_one) {
  std::set<trace::Function> known;
  for (const lab::Rule& rule : lab::all_rules()) known.insert(rule.call);
  for (const api::FunctionDescription& function : api::functions()) {
    if (function.name.starts_with("cuMemcpy") || function.name.starts_with("cuMemset")) {
      EXPECT_TRUE(known.contains(function.function)) << function.name;
    }
  }
}

namespace {

using lab::Change;
using lab::ObjectKind;

constexpr std::uint64_t kAddress = 0x700000, kNewHandle = 0x5000, kNewAddress = 0x900000, kNumber = 64;

bool has_handles(ObjectKind kind) {
  return !api::objects()[static_cast<std::size_t>(kind)].handle_type.empty();
}

// One of each kind is there before the call; what is known by its address shares one, as different kinds may.
std::uint64_t there_before(ObjectKind kind) {
  return has_handles(kind) ? 0x1000 + 0x10 * static_cast<std::uint64_t>(kind) : kAddress;
}

lab::State one_of_each() {
  lab::State state;
  support::Run run;
  run.create(there_before(ObjectKind::Context));
  for (support::Call& call : run.calls()) lab::apply(state, call.event());
  lab::StateLedger ledger(state);
  lab::Step step{state, ledger, run.calls().back().event()};
  lab::ObjectId library;
  for (std::size_t i = static_cast<std::size_t>(ObjectKind::Module); i < lab::kObjectKinds; ++i) {
    lab::Object object;
    object.id.kind = static_cast<ObjectKind>(i);
    object.handle = there_before(object.id.kind);
    if (object.id.kind == ObjectKind::Kernel) object.owner = library;
    const lab::ObjectId made = step.add(std::move(object));
    if (made.kind == ObjectKind::Library) library = made;
  }
  lab::Allocation allocation;
  allocation.number = state.next_allocation++;
  allocation.address = kAddress;
  allocation.size = kNumber;
  allocation.kind = lab::MemoryKind::Mapped;
  ledger.add(allocation);
  return state;
}

ObjectKind kind_of(const api::TypeDescription& type) {
  for (std::size_t i = 0; i < lab::kObjectKinds; ++i)
    if (has_handles(static_cast<ObjectKind>(i)) && api::objects()[i].handle_type == type.name)
      return static_cast<ObjectKind>(i);
  return ObjectKind::None;
}

// What a parameter holds before the call, or receives.
std::uint64_t value_of(const api::ParameterDescription& parameter, bool is_new) {
  const ObjectKind kind = kind_of(parameter.value);
  if (kind != ObjectKind::None) return is_new ? kNewHandle : there_before(kind);
  switch (parameter.value.kind) {
    case api::ValueKind::DevicePointer:
    case api::ValueKind::HostPointer:
      return is_new ? kNewAddress : kAddress;
    case api::ValueKind::Device:
      return 0;
    default:
      return kNumber;
  }
}

// A success of this version of a call, made of its description alone.
trace::Event success_of(const api::FunctionDescription& function) {
  trace::Event event;
  event.seq = 1;
  event.function = function.function;
  event.name = function.name;
  event.symbol = function.symbol;
  for (const api::ParameterDescription& parameter : function.parameters) {
    trace::Argument argument;
    argument.name = parameter.name;
    const bool is_new = function.makes && function.makes->handle == parameter.name;
    if (parameter.role == api::Role::In) {
      argument.word = value_of(parameter, is_new);
    } else {
      argument.role = trace::Role::Out;
      argument.out = value_of(parameter, is_new);
    }
    event.arguments.push_back(std::move(argument));
  }
  return event;
}

std::string words(const std::set<ObjectKind>& kinds) {
  std::string out;
  for (const ObjectKind kind : kinds)
    out += kind == ObjectKind::Context ? "Context " : lab::object_name(lab::ObjectId{kind, 1}) + " ";
  return out;
}

struct Done {
  std::set<ObjectKind> made, ended;
  bool wrote = false;
  bool moved = false;  // something else is on the stack
};

Done done_by(const lab::State& before, const api::FunctionDescription& function) {
  lab::State state = before;
  lab::apply(state, success_of(function));
  Done done;
  for (const Change& change : state.changes) {
    if (change.kind == Change::Kind::ContextCreated) done.made.insert(ObjectKind::Context);
    if (change.kind == Change::Kind::MemoryWritten) done.wrote = true;
    if (change.kind == Change::Kind::Allocated) done.made.insert(ObjectKind::Allocation);
    if (change.kind == Change::Kind::ContextDestroyed) done.ended.insert(ObjectKind::Context);
    if (change.kind == Change::Kind::Freed) done.ended.insert(ObjectKind::Allocation);
    if (change.kind == Change::Kind::ObjectEnded) done.ended.insert(change.object.kind);
    if (change.kind != Change::Kind::ObjectCreated) continue;
    EXPECT_GT(change.object.kind, ObjectKind::Allocation) << "has a list of its own";
    // A library's copy is loaded into a context by whatever call needs it first.
    const lab::Object* const made = state.object(change.object);
    const bool needed = made && made->owner.kind == ObjectKind::Library && made->handle == 0;
    if (!needed) done.made.insert(change.object.kind);
  }
  done.moved = state.threads.at(0).stack != before.threads.at(0).stack;
  return done;
}

}  // namespace

TEST(rules, a_call_makes_ends_writes_and_moves_what_the_description_says_and_nothing_else) {
  const lab::State before = one_of_each();
  std::size_t makers = 0, enders = 0, writers = 0;
  for (const api::FunctionDescription& function : api::functions()) {
    if (trace::layer_of(function.symbol) != trace::Layer::Driver) continue;
    const Done done = done_by(before, function);
    std::set<ObjectKind> made, ended;
    if (function.makes) made.insert(function.makes->kind), ++makers;
    if (function.ends) ended.insert(function.ends->kind), ++enders;
    EXPECT_EQ(words(done.made), words(made)) << function.symbol << " makes";
    EXPECT_EQ(words(done.ended), words(ended)) << function.symbol << " ends";
    writers += done.wrote;
    if (done.wrote) {
      EXPECT_TRUE(function.writes) << function.symbol << " writes";
    }
    if (done.moved) {
      EXPECT_TRUE(function.changes_current)
          << function.symbol << " changes the stack, and the driver is not asked";
    }
  }
  EXPECT_GT(makers, 60u);
  EXPECT_GT(enders, 30u);
  EXPECT_GT(writers, 30u);
}
