// Molecular dynamics (the paper's Figure 7, after SHOC): the Lennard-Jones forces on each particle
// from J neighbours that are nearer than a cutoff. Positions and forces are x, y, z and 0.
func.func @md(%p: !pattern.array<N, vector<4xf32>>, %neighbours: !pattern.array<N, J, i32>, %cutoff2: f32, %lj1: f32, %lj2: f32) -> !pattern.array<N, vector<4xf32>> {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %one = arith.constant 1.0 : f32
  %each = pattern.zip %p, %neighbours : !pattern.array<N, tuple<vector<4xf32>, !pattern.array<J, i32>>>
  %forces = pattern.map %each as (%own: vector<4xf32>, %ids: !pattern.array<J, i32>) {
    %others = pattern.gather %p, %ids : !pattern.array<J, vector<4xf32>>
    %pairs = pattern.map %others as %other: vector<4xf32> attributes {pattern.name = "force(own)"} {
      %d = arith.subf %own, %other : vector<4xf32>
      %dd = arith.mulf %d, %d : vector<4xf32>
      %xx = vector.extract %dd[0] : f32 from vector<4xf32>
      %yy = vector.extract %dd[1] : f32 from vector<4xf32>
      %zz = vector.extract %dd[2] : f32 from vector<4xf32>
      %xy = arith.addf %xx, %yy : f32
      %r2 = arith.addf %xy, %zz : f32
      %r2inv = arith.divf %one, %r2 : f32
      %r4inv = arith.mulf %r2inv, %r2inv : f32
      %r6inv = arith.mulf %r4inv, %r2inv : f32
      %repulsion = arith.mulf %lj1, %r6inv : f32
      %net = arith.subf %repulsion, %lj2 : f32
      %scale = arith.mulf %r2inv, %r6inv : f32
      %force = arith.mulf %scale, %net : f32
      %near = arith.cmpf olt, %r2, %cutoff2 : f32
      %counted = arith.select %near, %force, %none : f32
      %wide = vector.broadcast %counted : f32 to vector<4xf32>
      %pull = arith.mulf %d, %wide : vector<4xf32>
      pattern.yield %pull : vector<4xf32>
    } : !pattern.array<J, vector<4xf32>>
    %sum = pattern.reduce %pairs init %zero as %a: vector<4xf32>, %b: vector<4xf32> assoc comm {
      %s = arith.addf %a, %b : vector<4xf32>
      pattern.yield %s : vector<4xf32>
    } : !pattern.array<1, vector<4xf32>>
    pattern.yield %sum : !pattern.array<1, vector<4xf32>>
  } : !pattern.array<N, 1, vector<4xf32>>
  %f = pattern.join %forces : !pattern.array<N, vector<4xf32>>
  func.return %f : !pattern.array<N, vector<4xf32>>
}
