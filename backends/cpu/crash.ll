; The handler of signals: if the instruction that failed is a kernel's, it prints a line about the
; kernel; then the handler that was there before is called.
;
; %state, in i64:
;    0  SLOTS kernels, 7 x i64: the addresses where its code begins and ends; the text about it: its
;       address, the bytes before the line and the reason, and all bytes; and its source lines, in
;       the order of their code: their address and number, of 3 x i64 each: the address where the
;       code of a line begins, and the text that names it: its address and bytes
;  then, for each number of a signal, 4 x i64: the previous handler, its flags, and the text of the
;       reason: its address and bytes

@polycl_state = global ptr null
; 1: a thread prints, or has printed
@reported = internal global i32 0

declare i64 @write(i32, ptr, i64)
declare ptr @signal(i32, ptr)

define void @polycl_crash(i32 %signal, ptr %info, ptr %context) {
entry:
  %state = load ptr, ptr @polycl_state
  %pc.at = getelementptr i8, ptr %context, i64 PC_OFFSET
  %pc = load i64, ptr %pc.at
  %number = sext i32 %signal to i64
  %signals = getelementptr [7 x i64], ptr %state, i64 SLOTS
  %mine = getelementptr [4 x i64], ptr %signals, i64 %number
  br label %look
look:
  ; The kernel that begins last before the instruction: its end is an estimate.
  %i = phi i64 [0, %entry], [%i.next, %look]
  %best = phi ptr [null, %entry], [%best.next, %look]
  %most = phi i64 [0, %entry], [%most.next, %look]
  %slot = getelementptr [7 x i64], ptr %state, i64 %i
  %begin = load i64, ptr %slot
  %end.at = getelementptr i64, ptr %slot, i64 1
  %end = load i64, ptr %end.at
  %after = icmp uge i64 %pc, %begin
  %before = icmp ult i64 %pc, %end
  %later = icmp ugt i64 %begin, %most
  %inside = and i1 %after, %before
  %better = and i1 %inside, %later
  %best.next = select i1 %better, ptr %slot, ptr %best
  %most.next = select i1 %better, i64 %begin, i64 %most
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, SLOTS
  br i1 %more, label %look, label %found
found:
  %none = icmp eq ptr %best.next, null
  br i1 %none, label %chain, label %first
first:
  ; Several threads may crash in one launch. The others give the first one a second to print and to
  ; end the process: they must not end it before, and two reports would be mixed.
  %swap = cmpxchg ptr @reported, i32 0, i32 1 seq_cst seq_cst
  %won = extractvalue {i32, i1} %swap, 1
  br i1 %won, label %report, label %wait
wait:
  %turn = phi i64 [0, %first], [%turn.next, %wait]
  %turn.next = add i64 %turn, 1
  %progress = load volatile i32, ptr @reported
  %enough = icmp sgt i64 %turn, 2000000000
  br i1 %enough, label %chain, label %wait
report:
  %text.at = getelementptr i64, ptr %best.next, i64 2
  %text = load ptr, ptr %text.at
  %split.at = getelementptr i64, ptr %best.next, i64 3
  %split = load i64, ptr %split.at
  %size.at = getelementptr i64, ptr %best.next, i64 4
  %size = load i64, ptr %size.at
  %reason.at = getelementptr i64, ptr %mine, i64 2
  %reason = load ptr, ptr %reason.at
  %reason.size.at = getelementptr i64, ptr %mine, i64 3
  %reason.size = load i64, ptr %reason.size.at
  %rest = getelementptr i8, ptr %text, i64 %split
  %rest.size = sub i64 %size, %split
  %written0 = call i64 @write(i32 2, ptr %text, i64 %split)
  %lines.at = getelementptr i64, ptr %best.next, i64 5
  %lines = load ptr, ptr %lines.at
  %count.at = getelementptr i64, ptr %best.next, i64 6
  %count = load i64, ptr %count.at
  br label %find.line
find.line:
  ; The number of lines whose code begins at the instruction or before it.
  %n = phi i64 [0, %report], [%n.next, %look.line]
  %is.end = icmp eq i64 %n, %count
  br i1 %is.end, label %found.line, label %look.line
look.line:
  %line = getelementptr [3 x i64], ptr %lines, i64 %n
  %line.begin = load i64, ptr %line
  %line.after = icmp ugt i64 %line.begin, %pc
  %n.next = add i64 %n, 1
  br i1 %line.after, label %found.line, label %find.line
found.line:
  %no.line = icmp eq i64 %n, 0
  br i1 %no.line, label %reason.text, label %name.line
name.line:
  %last = sub i64 %n, 1
  %named = getelementptr [3 x i64], ptr %lines, i64 %last
  %name.at = getelementptr i64, ptr %named, i64 1
  %name = load ptr, ptr %name.at
  %name.size.at = getelementptr i64, ptr %named, i64 2
  %name.size = load i64, ptr %name.size.at
  %written.name = call i64 @write(i32 2, ptr %name, i64 %name.size)
  br label %reason.text
reason.text:
  %written1 = call i64 @write(i32 2, ptr %reason, i64 %reason.size)
  %written2 = call i64 @write(i32 2, ptr %rest, i64 %rest.size)
  br label %chain
chain:
  %handler = load ptr, ptr %mine
  %address = ptrtoint ptr %handler to i64
  %flags.at = getelementptr i64, ptr %mine, i64 1
  %flags = load i64, ptr %flags.at
  ; SIG_DFL is 0, SIG_IGN is 1, and SA_SIGINFO is 4.
  %default = icmp ult i64 %address, 2
  br i1 %default, label %die, label %call
die:
  ; The instruction runs again, and ends the process by the same signal.
  %former = call ptr @signal(i32 %signal, ptr null)
  ret void
call:
  %bit = and i64 %flags, 4
  %long = icmp ne i64 %bit, 0
  br i1 %long, label %call.long, label %call.short
call.long:
  call void %handler(i32 %signal, ptr %info, ptr %context)
  ret void
call.short:
  call void %handler(i32 %signal)
  ret void
}
