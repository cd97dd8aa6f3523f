// Prices of European call and put options (the paper's Figure 6): for each price of the stock
// a pair, by F. Black and M. Scholes, "The Pricing of Options and Corporate Liabilities" (1973).
func.func @black_scholes(%s: !pattern.array<N, f32>, %strike: f32, %years: f32, %rate: f32, %volatility: f32) -> !pattern.array<N, tuple<f32, f32>> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root_half = arith.constant 0.70710678118654752 : f32
  %root_years = math.sqrt %years : f32
  %deviation = arith.mulf %volatility, %root_years : f32
  %variance = arith.mulf %volatility, %volatility : f32
  %half_variance = arith.mulf %variance, %half : f32
  %drift = arith.addf %rate, %half_variance : f32
  %growth = arith.mulf %drift, %years : f32
  %rate_years = arith.mulf %rate, %years : f32
  %discount_log = arith.negf %rate_years : f32
  %discount = math.exp %discount_log : f32
  %present_strike = arith.mulf %strike, %discount : f32
  %prices = pattern.map %s as %price: f32 attributes {pattern.name = "BSComputation"} {
    // d1 and d2.
    %ratio = arith.divf %price, %strike : f32
    %log = math.log %ratio : f32
    %sum = arith.addf %log, %growth : f32
    %d1 = arith.divf %sum, %deviation : f32
    %d2 = arith.subf %d1, %deviation : f32
    // The normal distribution: (1 + erf(d / sqrt 2)) / 2.
    %t1 = arith.mulf %d1, %root_half : f32
    %t2 = arith.mulf %d2, %root_half : f32
    %e1 = math.erf %t1 : f32
    %e2 = math.erf %t2 : f32
    %f1 = arith.addf %one, %e1 : f32
    %f2 = arith.addf %one, %e2 : f32
    %n1 = arith.mulf %half, %f1 : f32
    %n2 = arith.mulf %half, %f2 : f32
    %gain = arith.mulf %price, %n1 : f32
    %cost = arith.mulf %present_strike, %n2 : f32
    %call = arith.subf %gain, %cost : f32
    // 1 - (1 + e) / 2 = (1 - e) / 2
    %g1 = arith.subf %one, %e1 : f32
    %g2 = arith.subf %one, %e2 : f32
    %m1 = arith.mulf %half, %g1 : f32
    %m2 = arith.mulf %half, %g2 : f32
    %paid = arith.mulf %present_strike, %m2 : f32
    %worth = arith.mulf %price, %m1 : f32
    %put = arith.subf %paid, %worth : f32
    pattern.yield %call, %put : f32, f32
  } : !pattern.array<N, tuple<f32, f32>>
  func.return %prices : !pattern.array<N, tuple<f32, f32>>
}
