; Which of two forms of a region runs: vectors (the first) or one work-item after the other.
;
; The first 64 executions are of the first form, or fewer where a call of the kernel has taken a million
; cycles since its first one: what takes long may learn early. Then there is a trial of 12 executions, which runs
; the forms in turns (1 2 2 1 1 2 2 1 ...) and counts the processor's cycles of each. The second form
; is taken if it needed less, and was faster in at least three of the last five pairs: one execution
; may have been interrupted, and counts as at most four of the shortest one of its form. The first pair
; does not count. It runs on for 160 executions for each time
; that the other form took longer (at most 256), then there is the next trial: data may have changed.
; Trials cost less than 4 % so, as a trial ends when two executions of the second form both took four
; times as long as one of the first.
;
; %shared, which all threads read and write without waiting for each other (a lost number only makes a
; trial longer or shorter), is 10 x i64:
;    0 left     executions before the next trial
;    1 turn     executions of this trial
;    2 second   whether the second form is the faster one
;    3 cycles   of each form in this trial
;    5 last     cycles of the last execution of each form
;    7 votes    pairs in which the second form was faster
;    8 least    cycles of the shortest execution of each form in this trial, or 0
;
; %own, of one call of the kernel, is 6 x i64, zero at its begin:
;    0 left     executions before %shared is read again
;    1 taken    executions that were taken from %shared at once, the last time
;    2 second   whether the second form runs
;    3 start    when it started, in a trial; else 0
;    4 turn     of the trial
;    5 begin    when it first read %shared, else 0

declare i64 @llvm.readcyclecounter()
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)

define internal i1 @polycl_choose(ptr %shared, ptr %own) alwaysinline nounwind {
  %left = load i64, ptr %own
  %same = icmp sgt i64 %left, 0
  br i1 %same, label %go, label %ask, !prof !{!"branch_weights", i32 64, i32 1}
go:
  %less = sub i64 %left, 1
  store i64 %less, ptr %own
  br label %end
ask:
  call void @polycl_ask(ptr %shared, ptr %own)
  br label %end
end:
  %second.at = getelementptr i64, ptr %own, i64 2
  %second = load i64, ptr %second.at
  %first = icmp eq i64 %second, 0
  ret i1 %first
}

define internal void @polycl_chosen(ptr %shared, ptr %own) alwaysinline nounwind {
  %start.at = getelementptr i64, ptr %own, i64 3
  %start = load i64, ptr %start.at
  %trial = icmp ne i64 %start, 0
  br i1 %trial, label %learn, label %end, !prof !{!"branch_weights", i32 1, i32 64}
learn:
  call void @polycl_learn(ptr %shared, ptr %own)
  br label %end
end:
  ret void
}

; Takes executions: one, three, seven, ... up to 63, so that threads seldom meet and little is left
; when the call ends; or one of a trial.
define internal void @polycl_ask(ptr %shared, ptr %own) noinline nounwind {
  %taken.at = getelementptr i64, ptr %own, i64 1
  %second.at = getelementptr i64, ptr %own, i64 2
  %start.at = getelementptr i64, ptr %own, i64 3
  %left = load atomic i64, ptr %shared monotonic, align 8
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %wait, label %trial
wait:
  %begin.at = getelementptr i64, ptr %own, i64 5
  %begun = load i64, ptr %begin.at
  %clock = call i64 @llvm.readcyclecounter()
  %odd.clock = or i64 %clock, 1
  %is.begin = icmp eq i64 %begun, 0
  %begin = select i1 %is.begin, i64 %odd.clock, i64 %begun
  store i64 %begin, ptr %begin.at
  %passed = sub i64 %odd.clock, %begin
  %long = icmp ugt i64 %passed, 1000000
  %last.at = getelementptr i64, ptr %shared, i64 5
  %last = load atomic i64, ptr %last.at monotonic, align 8
  %untried = icmp eq i64 %last, 0
  %early = and i1 %long, %untried
  br i1 %early, label %hurry, label %take
hurry:
  store atomic i64 0, ptr %shared monotonic, align 8
  br label %trial
take:
  %taken = load i64, ptr %taken.at
  %twice = shl i64 %taken, 1
  %next = or i64 %twice, 1
  %take.now = call i64 @llvm.umin.i64(i64 %next, i64 63)
  store i64 %take.now, ptr %taken.at
  %before = atomicrmw sub ptr %shared, i64 %take.now monotonic
  %rest = sub i64 %take.now, 1
  store i64 %rest, ptr %own
  %best.at = getelementptr i64, ptr %shared, i64 2
  %best = load atomic i64, ptr %best.at monotonic, align 8
  store i64 %best, ptr %second.at
  ret void
trial:
  %turn.at = getelementptr i64, ptr %shared, i64 1
  %turn = atomicrmw add ptr %turn.at, i64 1 monotonic
  %own.turn.at = getelementptr i64, ptr %own, i64 4
  store i64 %turn, ptr %own.turn.at
  %turn1 = add i64 %turn, 1
  %pair = lshr i64 %turn1, 1
  %second = and i64 %pair, 1
  store i64 %second, ptr %second.at
  %now = call i64 @llvm.readcyclecounter()
  %start = or i64 %now, 1
  store i64 %start, ptr %start.at
  ret void
}

define internal void @polycl_learn(ptr %shared, ptr %own) noinline nounwind {
  %now = call i64 @llvm.readcyclecounter()
  %second.at = getelementptr i64, ptr %own, i64 2
  %start.at = getelementptr i64, ptr %own, i64 3
  %turn.at = getelementptr i64, ptr %own, i64 4
  %second = load i64, ptr %second.at
  %start = load i64, ptr %start.at
  %turn = load i64, ptr %turn.at
  store i64 0, ptr %start.at
  %cycles = sub i64 %now, %start
  %last.at = getelementptr i64, ptr %shared, i64 5
  %mine.at = getelementptr i64, ptr %last.at, i64 %second
  store atomic i64 %cycles, ptr %mine.at monotonic, align 8
  %first.last = load atomic i64, ptr %last.at monotonic, align 8
  %leasts.at = getelementptr i64, ptr %shared, i64 8
  %least.at = getelementptr i64, ptr %leasts.at, i64 %second
  %before = load atomic i64, ptr %least.at monotonic, align 8
  %none = icmp eq i64 %before, 0
  %shorter = call i64 @llvm.umin.i64(i64 %before, i64 %cycles)
  %least = select i1 %none, i64 %cycles, i64 %shorter
  store atomic i64 %least, ptr %least.at monotonic, align 8
  %least.first = load atomic i64, ptr %leasts.at monotonic, align 8
  %some = icmp ne i64 %second, 0
  %again = icmp ugt i64 %turn, 1
  %four = shl i64 %least.first, 2
  %longer = icmp ugt i64 %least, %four
  %repeated = and i1 %some, %again
  ; The first form may not have ended once: another thread runs it.
  %known.first = icmp ne i64 %least.first, 0
  %much.longer = and i1 %longer, %known.first
  %hopeless = and i1 %repeated, %much.longer
  br i1 %hopeless, label %give.up, label %count
give.up:
  %ratio.first = call i64 @llvm.umax.i64(i64 %least.first, i64 1)
  %ratio.now = udiv i64 %least, %ratio.first
  br label %finish
count:
  %counts = icmp ugt i64 %turn, 1
  br i1 %counts, label %add, label %end
add:
  %sums.at = getelementptr i64, ptr %shared, i64 3
  %sum.at = getelementptr i64, ptr %sums.at, i64 %second
  %most.counted = shl i64 %least, 2
  %counted = call i64 @llvm.umin.i64(i64 %cycles, i64 %most.counted)
  %sum = atomicrmw add ptr %sum.at, i64 %counted monotonic
  %odd = trunc i64 %turn to i1
  br i1 %odd, label %vote, label %end
vote:
  %votes.at = getelementptr i64, ptr %shared, i64 7
  %second.last.at = getelementptr i64, ptr %shared, i64 6
  %second.last = load atomic i64, ptr %second.last.at monotonic, align 8
  %faster = icmp ult i64 %second.last, %first.last
  %one = zext i1 %faster to i64
  %votes = atomicrmw add ptr %votes.at, i64 %one monotonic
  %over = icmp eq i64 %turn, 11
  br i1 %over, label %decide, label %end
decide:
  %total = add i64 %votes, %one
  %a = load atomic i64, ptr %sums.at monotonic, align 8
  %b.at = getelementptr i64, ptr %shared, i64 4
  %b = load atomic i64, ptr %b.at monotonic, align 8
  %most = icmp uge i64 %total, 3
  %less = icmp ult i64 %b, %a
  %wins = and i1 %most, %less
  %low = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  %high = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %some.low = call i64 @llvm.umax.i64(i64 %low, i64 1)
  %ratio.sums = udiv i64 %high, %some.low
  br label %finish
finish:
  %best = phi i1 [false, %give.up], [%wins, %decide]
  %ratio = phi i64 [%ratio.now, %give.up], [%ratio.sums, %decide]
  %best.at = getelementptr i64, ptr %shared, i64 2
  %wide = zext i1 %best to i64
  store atomic i64 %wide, ptr %best.at monotonic, align 8
  %cycles.at = getelementptr i64, ptr %shared, i64 3
  store atomic i64 0, ptr %cycles.at monotonic, align 8
  %cycles.second.at = getelementptr i64, ptr %shared, i64 4
  store atomic i64 0, ptr %cycles.second.at monotonic, align 8
  store atomic i64 0, ptr %leasts.at monotonic, align 8
  %least.second.at = getelementptr i64, ptr %shared, i64 9
  store atomic i64 0, ptr %least.second.at monotonic, align 8
  %count.at = getelementptr i64, ptr %shared, i64 7
  store atomic i64 0, ptr %count.at monotonic, align 8
  %turns.at = getelementptr i64, ptr %shared, i64 1
  store atomic i64 0, ptr %turns.at monotonic, align 8
  %times.longer = call i64 @llvm.umin.i64(i64 %ratio, i64 256)
  %left = mul i64 %times.longer, 160
  store atomic i64 %left, ptr %shared monotonic, align 8
  br label %end
end:
  ret void
}
