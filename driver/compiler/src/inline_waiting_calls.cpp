// SPDX-License-Identifier: MIT
// Puts functions that may wait into the kernel's body.
//
// A called function runs on the thread's own stack, which cannot be left in the middle. So code that waits,
// or ends its thread, has to be in the kernel itself.

// An example:
//   before:
//     .func wait() {
//       bar.sync 0;
//       ret;
//     }
//     .visible .entry k() {
//       call wait;
//       ret;
//     }
//   after:
//     define i32 @region0(…
//     …
//     define i32 @region1(…

#include "program.hpp"

namespace compiler {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

constexpr std::size_t kMostInstructions = 200000;

class Waits {
 public:
  explicit Waits(const ptx::FunctionNames& functions) : functions_(functions) {}

  // Whether a call of the function may wait, or end the thread.
  bool operator()(const Function& function) {
    const auto known = known_.find(&function);
    if (known != known_.end()) return known->second;
    known_[&function] = false;  // a recursive call adds nothing
    bool result = false;
    for (std::uint32_t i = 0; i < function.body.size() && !result; ++i) {
      const Instruction& in = function.body[i];
      result = in.opcode == Opcode::Exit || is_stop(function, i) || in.callee == "__assertfail";
      if (in.opcode != Opcode::Call || result || in.callee.empty()) continue;
      const Function* const callee = functions_.find(in.callee);
      result = callee != nullptr && !callee->external && (*this)(*callee);
    }
    return known_[&function] = result;
  }

 private:
  const ptx::FunctionNames& functions_;
  std::map<const Function*, bool> known_;
};

class Inliner {
 public:
  Inliner(const ptx::FunctionNames& functions, Waits& waits, Function& into)
      : functions_(functions), waits_(waits), into_(into) {}

  // Every call of what waits, once; whether there was one.
  bool pass() {
    std::vector<Instruction> body;
    std::vector<std::uint32_t> place(into_.body.size() + 1);  // old index -> new
    std::vector<bool> own;                                    // targets of it are old indices
    bool changed = false;
    for (std::size_t i = 0; i < into_.body.size(); ++i) {
      place[i] = static_cast<std::uint32_t>(body.size());
      Instruction& in = into_.body[i];
      const Function* const callee =
          in.opcode == Opcode::Call && !in.callee.empty() ? functions_.find(in.callee) : nullptr;
      if (callee == nullptr || callee->external || !waits_(*callee)) {
        body.push_back(std::move(in));
        own.resize(body.size(), true);
        continue;
      }
      changed = true;
      put(in, *callee, body);
      own.resize(body.size(), false);
      if (body.size() > kMostInstructions) unsupported(in, "recursion of a function that waits");
    }
    place[into_.body.size()] = static_cast<std::uint32_t>(body.size());
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (!own[i]) continue;
      if (body[i].opcode == Opcode::Bra) body[i].target = place[body[i].target];
      for (std::uint32_t& target : body[i].targets) target = place[target];
    }
    into_.body = std::move(body);
    return changed;
  }

 private:
  void put(const Instruction& call, const Function& callee, std::vector<Instruction>& body) {
    const std::string mark = "#" + std::to_string(++count_);
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < callee.parameters.size() && i < call.call_arguments.size(); ++i)
      names[callee.parameters[i].name] = call.call_arguments[i];
    for (std::size_t i = 0; i < callee.results.size() && i < call.call_results.size(); ++i)
      names[callee.results[i].name] = call.call_results[i];
    for (ptx::Variable variable : callee.locals) {
      if (variable.space == ptx::Space::Shared) continue;
      names[variable.name] = variable.name + mark;
      variable.name += mark;
      into_.locals.push_back(std::move(variable));
    }
    for (const auto& [label, prototype] : callee.prototypes) into_.prototypes[label + mark] = prototype;
    const auto first_register = static_cast<std::uint32_t>(into_.registers.size());
    into_.registers.insert(into_.registers.end(), callee.registers.begin(), callee.registers.end());
    into_.register_types.insert(into_.register_types.end(), callee.register_types.begin(),
                                callee.register_types.end());
    const auto end = static_cast<std::uint32_t>(body.size() + callee.body.size() + (call.guarded ? 1 : 0));
    if (call.guarded) body.push_back(branch(call, end, !call.guard_negated));
    const auto first = static_cast<std::uint32_t>(body.size());
    for (Instruction in : callee.body) {
      if (in.guarded) in.guard += first_register;
      for (Operand& operand : in.operands) rename(operand, names, first_register);
      for (auto* list : {&in.call_arguments, &in.call_results})
        for (std::string& name : *list) rename(name, names);
      if (!in.prototype.empty()) in.prototype += mark;
      in.target += first;
      for (std::uint32_t& target : in.targets) target += first;
      if (in.opcode == Opcode::Ret) {
        in.opcode = Opcode::Bra;
        in.target = end;
      }
      body.push_back(std::move(in));
    }
  }

  static Instruction branch(const Instruction& guard, std::uint32_t target, bool negated) {
    Instruction in;
    in.root = "bra";
    in.opcode = Opcode::Bra;
    in.line = guard.line;
    in.guarded = true;
    in.guard = guard.guard;
    in.guard_negated = negated;
    in.target = target;
    return in;
  }

  static void rename(std::string& name, const std::map<std::string, std::string>& names) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  }
  static void rename(Operand& operand, const std::map<std::string, std::string>& names,
                     std::uint32_t first_register) {
    if (operand.kind == Operand::Kind::Register || operand.has_reg) operand.reg += first_register;
    rename(operand.name, names);
    for (Operand& part : operand.parts) rename(part, names, first_register);
  }

  const ptx::FunctionNames& functions_;
  Waits& waits_;
  Function& into_;
  unsigned count_ = 0;
};

}  // namespace

Program inline_waiting_calls(const ptx::Module& module, const Function& kernel) {
  Program program;
  program.module = &module;
  program.kernel = kernel;
  const ptx::FunctionNames functions(module);
  Waits waits(functions);
  Inliner inliner(functions, waits, program.kernel);
  while (inliner.pass()) {
  }
  return program;
}

}  // namespace compiler
