// The prices of a call and a put option for each price of a stock (the paper's Figure 6).
//
// Strike 100, interest 2 % a year, volatility 30 %, two years. The normal distribution is the
// polynomial 26.2.17 of Abramowitz and Stegun, Handbook of Mathematical Functions.
func.func @black_scholes(%s: !pattern.array<N, f32>) -> !pattern.array<N, tuple<f32, f32>> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant -0.5 : f32
  // 1 / 100, volatility * sqrt(years) and its inverse, (rate + volatility^2 / 2) * years, 100 * exp(-rate * years)
  %strike = arith.constant 0.01 : f32
  %spread = arith.constant 0.4242640687 : f32
  %inverse = arith.constant 2.3570226040 : f32
  %drift = arith.constant 0.13 : f32
  %now = arith.constant 96.0789439152 : f32
  %scale = arith.constant 0.3989422804 : f32
  %c0 = arith.constant 0.2316419 : f32
  %c1 = arith.constant 0.319381530 : f32
  %c2 = arith.constant -0.356563782 : f32
  %c3 = arith.constant 1.781477937 : f32
  %c4 = arith.constant -1.821255978 : f32
  %c5 = arith.constant 1.330274429 : f32
  %prices = pattern.map %s as %price: f32 {
    %ratio = arith.mulf %price, %strike : f32
    %log = math.log %ratio : f32
    %up = arith.addf %log, %drift : f32
    %d1 = arith.mulf %up, %inverse : f32
    %d2 = arith.subf %d1, %spread : f32

    // normal(d1)
    %abs1 = math.absf %d1 : f32
    %k01 = arith.mulf %abs1, %c0 : f32
    %k11 = arith.addf %k01, %one : f32
    %k1 = arith.divf %one, %k11 : f32
    %p51 = arith.mulf %k1, %c5 : f32
    %q41 = arith.addf %p51, %c4 : f32
    %p41 = arith.mulf %k1, %q41 : f32
    %q31 = arith.addf %p41, %c3 : f32
    %p31 = arith.mulf %k1, %q31 : f32
    %q21 = arith.addf %p31, %c2 : f32
    %p21 = arith.mulf %k1, %q21 : f32
    %q11 = arith.addf %p21, %c1 : f32
    %p11 = arith.mulf %k1, %q11 : f32
    %square1 = arith.mulf %d1, %d1 : f32
    %power1 = arith.mulf %square1, %half : f32
    %exp1 = math.exp %power1 : f32
    %bell1 = arith.mulf %exp1, %scale : f32
    %tail1 = arith.mulf %bell1, %p11 : f32
    %rest1 = arith.subf %one, %tail1 : f32
    %above1 = arith.cmpf ogt, %d1, %zero : f32
    %n1 = arith.select %above1, %rest1, %tail1 : f32

    // normal(d2)
    %abs2 = math.absf %d2 : f32
    %k02 = arith.mulf %abs2, %c0 : f32
    %k12 = arith.addf %k02, %one : f32
    %k2 = arith.divf %one, %k12 : f32
    %p52 = arith.mulf %k2, %c5 : f32
    %q42 = arith.addf %p52, %c4 : f32
    %p42 = arith.mulf %k2, %q42 : f32
    %q32 = arith.addf %p42, %c3 : f32
    %p32 = arith.mulf %k2, %q32 : f32
    %q22 = arith.addf %p32, %c2 : f32
    %p22 = arith.mulf %k2, %q22 : f32
    %q12 = arith.addf %p22, %c1 : f32
    %p12 = arith.mulf %k2, %q12 : f32
    %square2 = arith.mulf %d2, %d2 : f32
    %power2 = arith.mulf %square2, %half : f32
    %exp2 = math.exp %power2 : f32
    %bell2 = arith.mulf %exp2, %scale : f32
    %tail2 = arith.mulf %bell2, %p12 : f32
    %rest2 = arith.subf %one, %tail2 : f32
    %above2 = arith.cmpf ogt, %d2, %zero : f32
    %n2 = arith.select %above2, %rest2, %tail2 : f32

    %stock = arith.mulf %price, %n1 : f32
    %paid = arith.mulf %now, %n2 : f32
    %call = arith.subf %stock, %paid : f32
    // By parity: put = call - price + what the strike is worth now.
    %less = arith.subf %call, %price : f32
    %put = arith.addf %less, %now : f32
    pattern.yield %call, %put : f32, f32
  } : !pattern.array<N, tuple<f32, f32>>
  func.return %prices : !pattern.array<N, tuple<f32, f32>>
}
