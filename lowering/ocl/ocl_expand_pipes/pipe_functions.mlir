builtin.module {
  func.func private @now(%number: !ocl.ptr<i64, global>) -> i64 attributes {ocl.unsigned = ["number", "result"]} {
    %c0_i64 = arith.constant 0 : i64
    %result = ocl.atomic_rmw or %number, %c0_i64 : !ocl.ptr<i64, global>
    func.return %result : i64
  }
  func.func private @reserve(%h: !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>, %next: !ocl.ptr<i64, global>, %end: !ocl.ptr<i64, global>, %space: i32, %count: i32) -> i64 attributes {ocl.unsigned = ["count", "end", "first", "h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "next", "space"]} {
    %false = arith.constant false
    %0 = ub.poison : i64
    %result, %return = scf.while (%result_1 = %0, %return_1 = %false) : (i64, i1) -> (i64, i1) {
      %true = arith.constant true
      %1 = arith.xori %return_1, %true : i1
      scf.condition(%1) %result_1, %return_1 : i64, i1
    } do {
    ^bb0(%result_2: i64, %return_2: i1):
      %first = func.call @now(%next) : (!ocl.ptr<i64, global>) -> i64
      %c0_i32 = arith.constant 0 : i32
      %2 = arith.cmpi eq, %count, %c0_i32 : i32
      %3 = scf.if %2 -> (i1) {
        %true_1 = arith.constant true
        scf.yield %true_1 : i1
      } else {
        %4 = arith.extui %count : i32 to i64
        %5 = arith.addi %first, %4 : i64
        %6 = func.call @now(%end) : (!ocl.ptr<i64, global>) -> i64
        %7 = arith.extui %space : i32 to i64
        %8 = arith.addi %6, %7 : i64
        %9 = arith.cmpi ugt, %5, %8 : i64
        scf.yield %9 : i1
      }
      %result_3, %return_3 = scf.if %3 -> (i64, i1) {
        %cm1_i64 = arith.constant -1 : i64
        %true_2 = arith.constant true
        scf.yield %cm1_i64, %true_2 : i64, i1
      } else {
        %10 = arith.extui %count : i32 to i64
        %11 = arith.addi %first, %10 : i64
        %12 = ocl.atomic_cmpxchg %next, %first, %11 : !ocl.ptr<i64, global>
        %13 = arith.cmpi eq, %12, %first : i64
        %result_4, %return_4 = scf.if %13 -> (i64, i1) {
          %14 = ocl.cast %h : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> to !ocl.ptr<i8, global>
          %15 = ocl.member %h["counts"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
          %16 = ocl.load %15 : !ocl.ptr<i64, global>
          %17 = arith.index_cast %16 : i64 to index
          %18 = ocl.offset %14[%17] : !ocl.ptr<i8, global>
          %19 = ocl.cast %18 : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
          %20 = ocl.member %h["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
          %21 = ocl.load %20 : !ocl.ptr<i32, global>
          %22 = arith.extui %21 : i32 to i64
          %23 = arith.remui %first, %22 : i64
          %24 = arith.index_cast %23 : i64 to index
          ocl.store %count, %19[%24] : !ocl.ptr<i32, global>
          %result_5 = ocl.bitcast %first : i64 to i64
          %true_3 = arith.constant true
          scf.yield %result_5, %true_3 : i64, i1
        } else {
          scf.yield %result_2, %return_2 : i64, i1
        }
        scf.yield %result_4, %return_4 : i64, i1
      }
      scf.yield %result_3, %return_3 : i64, i1
    }
    func.return %result : i64
  }
  func.func private @reserve_read(%memory: !ocl.ptr<i8, global>, %count: i32) -> i64 attributes {ocl.unsigned = ["count", "h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "memory"]} {
    %h = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %0 = ocl.member %h["reserved_for_reading"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %1 = ocl.member %h["written"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %c0_i32 = arith.constant 0 : i32
    %result = func.call @reserve(%h, %0, %1, %c0_i32, %count) : (!ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>, !ocl.ptr<i64, global>, !ocl.ptr<i64, global>, i32, i32) -> i64
    func.return %result : i64
  }
  func.func private @reserve_write(%memory: !ocl.ptr<i8, global>, %count: i32) -> i64 attributes {ocl.unsigned = ["count", "h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "memory"]} {
    %h = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %0 = ocl.member %h["reserved_for_writing"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %1 = ocl.member %h["read"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %2 = ocl.member %h["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
    %3 = ocl.load %2 : !ocl.ptr<i32, global>
    %result = func.call @reserve(%h, %0, %1, %3, %count) : (!ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>, !ocl.ptr<i64, global>, !ocl.ptr<i64, global>, i32, i32) -> i64
    func.return %result : i64
  }
  func.func private @packet(%memory: !ocl.ptr<i8, global>, %reservation: i64, %index: i32) -> !ocl.ptr<i8, global> attributes {ocl.unsigned = ["h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "index", "memory", "place", "result"]} {
    %h = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %0 = arith.extui %index : i32 to i64
    %1 = arith.addi %reservation, %0 : i64
    %2 = ocl.member %h["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
    %3 = ocl.load %2 : !ocl.ptr<i32, global>
    %4 = arith.extui %3 : i32 to i64
    %place = arith.remui %1, %4 : i64
    %5 = ocl.member %h["first_packet"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %6 = ocl.load %5 : !ocl.ptr<i64, global>
    %7 = ocl.member %h["packet_bytes"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
    %8 = ocl.load %7 : !ocl.ptr<i32, global>
    %9 = arith.extui %8 : i32 to i64
    %10 = arith.muli %place, %9 : i64
    %11 = arith.addi %6, %10 : i64
    %12 = arith.index_cast %11 : i64 to index
    %result = ocl.offset %memory[%12] : !ocl.ptr<i8, global>
    func.return %result : !ocl.ptr<i8, global>
  }
  func.func private @commit(%h: !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>, %end: !ocl.ptr<i64, global>, %mark: i32, %reservation: i64) attributes {ocl.unsigned = ["at", "count", "counts", "end", "first", "h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "i", "mark", "marks"]} {
    %c0_i64 = arith.constant 0 : i64
    %0 = arith.cmpi sge, %reservation, %c0_i64 : i64
    scf.if %0 {
      %1 = ocl.cast %h : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> to !ocl.ptr<i8, global>
      %2 = ocl.member %h["marks"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
      %3 = ocl.load %2 : !ocl.ptr<i64, global>
      %4 = arith.index_cast %3 : i64 to index
      %5 = ocl.offset %1[%4] : !ocl.ptr<i8, global>
      %marks = ocl.cast %5 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
      %6 = ocl.cast %h : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> to !ocl.ptr<i8, global>
      %7 = ocl.member %h["counts"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
      %8 = ocl.load %7 : !ocl.ptr<i64, global>
      %9 = arith.index_cast %8 : i64 to index
      %10 = ocl.offset %6[%9] : !ocl.ptr<i8, global>
      %counts = ocl.cast %10 : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
      %11 = ocl.member %h["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
      %12 = ocl.load %11 : !ocl.ptr<i32, global>
      %13 = arith.extui %12 : i32 to i64
      %14 = arith.remui %reservation, %13 : i64
      %15 = arith.index_cast %14 : i64 to index
      %count = ocl.load %counts[%15] : !ocl.ptr<i32, global>
      ocl.fence acq_rel global
      %c0 = arith.constant 0 : index
      %16 = arith.extui %count : i32 to i64
      %17 = arith.index_cast %16 : i64 to index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %17 step %c1 {
        %18 = arith.index_cast %i : index to i64
        %19 = arith.addi %reservation, %18 : i64
        %20 = ocl.member %h["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
        %21 = ocl.load %20 : !ocl.ptr<i32, global>
        %22 = arith.extui %21 : i32 to i64
        %23 = arith.remui %19, %22 : i64
        %24 = arith.index_cast %23 : i64 to index
        %25 = ocl.offset %marks[%24] : !ocl.ptr<i64, global>
        %c2_i64 = arith.constant 2 : i64
        %26 = arith.index_cast %i : index to i64
        %27 = arith.addi %reservation, %26 : i64
        %28 = arith.muli %c2_i64, %27 : i64
        %29 = arith.extui %mark : i32 to i64
        %30 = arith.addi %28, %29 : i64
        %31 = ocl.atomic_rmw xchg %25, %30 : !ocl.ptr<i64, global>
      }
      ocl.fence acq_rel global
      %at = func.call @now(%end) : (!ocl.ptr<i64, global>) -> i64
      %at_1 = scf.while (%at_2 = %at) : (i64) -> i64 {
        %32 = ocl.member %h["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
        %33 = ocl.load %32 : !ocl.ptr<i32, global>
        %34 = arith.extui %33 : i32 to i64
        %35 = arith.remui %at_2, %34 : i64
        %36 = arith.index_cast %35 : i64 to index
        %37 = ocl.offset %marks[%36] : !ocl.ptr<i64, global>
        %38 = func.call @now(%37) : (!ocl.ptr<i64, global>) -> i64
        %c2_i64_1 = arith.constant 2 : i64
        %39 = arith.muli %c2_i64_1, %at_2 : i64
        %40 = arith.extui %mark : i32 to i64
        %41 = arith.addi %39, %40 : i64
        %42 = arith.cmpi eq, %38, %41 : i64
        scf.condition(%42) %at_2 : i64
      } do {
      ^bb0(%at_3: i64):
        %c1_i64 = arith.constant 1 : i64
        %43 = arith.addi %at_3, %c1_i64 : i64
        %44 = ocl.atomic_cmpxchg %end, %at_3, %43 : !ocl.ptr<i64, global>
        %at_4 = func.call @now(%end) : (!ocl.ptr<i64, global>) -> i64
        scf.yield %at_4 : i64
      }
    }
    func.return
  }
  func.func private @commit_read(%memory: !ocl.ptr<i8, global>, %reservation: i64) attributes {ocl.unsigned = ["h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "memory"]} {
    %h = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %0 = ocl.member %h["read"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %c2_i32 = arith.constant 2 : i32
    func.call @commit(%h, %0, %c2_i32, %reservation) : (!ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>, !ocl.ptr<i64, global>, i32, i64) -> ()
    func.return
  }
  func.func private @commit_write(%memory: !ocl.ptr<i8, global>, %reservation: i64) attributes {ocl.unsigned = ["h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "memory"]} {
    %h = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %0 = ocl.member %h["written"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %c1_i32 = arith.constant 1 : i32
    func.call @commit(%h, %0, %c1_i32, %reservation) : (!ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>, !ocl.ptr<i64, global>, i32, i64) -> ()
    func.return
  }
  func.func private @num_packets(%memory: !ocl.ptr<i8, global>) -> i32 attributes {ocl.unsigned = ["h.capacity", "h.counts", "h.first_packet", "h.marks", "h.packet_bytes", "h.read", "h.reserved_for_reading", "h.reserved_for_writing", "h.written", "memory"]} {
    %h = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %0 = ocl.member %h["written"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %1 = func.call @now(%0) : (!ocl.ptr<i64, global>) -> i64
    %2 = ocl.member %h["reserved_for_reading"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i64, global>
    %3 = func.call @now(%2) : (!ocl.ptr<i64, global>) -> i64
    %4 = arith.subi %1, %3 : i64
    %result = arith.trunci %4 : i64 to i32
    func.return %result : i32
  }
  func.func private @max_packets(%memory: !ocl.ptr<i8, global>) -> i32 attributes {ocl.unsigned = ["memory"]} {
    %0 = ocl.cast %memory : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global>
    %1 = ocl.member %0["capacity"] : !ocl.ptr<!ocl.struct<"Header", {reserved_for_writing: i64, written: i64, reserved_for_reading: i64, read: i64, packet_bytes: i32, capacity: i32, first_packet: i64, marks: i64, counts: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = arith.extui %2 : i32 to i64
    %result = arith.trunci %3 : i64 to i32
    func.return %result : i32
  }
}

