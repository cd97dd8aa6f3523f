// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// The machine is a preset. Blocks have names if something jumps to them; the delay slots of a jump
// end its block, three of them here.

// CHECK-LABEL: tta.program @count on "minimal"
tta.program @count on "minimal" {
  // CHECK: tta.block @entry {
  tta.block @entry {
    // CHECK-NEXT: tta.instruction {
    // CHECK-NEXT:   tta.move 5 -> RF0.0 bus 0
    // CHECK-NEXT:   tta.move 1 -> ALU0.in2 bus 1 note "stays in the port"
    // CHECK-NEXT: }
    tta.instruction {
      tta.move 5 -> RF0.0 bus 0
      tta.move 1 -> ALU0.in2 bus 1 note "stays in the port"
    }
  }
  // CHECK: tta.block @loop {
  tta.block @loop {
    tta.instruction {
      tta.move RF0.0 -> ALU0.in1t.sub bus 0
    }
    // CHECK: tta.move ALU0.out1 -> RF0.0 bus 2
    tta.instruction {
      tta.move ALU0.out1 -> RF0.0 bus 2
      tta.move ALU0.out1 -> ALU0.in1t.gt bus 0
    }
    tta.instruction {
      tta.move ALU0.out1 -> BOOL0.1 bus 0
    }
    // CHECK: tta.move loop -> gcu.pc.jump bus 0 if BOOL0.1
    // CHECK-NEXT: tta.move 0 -> BOOL0.1 bus 1 if not BOOL0.1
    tta.instruction {
      tta.move loop -> gcu.pc.jump bus 0 if BOOL0.1
      tta.move 0 -> BOOL0.1 bus 1 if not BOOL0.1
    }
    // CHECK: tta.instruction {
    // CHECK-NEXT: }
    tta.instruction {}
    tta.instruction {}
    tta.instruction {}
  }
  // CHECK: tta.block {
  tta.block {
    // CHECK-NEXT: tta.instruction {
    // CHECK-NEXT: }
    tta.instruction {}
  }
}

// -----

// Other numbers of buses are options of the preset.

// CHECK-LABEL: tta.program @wide on "paper buses=30 multipliers=2"
tta.program @wide on "paper buses=30 multipliers=2" {
  tta.block {
    // CHECK: tta.move 4294967295 -> MUL1.in1t.mulhiu bus 29
    tta.instruction {
      tta.move 4294967295 -> MUL1.in1t.mulhiu bus 29
    }
  }
}
