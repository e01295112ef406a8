// SPDX-License-Identifier: MIT
// Kernels whose threads never wait for each other: loops over blocks and threads around the code of one
// thread.
//
// If a kernel begins by ending some threads (`if (i >= n) return;`), a row in which no thread ends gets a
// separate loop without that test, which LLVM can turn into vector instructions.

// An example:
//   before:
//     ld.param.u32 %r1, [n];
//     mov.u32 %r2, %tid.x;
//     setp.ge.u32 %p1, %r2, %r1;
//     @%p1 ret;
//     add.s32 %r3, %r2, 1;
//   after:
//     %first = call { i1, i64 } @guard(…, i32 0, …
//     …
//     %last = call { i1, i64 } @guard(…, i32 63, …
//     …
//     br i1 %all_go_on, label %all, label %some
//     …
//     call void @thread_inside(…
//     …
//     call void @thread(…

#include "flow.hpp"
#include "instructions.hpp"
#include "lowering.hpp"

namespace compiler {
namespace {

class Whole {
 public:
  explicit Whole(Lowering& lowering)
      : lowering_(lowering), program_(lowering.program), ir_(lowering.ir), kernel_(lowering.kernel) {}
  void lower(const std::optional<RowGuard>& guard);

 private:
  // The code of a row whose threads may end at once.
  struct Row {
    Value thread, inside, guard_code;  // with the test, without it, the test alone
    RowGuard guard;
  };
  // What the guard finds for one thread, and where its code returns it.
  struct Probe {
    Value goes_on, number;
    static constexpr unsigned kPlaceOfPredicate = 0, kPlaceOfNumber = 1;
  };
  Value make_thread(const char* name, const std::optional<KnownGuard>& known);
  Value make_guard(const RowGuard& guard);
  void emit_row(Value entry, Arguments& arguments, Value thread);
  Probe probe(Arguments& arguments, const Row& row, std::uint32_t x);
  void emit_guarded_row(Value entry, Arguments& arguments, const Row& row);

  Lowering& lowering_;
  const Program& program_;
  Ir& ir_;
  Kernel& kernel_;
};

Value Whole::make_thread(const char* name, const std::optional<KnownGuard>& known) {
  Value function = lowering_.make_function(name, ir_.nothing);
  ir_.mark(function, "alwaysinline");
  ir_.continue_at(ir_.block(function));
  const std::unique_ptr<Body> body = lowering_.open_body(function);
  body->open();
  emit_flow(*body, {.end = [this] { LLVMBuildRetVoid(ir_.at); }, .known = known}, 0);
  return function;
}

// The code before the guard: its predicate, and the number that is compared.
Value Whole::make_guard(const RowGuard& guard) {
  IrType parts[] = {ir_.i1, ir_.i64};
  Value function = lowering_.make_function("guard", LLVMStructTypeInContext(ir_.context, parts, 2, 0));
  ir_.mark(function, "alwaysinline");
  ir_.continue_at(ir_.block(function));
  const std::unique_ptr<Body> body = lowering_.open_body(function);
  body->open();
  for (std::uint32_t i = 0; i < guard.branch; ++i) emit_instruction(*body, program_.kernel.body[i]);
  Value results[2] = {};
  results[Probe::kPlaceOfPredicate] = body->register_value(program_.kernel.body[guard.branch].guard);
  results[Probe::kPlaceOfNumber] =
      ir_.fit(body->read(guard.value, guard.type), ir_.i64, ptx::is_signed(guard.type));
  LLVMBuildAggregateRet(ir_.at, results, 2);
  return function;
}

void Whole::emit_row(Value entry, Arguments& arguments, Value thread) {
  Value start = arguments.given.linear;
  Loop x(ir_, entry, ir_.word(0), ir_.word(kernel_.shape[0]));
  arguments.given.thread[0] = x.number();
  arguments.given.linear = ir_.add(start, x.number());
  ir_.call(LLVMGlobalGetValueType(thread), thread, arguments.values());
  x.close();
  arguments.given.linear = start;
}

Whole::Probe Whole::probe(Arguments& arguments, const Row& row, std::uint32_t x) {
  arguments.given.thread[0] = ir_.word(x);
  Value result = ir_.call(LLVMGlobalGetValueType(row.guard_code), row.guard_code, arguments.values());
  Value predicate = LLVMBuildExtractValue(ir_.at, result, Probe::kPlaceOfPredicate, "");
  Value goes_on = row.guard.stays ? predicate : ir_.no(predicate);
  return {goes_on, LLVMBuildExtractValue(ir_.at, result, Probe::kPlaceOfNumber, "")};
}

// If the first and the last thread of a row go on and the number did not wrap between them, all go on.
void Whole::emit_guarded_row(Value entry, Arguments& arguments, const Row& row) {
  const Probe first = probe(arguments, row, 0), last = probe(arguments, row, kernel_.shape[0] - 1);
  Value grows =
      ir_.compare(ptx::is_signed(row.guard.type) ? LLVMIntSLE : LLVMIntULE, first.number, last.number);
  Value all = ir_.both(ir_.both(first.goes_on, last.goes_on), grows);
  IrBlock in = ir_.block(entry, "all"), some = ir_.block(entry, "some"), behind = ir_.block(entry);
  ir_.branch(all, in, some);
  ir_.continue_at(in);
  emit_row(entry, arguments, row.inside);
  ir_.jump(behind);
  ir_.continue_at(some);
  emit_row(entry, arguments, row.thread);
  ir_.jump(behind);
  ir_.continue_at(behind);
}

void Whole::lower(const std::optional<RowGuard>& guard) {
  lowering_.lay_out_locals([&](const ptx::Variable& variable) {
    return variable.space == ptx::Space::Local && takes_address_of(program_.kernel, variable.name);
  });
  Value thread = make_thread("thread", std::nullopt);
  std::optional<Row> row;
  if (guard && kernel_.shape[0] > 1) {
    Value inside = make_thread("thread_inside", KnownGuard{guard->branch, guard->stays});
    row = Row{thread, inside, make_guard(*guard), *guard};
  }
  IrType types[] = {ir_.pointer, ir_.i64, ir_.i64};
  Value entry = LLVMAddFunction(ir_.module, "kernel", LLVMFunctionType(ir_.nothing, types, 3, 0));
  ir_.mark(entry, "nounwind");
  ir_.continue_at(ir_.block(entry));
  Value pointer_to_block = LLVMGetParam(entry, 0), first = LLVMGetParam(entry, 1),
        count = LLVMGetParam(entry, 2);
  Arguments arguments = lowering_.load_common(pointer_to_block);
  Loop block(ir_, entry, first, ir_.add(first, count));
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
  if (row)
    emit_guarded_row(entry, arguments, *row);
  else
    emit_row(entry, arguments, thread);
  y.close();
  z.close();
  block.close();
  LLVMBuildRetVoid(ir_.at);
}

}  // namespace

void lower_whole(Lowering& lowering, const std::optional<RowGuard>& guard) {
  Whole(lowering).lower(guard);
}

}  // namespace compiler
