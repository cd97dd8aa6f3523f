// RUN: OCL_INVALID

// An instruction's moves are checked against the machine.
// CHECK: 'ALU1.out1 -> RF0.0': there is no function unit 'ALU1'
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move ALU1.out1 -> RF0.0 bus 0
    }
  }
}

// -----

// CHECK: 'ALU0.out2 -> RF0.0': unit 'ALU0' has no port 'out2'
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move ALU0.out2 -> RF0.0 bus 0
    }
  }
}

// -----

// CHECK: 'ALU0.in2 -> RF0.0': 'ALU0.in2' is an input
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move ALU0.in2 -> RF0.0 bus 0
    }
  }
}

// -----

// CHECK: '1 -> ALU0.out1': 'ALU0.out1' is an output
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> ALU0.out1 bus 0
    }
  }
}

// -----

// CHECK: '1 -> ALU0.in1t': 'ALU0.in1t' triggers; expected an operation, as in 'ALU0.in1t.add'
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> ALU0.in1t bus 0
    }
  }
}

// -----

// CHECK: '1 -> ALU0.in2.add': 'ALU0.in2' does not trigger operations
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> ALU0.in2.add bus 0
    }
  }
}

// -----

// CHECK: '1 -> ALU0.in1t.mulf': unit 'ALU0' has no operation 'mulf'
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> ALU0.in1t.mulf bus 0
    }
  }
}

// -----

// CHECK: '1 -> RF2.0': there is no register file 'RF2'
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF2.0 bus 0
    }
  }
}

// -----

// CHECK: '1 -> RF0.16': register file 'RF0' ends at RF0.15
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF0.16 bus 0
    }
  }
}

// -----

// CHECK: '1 -> RF0.0': there is no bus 3, the machine has 3
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF0.0 bus 3
    }
  }
}

// -----

// CHECK: '?BOOL0.3 1 -> RF0.0': bus 'B0' has no guard BOOL0.3
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF0.0 bus 0 if BOOL0.3
    }
  }
}

// -----

// Moves of one cycle compete for buses and ports.
// CHECK: '1 -> RF0.0' and '2 -> RF1.0' use bus 0 in the same cycle
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF0.0 bus 0
      tta.move 2 -> RF1.0 bus 0
    }
  }
}

// -----

// CHECK: RF0.0, RF0.1 are read in the same cycle, through 1 port(s)
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move RF0.0 -> RF1.0 bus 0
      tta.move RF0.1 -> BOOL0.0 bus 1
    }
  }
}

// -----

// CHECK: '1 -> RF0.0', '2 -> RF0.1' write in the same cycle, through 1 port(s)
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF0.0 bus 0
      tta.move 2 -> RF0.1 bus 1
    }
  }
}

// -----

// CHECK: '?BOOL0.0 1 -> RF0.0' and '?BOOL0.0 2 -> RF0.0' write one register in the same cycle
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> RF0.0 bus 0 if BOOL0.0
      tta.move 2 -> RF0.0 bus 1 if BOOL0.0
    }
  }
}

// -----

// CHECK: '1 -> ALU0.in2' and '2 -> ALU0.in2' write one port in the same cycle
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> ALU0.in2 bus 0
      tta.move 2 -> ALU0.in2 bus 1
    }
  }
}

// -----

// A unit starts one operation a cycle, also if only one of two would be executed.
// CHECK: '?BOOL0.0 1 -> ALU0.in1t.add' and '!BOOL0.0 2 -> ALU0.in1t.sub' write one port in the same cycle
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move 1 -> ALU0.in1t.add bus 0 if BOOL0.0
      tta.move 2 -> ALU0.in1t.sub bus 1 if not BOOL0.0
    }
  }
}

// -----

// The delay slots of a jump end its block.
// CHECK: block 'entry', instruction 0: a jump has 3 delay slots, which end its block; 2 instructions follow
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move entry -> gcu.pc.jump bus 0
    }
    tta.instruction {}
    tta.instruction {}
  }
}

// -----

// CHECK: block 'entry', instruction 0: a jump has 3 delay slots, which end its block; 4 instructions follow
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move entry -> gcu.pc.jump bus 0
    }
    tta.instruction {}
    tta.instruction {}
    tta.instruction {}
    tta.instruction {}
  }
}

// -----

// CHECK: block 'entry', instruction 0: there is no block called 'nowhere'
tta.program @p on "minimal" {
  tta.block @entry {
    tta.instruction {
      tta.move nowhere -> gcu.pc.jump bus 0
    }
    tta.instruction {}
    tta.instruction {}
    tta.instruction {}
  }
}

// -----

// CHECK: there are several blocks called 'twice'
tta.program @p on "minimal" {
  tta.block @twice {
    tta.instruction {}
  }
  tta.block @twice {
    tta.instruction {}
  }
}

// -----

// CHECK: block 'empty': a block has at least one instruction
tta.program @p on "minimal" {
  tta.block @empty {}
}

// -----

// CHECK: the machine: expected one of paper, minimal, wide or an ADF text, got 'nonsense'
tta.program @p on "nonsense" {
  tta.block {
    tta.instruction {}
  }
}

// -----

// CHECK: the machine: machine 'minimal' has no option 'multipliers=1'
tta.program @p on "minimal multipliers=1" {
  tta.block {
    tta.instruction {}
  }
}

// -----

// CHECK: [[# @LINE + 4]]:16: error: expected a register, a port, a 32-bit constant or the name of a block, got '4294967296'
tta.program @p on "minimal" {
  tta.block {
    tta.instruction {
      tta.move 4294967296 -> RF0.0 bus 0
    }
  }
}

// -----

// CHECK: expected a register or a port to move to, got '5'
tta.program @p on "minimal" {
  tta.block {
    tta.instruction {
      tta.move RF0.0 -> 5 bus 0
    }
  }
}

// -----

// CHECK: the machine: machine 'paper' has no option 'buses=0'
tta.program @p on "paper buses=0" {
  tta.block {
    tta.instruction {}
  }
}

// -----

// The text of an architecture definition is read as that of a file is.
// CHECK: the machine: <adf>:1:22: error: element 'bus': expected an attribute 'name'
tta.program @p on "<adf><little-endian/><bus/></adf>" {
  tta.block {
    tta.instruction {}
  }
}
