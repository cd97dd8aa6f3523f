// The forces on particles by those around them, within a cutoff (the paper's Figure 7).
//
// Row i of %ids has the numbers of the neighbours of particle i. A position is (x, y, z, 0), the
// cutoff a square of a distance. The force is that of Lennard and Jones: 1.5 / r^14 - 2 / r^8,
// times the difference of the positions.
func.func @md(%p: !pattern.array<N, vector<4xf32>>, %ids: !pattern.array<N, J, i32>, %cutoff: f32) -> !pattern.array<N, vector<4xf32>> {
  %none = arith.constant dense<0.0> : vector<4xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %repel = arith.constant 1.5 : f32
  %attract = arith.constant 2.0 : f32
  %particles = pattern.zip %p, %ids : !pattern.array<N, tuple<vector<4xf32>, !pattern.array<J, i32>>>
  %sums = pattern.map %particles as (%position: vector<4xf32>, %row: !pattern.array<J, i32>) {
    %neighbours = pattern.gather %p, %row : !pattern.array<J, vector<4xf32>>
    %forces = pattern.map %neighbours as %neighbour: vector<4xf32> {
      %d = arith.subf %position, %neighbour : vector<4xf32>
      %dd = arith.mulf %d, %d : vector<4xf32>
      %x = vector.extract %dd[0] : f32 from vector<4xf32>
      %y = vector.extract %dd[1] : f32 from vector<4xf32>
      %z = vector.extract %dd[2] : f32 from vector<4xf32>
      %xy = arith.addf %x, %y : f32
      %r2 = arith.addf %xy, %z : f32
      %inverse = arith.divf %one, %r2 : f32
      %fourth = arith.mulf %inverse, %inverse : f32
      %sixth = arith.mulf %fourth, %inverse : f32
      %strong = arith.mulf %repel, %sixth : f32
      %both = arith.subf %strong, %attract : f32
      %eighth = arith.mulf %inverse, %sixth : f32
      %full = arith.mulf %eighth, %both : f32
      %near = arith.cmpf olt, %r2, %cutoff : f32
      %force = arith.select %near, %full, %zero : f32
      %along = vector.broadcast %force : f32 to vector<4xf32>
      %vector = arith.mulf %d, %along : vector<4xf32>
      pattern.yield %vector : vector<4xf32>
    } : !pattern.array<J, vector<4xf32>>
    %sum = pattern.reduce %forces init %none as %a: vector<4xf32>, %b: vector<4xf32> assoc comm {
      %s = arith.addf %a, %b : vector<4xf32>
      pattern.yield %s : vector<4xf32>
    } : !pattern.array<1, vector<4xf32>>
    pattern.yield %sum : !pattern.array<1, vector<4xf32>>
  } : !pattern.array<N, 1, vector<4xf32>>
  %all = pattern.join %sums : !pattern.array<N, vector<4xf32>>
  func.return %all : !pattern.array<N, vector<4xf32>>
}
