// SPDX-License-Identifier: MIT
// Kernels whose threads never wait for each other: loops over blocks and threads around the code of one
// thread.
//
// If a kernel begins by ending some threads (`if (i >= n) return;`), a row in which no thread ends gets a
// separate loop without that test, which LLVM can turn into vector instructions.
#include "translation.hpp"

namespace compiler {

Value Translation::make_thread(const char* name, const std::optional<std::pair<std::uint32_t, bool>>& known) {
  Value function = make_function(name, ir_.nothing);
  ir_.mark(function, "alwaysinline");
  ir_.continue_at(ir_.block(function));
  const std::unique_ptr<Body> body = open_body(function);
  body->known = known;
  body->end = [this] { LLVMBuildRetVoid(ir_.at); };
  place_variables(*body);
  body->open();
  body->emit(0);
  return function;
}

// The code before the guard: its predicate, and the number that is compared.
Value Translation::make_guard(const RowGuard& guard) {
  IrType parts[] = {ir_.i1, ir_.i64};
  Value function = make_function("guard", LLVMStructTypeInContext(ir_.context, parts, 2, 0));
  ir_.mark(function, "alwaysinline");
  ir_.continue_at(ir_.block(function));
  const std::unique_ptr<Body> body = open_body(function);
  place_variables(*body);
  body->open();
  for (std::uint32_t i = 0; i < guard.branch; ++i) body->compute(program_.kernel.body[i]);
  Value results[] = {body->register_value(program_.kernel.body[guard.branch].guard),
                     ir_.fit(body->read(guard.value, guard.type), ir_.i64, ptx::is_signed(guard.type))};
  LLVMBuildAggregateRet(ir_.at, results, 2);
  return function;
}

void Translation::emit_row(Value entry, Arguments& arguments, Value thread) {
  Value start = arguments.given.linear;
  Loop x(ir_, entry, ir_.word(0), ir_.word(kernel_.shape[0]));
  arguments.given.thread[0] = x.number();
  arguments.given.linear = ir_.add(start, x.number());
  ir_.call(LLVMGlobalGetValueType(thread), thread, arguments.values());
  x.close();
  arguments.given.linear = start;
}

void Translation::emit_guarded_row(Value entry, Arguments& arguments, Value thread, Value inside, Value guard,
                                   const RowGuard& row) {
  Value ends[2] = {}, numbers[2] = {};
  for (unsigned i = 0; i < 2; ++i) {
    arguments.given.thread[0] = ir_.word(i == 0 ? 0 : kernel_.shape[0] - 1);
    Value result = ir_.call(LLVMGlobalGetValueType(guard), guard, arguments.values());
    Value predicate = LLVMBuildExtractValue(ir_.at, result, 0, "");
    ends[i] = row.stays ? predicate : ir_.no(predicate);
    numbers[i] = LLVMBuildExtractValue(ir_.at, result, 1, "");
  }
  Value grows = ir_.compare(ptx::is_signed(row.type) ? LLVMIntSLE : LLVMIntULE, numbers[0], numbers[1]);
  Value all = ir_.both(ir_.both(ends[0], ends[1]), grows);
  IrBlock in = ir_.block(entry, "all"), some = ir_.block(entry, "some"), behind = ir_.block(entry);
  ir_.branch(all, in, some);
  ir_.continue_at(in);
  emit_row(entry, arguments, inside);
  ir_.jump(behind);
  ir_.continue_at(some);
  emit_row(entry, arguments, thread);
  ir_.jump(behind);
  ir_.continue_at(behind);
}

void Translation::translate_whole() {
  lay_out_locals([&](const ptx::Variable& variable) {
    return variable.space == ptx::Space::Local && takes_address_of(variable.name);
  });
  const std::optional<RowGuard> row = find_row_guard(program_.kernel);
  Value thread = make_thread("thread", std::nullopt), inside = nullptr, guard = nullptr;
  if (row && kernel_.shape[0] > 1) {
    inside = make_thread("thread_inside", std::pair(row->branch, row->stays));
    guard = make_guard(*row);
  }
  IrType types[] = {ir_.pointer, ir_.i64, ir_.i64};
  Value entry = LLVMAddFunction(ir_.module, "kernel", LLVMFunctionType(ir_.nothing, types, 3, 0));
  ir_.mark(entry, "nounwind");
  ir_.continue_at(ir_.block(entry));
  Arguments arguments = load_common(LLVMGetParam(entry, 0));
  Value first = LLVMGetParam(entry, 1);
  Loop block(ir_, entry, first, ir_.add(first, LLVMGetParam(entry, 2)));
  Value width = ir_.fit(arguments.given.grid[0], ir_.i64, false),
        height = ir_.fit(arguments.given.grid[1], ir_.i64, false);
  Value rest = LLVMBuildUDiv(ir_.at, block.number(), width, "");
  const auto narrow = [&](Value value) { return ir_.fit(value, ir_.i32, false); };
  arguments.given.index[0] = narrow(LLVMBuildURem(ir_.at, block.number(), width, ""));
  arguments.given.index[1] = narrow(LLVMBuildURem(ir_.at, rest, height, ""));
  arguments.given.index[2] = narrow(LLVMBuildUDiv(ir_.at, rest, height, ""));
  Loop z(ir_, entry, ir_.word(0), ir_.word(kernel_.shape[2]));
  arguments.given.thread[2] = z.number();
  Loop y(ir_, entry, ir_.word(0), ir_.word(kernel_.shape[1]));
  arguments.given.thread[1] = y.number();
  arguments.given.linear = ir_.mul(ir_.add(ir_.mul(z.number(), ir_.word(kernel_.shape[1])), y.number()),
                                   ir_.word(kernel_.shape[0]));
  if (guard != nullptr)
    emit_guarded_row(entry, arguments, thread, inside, guard, *row);
  else
    emit_row(entry, arguments, thread);
  y.close();
  z.close();
  block.close();
  LLVMBuildRetVoid(ir_.at);
}

}  // namespace compiler
