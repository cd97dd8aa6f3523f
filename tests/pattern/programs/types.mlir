// Types that memory and kernels have other forms of, and results that share what they are made of.

func.func @bools(%x : !pattern.array<64, i1>, %i : index, %p : i1) -> !pattern.array<64, tuple<i1, index>> {
  %y = pattern.map_global %x as %e : i1 {
    %n = arith.xori %e, %p : i1
    pattern.yield %n, %i : i1, index
  } : !pattern.array<64, tuple<i1, index>>
  func.return %y : !pattern.array<64, tuple<i1, index>>
}

func.func @identity(%x : !pattern.array<64, f32>) -> !pattern.array<64, f32> {
  func.return %x : !pattern.array<64, f32>
}

func.func @twice_returned(%x : !pattern.array<64, f32>) -> (!pattern.array<64, f32>, !pattern.array<8, 8, f32>) {
  %y = pattern.map_global %x as %e : f32 {
    %n = arith.addf %e, %e : f32
    pattern.yield %n : f32
  } : !pattern.array<64, f32>
  %s = pattern.split %y by 8 : !pattern.array<8, 8, f32>
  func.return %y, %s : !pattern.array<64, f32>, !pattern.array<8, 8, f32>
}

func.func @double(%x : !pattern.array<64, f64>, %v : vector<4xf64>) -> !pattern.array<16, vector<4xf64>> {
  %y = pattern.as_vector %x by 4 : !pattern.array<16, vector<4xf64>>
  %z = pattern.map_global %y as %e : vector<4xf64> {
    %n = arith.addf %e, %v : vector<4xf64>
    pattern.yield %n : vector<4xf64>
  } : !pattern.array<16, vector<4xf64>>
  func.return %z : !pattern.array<16, vector<4xf64>>
}
