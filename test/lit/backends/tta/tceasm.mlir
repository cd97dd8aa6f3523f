// RUN: ocl-opt %s -t tceasm | filecheck %s

// The text for OpenASIP's assembler: a slot for each bus, `...` where nothing travels; the numbers
// of cycles and the notes of moves are comments.

// CHECK:      # count
// CHECK-NEXT: CODE ;
// CHECK-NEXT: {{^$}}
// CHECK-NEXT: loop:
// CHECK-NEXT: RF0.0 -> ALU0.in1t.sub, 1 -> ALU0.in2, ... ; # cycle 0; 0: wi=3
// CHECK-NEXT: ..., ALU0.out1 -> RF0.0, ALU0.out1 -> BOOL0.1 ; # cycle 1
// CHECK-NEXT: ?BOOL0.1 loop -> gcu.pc.jump, !BOOL0.1 0 -> BOOL0.1, ... ; # cycle 2
// CHECK-NEXT: ... ; # cycle 3
// CHECK-NEXT: ... ; # cycle 4
// CHECK-NEXT: ... ; # cycle 5
// CHECK-NEXT: {{^$}}
// CHECK-NEXT: ... ; # cycle 0
tta.program @count on "minimal" {
  tta.block @loop {
    tta.instruction {
      tta.move RF0.0 -> ALU0.in1t.sub bus 0 note "wi=3"
      tta.move 1 -> ALU0.in2 bus 1
    }
    tta.instruction {
      tta.move ALU0.out1 -> BOOL0.1 bus 2
      tta.move ALU0.out1 -> RF0.0 bus 1
    }
    tta.instruction {
      tta.move loop -> gcu.pc.jump bus 0 if BOOL0.1
      tta.move 0 -> BOOL0.1 bus 1 if not BOOL0.1
    }
    tta.instruction {}
    tta.instruction {}
    tta.instruction {}
  }
  tta.block {
    tta.instruction {}
  }
}
