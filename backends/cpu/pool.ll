; The worker pool: threads that share the work-groups of one launch at a time.
;
; A launch cuts its groups into chunks. Whoever is free takes the next chunk: the thread that
; launches always works, too, and can finish alone. It waits for chunks that others took, never
; for a thread that has taken none (it may not even be running). Chunks are taken in the order of
; groups: there are kernels whose groups wait for earlier ones.
;
; %pool, in lines of 128 bytes that do not disturb each other:
;    0  i32 generation   counts jobs; workers sleep on it (futex)
;    4  i32 sleepers     how many do
;  128  i64 next         generation << 32 | next chunk; the low half is all ones between jobs
;  256  i64 done         finished chunks of this job; the launching thread may sleep on it
;  264  i32 waiting      whether it does
;  384  the job, 8 x i64: function, args, scratch, bytes of scratch for each thread, groups,
;                         groups of a chunk, threads that may take part, chunks
;  512  i32 taken        whether a launch has the pool
;  516  i32 stop         workers return when this is not 0
;
; Why a late worker does no harm: it takes a chunk by a compare-and-swap of `next`, which fails
; when a new job has begun since it read the job's fields. They are written only while the low
; half of `next` is all ones, under a generation that was never there before.
;
;  520  i32 workers      how many there are
;
; A launch, 9 x i64: the first seven fields of a job, and then
;   56  ptr pool
;   64  ptr history
;
; A history, of launches of one kernel with one number of groups, 5 x i64:
;    0  nanoseconds   how long one thread needs for all of it, as far as is known
;    8  together      how long the threads needed for all of it, or 0
;   16  apart         how long one thread needed without the others, in the last trial
;   24  left          launches before the next trial
;   32  is.alone      whether it runs without the others
; Launches at the same time write it without waiting for each other.
;
; Threads that change the same cache lines, by atomic operations or as neighbours, wait for each
; other, and may need longer than one of them. So now and then a launch of more groups than threads
; is a trial, of what it does not do otherwise: it runs on the launching thread as long as that promises
; to end before the threads would have, or on all of them. What has won stays for 64 launches for each
; time that the other one took longer, where that is one thread, and else for 256 launches.

declare i64 @syscall(i64, ...)
declare i32 @clock_gettime(i32, ptr)
declare void @llvm.x86.sse2.pause()
declare void @llvm.aarch64.hint(i32)

define internal i64 @now() {
  %time = alloca [2 x i64]
  %status = call i32 @clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %most = mul i64 %seconds, 1000000000
  %all = add i64 %most, %rest
  ret i64 %all
}

; Sleeps while the i32 at %word is %value; may wake without a reason.
define internal void @sleep(ptr %word, i32 %value) noinline {
  %status = call i64 (i64, ...) @syscall(i64 FUTEX, ptr %word, i64 128, i32 %value, ptr null, ptr null, i64 0)
  ret void
}

define internal void @wake(ptr %word, i64 %count) noinline {
  %status = call i64 (i64, ...) @syscall(i64 FUTEX, ptr %word, i64 129, i64 %count, ptr null, ptr null, i64 0)
  ret void
}

; Runs %count chunks from chunk %i on.
define internal void @run(i64 %function, i64 %args, i64 %scratch, i64 %groups, i64 %chunk, i64 %i, i64 %count) {
  %begin = mul i64 %i, %chunk
  %size = mul i64 %count, %chunk
  %full = add i64 %begin, %size
  %end = call i64 @llvm.smin.i64(i64 %full, i64 %groups)
  %code = inttoptr i64 %function to ptr
  call void %code(i64 %args, i64 %scratch, i64 %begin, i64 %end)
  ret void
}
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

; Takes chunks until none is left, and reports them; gives their number.
define internal i64 @work(ptr %pool, i64 %thread) {
entry:
  %next = getelementptr i8, ptr %pool, i64 128
  %job = getelementptr i8, ptr %pool, i64 384
  %args.at = getelementptr i64, ptr %job, i64 1
  %scratch.at = getelementptr i64, ptr %job, i64 2
  %stride.at = getelementptr i64, ptr %job, i64 3
  %groups.at = getelementptr i64, ptr %job, i64 4
  %chunk.at = getelementptr i64, ptr %job, i64 5
  %threads.at = getelementptr i64, ptr %job, i64 6
  %chunks.at = getelementptr i64, ptr %job, i64 7
  br label %look
look:
  %mine = phi i64 [0, %entry], [%mine, %try], [%more, %take]
  %seen = load atomic i64, ptr %next acquire, align 8
  %i = and i64 %seen, 4294967295
  %chunks = load atomic i64, ptr %chunks.at monotonic, align 8
  %threads = load atomic i64, ptr %threads.at monotonic, align 8
  ; Between jobs %i is more than any number of chunks.
  %left = icmp ult i64 %i, %chunks
  %welcome = icmp slt i64 %thread, %threads
  %wanted = and i1 %left, %welcome
  br i1 %wanted, label %try, label %end
try:
  %function = load atomic i64, ptr %job monotonic, align 8
  %args = load atomic i64, ptr %args.at monotonic, align 8
  %scratches = load atomic i64, ptr %scratch.at monotonic, align 8
  %stride = load atomic i64, ptr %stride.at monotonic, align 8
  %groups = load atomic i64, ptr %groups.at monotonic, align 8
  %chunk = load atomic i64, ptr %chunk.at monotonic, align 8
  fence acquire
  ; Half of its share of what is left, so that threads seldom work on neighbours, which may lie on
  ; the same cache lines, and yet end at the same time.
  %rest = sub i64 %chunks, %i
  %shares = mul i64 %threads, 2
  %half = sdiv i64 %rest, %shares
  %count = call i64 @llvm.smax.i64(i64 %half, i64 1)
  %after = add i64 %seen, %count
  %swap = cmpxchg ptr %next, i64 %seen, i64 %after seq_cst monotonic
  %taken = extractvalue {i64, i1} %swap, 1
  br i1 %taken, label %take, label %look
take:
  %offset = mul i64 %stride, %thread
  %scratch = add i64 %scratches, %offset
  call void @run(i64 %function, i64 %args, i64 %scratch, i64 %groups, i64 %chunk, i64 %i, i64 %count)
  %more = add i64 %mine, %count
  br label %look
end:
  %none = icmp eq i64 %mine, 0
  br i1 %none, label %out, label %report
report:
  ; Until this is said the job is not over, and its number of chunks, read while it ran, holds.
  %done = getelementptr i8, ptr %pool, i64 256
  %total = load atomic i64, ptr %chunks.at monotonic, align 8
  %before = atomicrmw add ptr %done, i64 %mine seq_cst
  %reported = add i64 %before, %mine
  %last = icmp eq i64 %reported, %total
  br i1 %last, label %ask, label %out
ask:
  %waiting.at = getelementptr i8, ptr %pool, i64 264
  %waiting = load atomic i32, ptr %waiting.at seq_cst, align 4
  %sleeps = icmp ne i32 %waiting, 0
  br i1 %sleeps, label %tell, label %out
tell:
  call void @wake(ptr %done, i64 1)
  br label %out
out:
  ret i64 %mine
}

; What worker %thread (from 1) does until it is stopped. After a job it looks out for the next
; one for SPIN_NS, and then sleeps.
define void @polycl_worker(ptr %pool, i64 %thread) {
entry:
  %sleepers = getelementptr i8, ptr %pool, i64 4
  %stop.at = getelementptr i8, ptr %pool, i64 516
  br label %rest
rest:
  %last = phi i32 [0, %entry], [%generation, %job], [%last, %doze]
  %since = call i64 @now()
  br label %look
look:
  %turn = phi i64 [0, %rest], [%turn.next, %pause], [%turn.next, %check]
  %generation = load atomic i32, ptr %pool acquire, align 4
  %stop = load atomic i32, ptr %stop.at acquire, align 4
  %stopped = icmp ne i32 %stop, 0
  br i1 %stopped, label %out, label %compare
compare:
  %new = icmp ne i32 %generation, %last
  br i1 %new, label %job, label %pause
job:
  %mine = call i64 @work(ptr %pool, i64 %thread)
  br label %rest
pause:
  PAUSE
  %turn.next = add i64 %turn, 1
  ; The clock is not asked each time.
  %turns = and i64 %turn.next, 31
  %again = icmp ne i64 %turns, 0
  br i1 %again, label %look, label %check
check:
  %time = call i64 @now()
  %past = sub i64 %time, %since
  %long = icmp sgt i64 %past, SPIN_NS
  br i1 %long, label %doze, label %look
doze:
  %more = atomicrmw add ptr %sleepers, i32 1 seq_cst
  call void @sleep(ptr %pool, i32 %last)
  %less = atomicrmw sub ptr %sleepers, i32 1 seq_cst
  br label %rest
out:
  ret void
}

define void @polycl_stop(ptr %pool) {
  %stop = getelementptr i8, ptr %pool, i64 516
  store atomic i32 1, ptr %stop seq_cst, align 4
  %old = atomicrmw add ptr %pool, i32 1 seq_cst
  call void @wake(ptr %pool, i64 2147483647)
  ret void
}

; Runs the launch at %launch and returns when all its groups are done. What takes less than SHORT_NS
; is not worth sharing: it runs here, until it turns out to take longer. The same goes while
; another launch has the pool.
define void @polycl_launch(ptr %launch) {
entry:
  %pool.at = getelementptr i64, ptr %launch, i64 7
  %history.at = getelementptr i64, ptr %launch, i64 8
  %history = load ptr, ptr %history.at
  %pool = load ptr, ptr %pool.at
  %args.at = getelementptr i64, ptr %launch, i64 1
  %scratch.at = getelementptr i64, ptr %launch, i64 2
  %groups.at = getelementptr i64, ptr %launch, i64 4
  %chunk.at = getelementptr i64, ptr %launch, i64 5
  %threads.at = getelementptr i64, ptr %launch, i64 6
  %taken.at = getelementptr i8, ptr %pool, i64 512
  %function = load i64, ptr %launch
  %args = load i64, ptr %args.at
  %scratch = load i64, ptr %scratch.at
  %groups = load i64, ptr %groups.at
  %chunk = load i64, ptr %chunk.at
  %threads = load i64, ptr %threads.at
  %expected = load i64, ptr %history
  %up = add i64 %groups, %chunk
  %up1 = sub i64 %up, 1
  %chunks = sdiv i64 %up1, %chunk
  %quick = icmp slt i64 %expected, SHORT_NS
  %together.at = getelementptr i64, ptr %history, i64 1
  %apart.at = getelementptr i64, ptr %history, i64 2
  %is.alone.at = getelementptr i64, ptr %history, i64 4
  %together = load i64, ptr %together.at
  %is.alone = load i64, ptr %is.alone.at
  %is.trial = call i1 @is_trial(ptr %history, i64 %groups, i64 %threads, i1 %quick)
  %trial = zext i1 %is.trial to i64
  %tries.alone = xor i64 %is.alone, %trial
  %tries = icmp ne i64 %tries.alone, 0
  %may.take = select i1 %tries, i64 %together, i64 0
  %allowed = select i1 %quick, i64 SHORT_NS, i64 %may.take
  %begin = call i64 @now()
  br label %next
next:
  %i = phi i64 [0, %entry], [%i.next, %alone]
  %now = phi i64 [%begin, %entry], [%now.next, %alone]
  %past = sub i64 %now, %begin
  %left = icmp slt i64 %i, %chunks
  br i1 %left, label %choose, label %finished
choose:
  ; As long as the time for all chunks, by that of the first ones, is allowed; one chunk may take
  ; twice as long as others.
  %promised = mul i64 %past, %chunks
  %i.next = add i64 %i, 1
  %chunks.allowed = mul i64 %allowed, %i.next
  %still = icmp slt i64 %promised, %chunks.allowed
  br i1 %still, label %alone, label %grab
grab:
  %swap = cmpxchg ptr %taken.at, i32 0, i32 1 seq_cst monotonic
  %got = extractvalue {i32, i1} %swap, 1
  br i1 %got, label %share, label %alone
alone:
  call void @run(i64 %function, i64 %args, i64 %scratch, i64 %groups, i64 %chunk, i64 %i, i64 1)
  %now.next = call i64 @now()
  br label %next
finished:
  store i64 %past, ptr %history
  br i1 %tries, label %compare, label %end
compare:
  %apart.before = load i64, ptr %apart.at
  %apart.now = call i64 @followed(i64 %apart.before, i64 %past)
  %apart.new = select i1 %is.trial, i64 %past, i64 %apart.now
  store i64 %apart.new, ptr %apart.at
  %wins = call i1 @is_much_less(i64 %apart.new, i64 %together)
  %loses = xor i1 %wins, true
  %changes = or i1 %is.trial, %loses
  br i1 %changes, label %conclude, label %end
conclude:
  call void @decide(ptr %history, i1 %wins)
  br label %end
end:
  ret void

share:
  %next.at = getelementptr i8, ptr %pool, i64 128
  %done.at = getelementptr i8, ptr %pool, i64 256
  %waiting.at = getelementptr i8, ptr %pool, i64 264
  %job = getelementptr i8, ptr %pool, i64 384
  %job.chunks.at = getelementptr i64, ptr %job, i64 7
  %old = load atomic i32, ptr %pool monotonic, align 4
  %generation = add i32 %old, 1
  %wide = zext i32 %generation to i64
  %high = shl i64 %wide, 32
  %closed = or i64 %high, 4294967295
  store atomic i64 %closed, ptr %next.at seq_cst, align 8
  fence seq_cst
  br label %copy
copy:
  %field = phi i64 [0, %share], [%field.next, %copy]
  %from = getelementptr i64, ptr %launch, i64 %field
  %to = getelementptr i64, ptr %job, i64 %field
  %value = load i64, ptr %from
  store atomic i64 %value, ptr %to monotonic, align 8
  %field.next = add i64 %field, 1
  %copied = icmp eq i64 %field.next, 7
  br i1 %copied, label %open, label %copy
open:
  store atomic i64 %chunks, ptr %job.chunks.at monotonic, align 8
  store atomic i64 %i, ptr %done.at monotonic, align 8
  store atomic i32 0, ptr %waiting.at monotonic, align 4
  %ready = or i64 %high, %i
  store atomic i64 %ready, ptr %next.at seq_cst, align 8
  store atomic i32 %generation, ptr %pool seq_cst, align 4
  %sleepers.at = getelementptr i8, ptr %pool, i64 4
  %sleepers = load atomic i32, ptr %sleepers.at seq_cst, align 4
  %asleep = icmp ne i32 %sleepers, 0
  br i1 %asleep, label %rouse, label %join
rouse:
  ; As many as there is work for; all, where some of them are not welcome in this job.
  %open.chunks = sub i64 %chunks, %i
  %useful = sub i64 %open.chunks, 1
  %others = sub i64 %threads, 1
  %workers.at = getelementptr i8, ptr %pool, i64 520
  %workers = load atomic i32, ptr %workers.at monotonic, align 4
  %workers.wide = sext i32 %workers to i64
  %any = icmp sge i64 %others, %workers.wide
  %count = select i1 %any, i64 %useful, i64 2147483647
  call void @wake(ptr %pool, i64 %count)
  br label %join
join:
  %working = call i64 @now()
  %mine = call i64 @work(ptr %pool, i64 0)
  %worked = call i64 @now()
  %idle = icmp eq i64 %mine, 0
  br i1 %idle, label %wait, label %learn
learn:
  %busy = sub i64 %worked, %working
  %rate = sdiv i64 %busy, %mine
  %estimate = mul i64 %rate, %chunks
  store i64 %estimate, ptr %history
  br label %wait
wait:
  %turn = phi i64 [0, %join], [0, %learn], [%turn.next, %spin], [%turn, %doze.check], [%turn, %doze]
  %done = load atomic i64, ptr %done.at seq_cst, align 8
  %over = icmp eq i64 %done, %chunks
  br i1 %over, label %leave, label %patience
patience:
  %patient = icmp slt i64 %turn, 1000
  br i1 %patient, label %spin, label %doze.check
spin:
  PAUSE
  %turn.next = add i64 %turn, 1
  br label %wait
doze.check:
  store atomic i32 1, ptr %waiting.at seq_cst, align 4
  %done.again = load atomic i64, ptr %done.at seq_cst, align 8
  %over.now = icmp eq i64 %done.again, %chunks
  br i1 %over.now, label %wait, label %doze
doze:
  ; Little-endian: the low half of `done` is at its address.
  %done.low = trunc i64 %done.again to i32
  call void @sleep(ptr %done.at, i32 %done.low)
  br label %wait
leave:
  store atomic i32 0, ptr %taken.at seq_cst, align 4
  %ended = call i64 @now()
  %wall = sub i64 %ended, %begin
  %whole = icmp eq i64 %i, 0
  br i1 %whole, label %remember, label %return.to.all
remember:
  %all.time = call i64 @followed(i64 %together, i64 %wall)
  store i64 %all.time, ptr %together.at
  %apart = load i64, ptr %apart.at
  %alone.is.faster = call i1 @is_much_less(i64 %apart, i64 %wall)
  br i1 %is.trial, label %settle, label %end
return.to.all:
  br i1 %tries, label %settle, label %end
settle:
  %stays.alone = phi i1 [%alone.is.faster, %remember], [false, %return.to.all]
  call void @decide(ptr %history, i1 %stays.alone)
  br label %end
}

; What a launch takes that has taken %now, after one that took %before (0: there was none). An
; interruption makes it longer, and so does a change of data.
define internal i64 @followed(i64 %before, i64 %now) {
  %quarter = ashr i64 %before, 2
  %grown = add i64 %before, %quarter
  %least = call i64 @llvm.smin.i64(i64 %now, i64 %grown)
  %unknown = icmp eq i64 %before, 0
  %time = select i1 %unknown, i64 %now, i64 %least
  ret i64 %time
}

; Whether one thread is faster by a fifth: what takes about as long stays on all, which may have
; been asleep at the trial.
define internal i1 @is_much_less(i64 %apart, i64 %together) {
  %quarter = ashr i64 %apart, 2
  %more = add i64 %apart, %quarter
  %less = icmp slt i64 %more, %together
  ret i1 %less
}

; Whether this launch is a trial, and counts it. The first ones are none: until memory and caches are
; used, all takes longer.
define internal i1 @is_trial(ptr %history, i64 %groups, i64 %threads, i1 %quick) {
entry:
  %together.at = getelementptr i64, ptr %history, i64 1
  %together = load i64, ptr %together.at
  %many = icmp sgt i64 %groups, %threads
  %known = icmp ne i64 %together, 0
  %may = and i1 %many, %known
  %slow = xor i1 %quick, true
  %counts = and i1 %may, %slow
  br i1 %counts, label %count, label %no
count:
  %left.at = getelementptr i64, ptr %history, i64 3
  %left = load i64, ptr %left.at
  %less = sub i64 %left, 1
  store i64 %less, ptr %left.at
  %due = icmp slt i64 %left, 1
  ret i1 %due
no:
  ret i1 false
}

; Sets where the next launches run.
define internal void @decide(ptr %history, i1 %alone) {
  %together.at = getelementptr i64, ptr %history, i64 1
  %apart.at = getelementptr i64, ptr %history, i64 2
  %left.at = getelementptr i64, ptr %history, i64 3
  %is.alone.at = getelementptr i64, ptr %history, i64 4
  %wide = zext i1 %alone to i64
  store i64 %wide, ptr %is.alone.at
  %together = load i64, ptr %together.at
  %apart = load i64, ptr %apart.at
  %some = call i64 @llvm.smax.i64(i64 %apart, i64 1)
  %ratio = sdiv i64 %together, %some
  %most = call i64 @llvm.smin.i64(i64 %ratio, i64 64)
  %least = call i64 @llvm.smax.i64(i64 %most, i64 1)
  %stay = mul i64 %least, 64
  %left = select i1 %alone, i64 %stay, i64 256
  store i64 %left, ptr %left.at
  ret void
}
