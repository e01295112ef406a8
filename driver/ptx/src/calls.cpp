// SPDX-License-Identifier: MIT
// Which functions of a module may call themselves, directly or through others, which have their address
// taken, and how much of a thread's stack a call needs. call.cpp runs the calls.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/interpret.hpp"
#include "ptx/module.hpp"

namespace ptx {
namespace {

void add_symbols(const Operand& operand, std::set<std::string>& names) {
  if (operand.kind == Operand::Kind::Symbol) names.insert(operand.name);
  for (const Operand& part : operand.parts) add_symbols(part, names);
}

// Circles in the graph of calls, by Tarjan's algorithm; with a stack of its own, because a chain of calls may
// be longer than the thread's.
class Circles {
 public:
  std::size_t number(const std::string& name) {
    const auto [found, fresh] = numbers_.emplace(name, nodes_.size());
    if (fresh) nodes_.emplace_back().name = &found->first;
    return found->second;
  }
  void calls(std::size_t caller, std::size_t callee) { nodes_[caller].callees.push_back(callee); }

  std::set<std::string> find() {
    std::set<std::string> found;
    for (std::size_t start = 0; start < nodes_.size(); ++start) {
      if (nodes_[start].visited != 0) continue;
      visit(start);
      while (!ways_.empty()) go_on(found);
    }
    return found;
  }

 private:
  struct Node {
    const std::string* name = nullptr;  // null: no function
    std::vector<std::size_t> callees;
    std::size_t visited = 0, lowest = 0;  // in order of visits; 0: not yet
    bool open = false;
  };
  struct Way {
    std::size_t node = 0, next = 0;
  };

  void visit(std::size_t node) {
    nodes_[node].visited = nodes_[node].lowest = ++visits_;
    nodes_[node].open = true;
    open_.push_back(node);
    ways_.push_back({node, 0});
  }

  void go_on(std::set<std::string>& found) {
    Way& way = ways_.back();
    Node& node = nodes_[way.node];
    if (way.next < node.callees.size()) {
      const Node& callee = nodes_[node.callees[way.next]];
      if (callee.visited == 0) return visit(node.callees[way.next++]);
      if (callee.open) node.lowest = std::min(node.lowest, callee.visited);
      ++way.next;
      return;
    }
    const std::size_t done = way.node;
    ways_.pop_back();
    if (!ways_.empty()) {
      Node& before = nodes_[ways_.back().node];
      before.lowest = std::min(before.lowest, node.lowest);
    }
    if (node.lowest == node.visited) close(done, found);
  }

  // Everything that was opened since is one circle, or it is alone.
  void close(std::size_t node, std::set<std::string>& found) {
    const std::vector<std::size_t>& callees = nodes_[node].callees;
    const bool itself = std::find(callees.begin(), callees.end(), node) != callees.end();
    const bool circle = open_.back() != node || itself;
    for (bool last = false; !last;) {
      const std::size_t one = open_.back();
      open_.pop_back();
      nodes_[one].open = false;
      if (circle && nodes_[one].name != nullptr) found.insert(*nodes_[one].name);
      last = one == node;
    }
  }

  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<Node> nodes_{1};  // the first is no function
  std::vector<std::size_t> open_;
  std::vector<Way> ways_;
  std::size_t visits_ = 0;
};

}  // namespace

std::set<std::string> functions_with_addresses(const Module& module) {
  std::set<std::string> names;
  for (const Variable& variable : module.variables)
    for (const Initialiser& value : variable.values)
      if (!value.symbol.empty()) names.insert(value.symbol);
  for (const Function& function : module.functions)
    for (const Instruction& in : function.body)
      for (const Operand& operand : in.operands) add_symbols(operand, names);
  return names;
}

std::set<std::string> recursive_functions(const Module& module) {
  Circles circles;
  const std::set<std::string> by_address = functions_with_addresses(module);
  // A call by an address goes by way of a number of its own, which no function has.
  constexpr std::size_t kAny = 0;
  const auto number = [&](const std::string& name) {
    const auto alias = module.aliases.find(name);
    return circles.number(alias != module.aliases.end() ? alias->second : name);
  };
  for (const std::string& name : by_address) circles.calls(kAny, number(name));
  for (const Function& function : module.functions) {
    const std::size_t caller = circles.number(function.name);
    for (const Instruction& in : function.body) {
      if (in.opcode == Opcode::Call) circles.calls(caller, in.callee.empty() ? kAny : number(in.callee));
    }
  }
  return circles.find();
}

std::uint64_t call_bytes(const Function& function) {
  return (local_bytes(function) + 15) / 16 * 16 + 16;
}

}  // namespace ptx
