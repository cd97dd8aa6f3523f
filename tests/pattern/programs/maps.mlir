// Maps at each level of the thread hierarchy; sizes that fit the NDRange and sizes that do not.

func.func @global(%x : !pattern.array<1000, f32>) -> !pattern.array<1000, f32> {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<1000, f32>
  func.return %y : !pattern.array<1000, f32>
}

// A prime number of elements: the last group has work-items without work.
func.func @global_prime(%x : !pattern.array<509, f32>) -> !pattern.array<509, f32> {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.mulf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<509, f32>
  func.return %y : !pattern.array<509, f32>
}

func.func @global_2d(%x : !pattern.array<12, 40, f32>, %a : f32) -> !pattern.array<40, 12, f32> {
  %t = pattern.transpose %x : !pattern.array<40, 12, f32>
  %y = pattern.map_global %t as %r : !pattern.array<12, f32> {
    %z = pattern.map_global %r as %e : f32 dim 1 {
      %s = arith.mulf %e, %a : f32
      pattern.yield %s : f32
    } : !pattern.array<12, f32>
    pattern.yield %z : !pattern.array<12, f32>
  } : !pattern.array<40, 12, f32>
  func.return %y : !pattern.array<40, 12, f32>
}

func.func @groups(%x : !pattern.array<96, f32>) -> !pattern.array<96, f32> {
  %c = pattern.split %x by 32 : !pattern.array<3, 32, f32>
  %g = pattern.map_workgroup %c as %r : !pattern.array<32, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.subf %e, %e : f32
      %t = arith.addf %s, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<32, f32>
    pattern.yield %l : !pattern.array<32, f32>
  } : !pattern.array<3, 32, f32>
  %y = pattern.join %g : !pattern.array<96, f32>
  func.return %y : !pattern.array<96, f32>
}

// More elements than a group has work-items: each has a loop of strides.
func.func @strides(%x : !pattern.array<2, 1024, f32>) -> !pattern.array<2, 1024, f32> {
  %g = pattern.map_workgroup %x as %r : !pattern.array<1024, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<1024, f32>
    pattern.yield %l : !pattern.array<1024, f32>
  } : !pattern.array<2, 1024, f32>
  func.return %g : !pattern.array<2, 1024, f32>
}

// 263 elements for 256 work-items: the last round is not for all of them.
func.func @strides_prime(%x : !pattern.array<2, 263, f32>) -> !pattern.array<2, 263, f32> {
  %g = pattern.map_workgroup %x as %r : !pattern.array<263, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<263, f32>
    pattern.yield %l : !pattern.array<263, f32>
  } : !pattern.array<2, 263, f32>
  func.return %g : !pattern.array<2, 263, f32>
}

func.func @sequential(%x : !pattern.array<4, 8, f32>) -> !pattern.array<4, 8, f32> {
  %g = pattern.map_global %x as %r : !pattern.array<8, f32> {
    %l = pattern.map_seq %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<8, f32>
    %u = pattern.map_seq %l as %e : f32 unroll {
      %s = arith.mulf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<8, f32>
    pattern.yield %u : !pattern.array<8, f32>
  } : !pattern.array<4, 8, f32>
  func.return %g : !pattern.array<4, 8, f32>
}

// Tuples in and out: each part has memory of its own.
func.func @tuples(%x : !pattern.array<64, tuple<f32, i32>>) -> !pattern.array<64, tuple<i32, f32>> {
  %y = pattern.map_global %x as (%a : f32, %b : i32) {
    %c = arith.addf %a, %a : f32
    %d = arith.addi %b, %b : i32
    pattern.yield %d, %c : i32, f32
  } : !pattern.array<64, tuple<i32, f32>>
  func.return %y : !pattern.array<64, tuple<i32, f32>>
}

func.func @unzipped(%x : !pattern.array<64, tuple<f32, f32>>) -> (!pattern.array<64, f32>, !pattern.array<64, f32>) {
  %p, %q = pattern.unzip %x : !pattern.array<64, f32>, !pattern.array<64, f32>
  %y = pattern.map_global %p as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<64, f32>
  func.return %y, %q : !pattern.array<64, f32>, !pattern.array<64, f32>
}

// A condition in a function, and a value from outside of it.
func.func @branches(%x : !pattern.array<64, f32>, %a : f32) -> !pattern.array<64, f32> {
  %two = arith.constant 2.0 : f32
  %b = arith.mulf %a, %two : f32
  %y = pattern.map_global %x as %e : f32 {
    %c = arith.cmpf olt, %e, %b : f32
    %s = scf.if %c -> (f32) {
      %t = arith.subf %b, %e : f32
      scf.yield %t : f32
    } else {
      scf.yield %e : f32
    }
    pattern.yield %s : f32
  } : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}
