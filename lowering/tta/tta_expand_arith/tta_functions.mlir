builtin.module {
  func.func private @small_float(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %0 = arith.ori %a, %c1258291200_i32 : i32
    %1 = ocl.bitcast %0 : i32 to f32
    %cst = arith.constant 0x4B000000 : f32
    %result = arith.subf %1, %cst : f32
    func.return %result : f32
  }
  func.func private @mul_i32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "high", "low", "middle", "result"]} {
    %c2047_i32 = arith.constant 2047 : i32
    %0 = arith.andi %a, %c2047_i32 : i32
    %a0 = func.call @small_float(%0) : (i32) -> f32
    %c11_i32 = arith.constant 11 : i32
    %1 = arith.shrui %a, %c11_i32 : i32
    %2 = arith.andi %1, %c2047_i32 : i32
    %a1 = func.call @small_float(%2) : (i32) -> f32
    %c22_i32 = arith.constant 22 : i32
    %3 = arith.shrui %a, %c22_i32 : i32
    %a2 = func.call @small_float(%3) : (i32) -> f32
    %4 = arith.andi %b, %c2047_i32 : i32
    %b0 = func.call @small_float(%4) : (i32) -> f32
    %5 = arith.shrui %b, %c11_i32 : i32
    %6 = arith.andi %5, %c2047_i32 : i32
    %b1 = func.call @small_float(%6) : (i32) -> f32
    %7 = arith.shrui %b, %c22_i32 : i32
    %b2 = func.call @small_float(%7) : (i32) -> f32
    %8 = arith.mulf %a0, %b0 : f32
    %cst = arith.constant 0x4B000000 : f32
    %9 = arith.addf %8, %cst : f32
    %low = ocl.bitcast %9 : f32 to i32
    %10 = arith.mulf %a0, %b1 : f32
    %11 = arith.mulf %a1, %b0 : f32
    %12 = arith.addf %10, %11 : f32
    %13 = arith.addf %12, %cst : f32
    %middle = ocl.bitcast %13 : f32 to i32
    %14 = arith.mulf %a0, %b2 : f32
    %15 = arith.mulf %a2, %b0 : f32
    %16 = arith.addf %14, %15 : f32
    %17 = arith.mulf %a1, %b1 : f32
    %18 = arith.addf %17, %cst : f32
    %19 = arith.addf %16, %18 : f32
    %high = ocl.bitcast %19 : f32 to i32
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %20 = arith.subi %low, %c1258291200_i32 : i32
    %21 = arith.shli %middle, %c11_i32 : i32
    %22 = arith.addi %20, %21 : i32
    %23 = arith.shli %high, %c22_i32 : i32
    %result = arith.addi %22, %23 : i32
    func.return %result : i32
  }
  func.func private @column(%x: f32) -> i32 attributes {ocl.unsigned = ["result"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %result = arith.subi %0, %c1258291200_i32 : i32
    func.return %result : i32
  }
  func.func private @wide_product(%a: i32, %b: i32) -> i64 attributes {ocl.unsigned = ["a", "b", "c0", "c1", "c2", "c3", "c4", "high", "low", "result"]} {
    %c2047_i32 = arith.constant 2047 : i32
    %0 = arith.andi %a, %c2047_i32 : i32
    %a0 = func.call @small_float(%0) : (i32) -> f32
    %c11_i32 = arith.constant 11 : i32
    %1 = arith.shrui %a, %c11_i32 : i32
    %2 = arith.andi %1, %c2047_i32 : i32
    %a1 = func.call @small_float(%2) : (i32) -> f32
    %c22_i32 = arith.constant 22 : i32
    %3 = arith.shrui %a, %c22_i32 : i32
    %a2 = func.call @small_float(%3) : (i32) -> f32
    %4 = arith.andi %b, %c2047_i32 : i32
    %b0 = func.call @small_float(%4) : (i32) -> f32
    %5 = arith.shrui %b, %c11_i32 : i32
    %6 = arith.andi %5, %c2047_i32 : i32
    %b1 = func.call @small_float(%6) : (i32) -> f32
    %7 = arith.shrui %b, %c22_i32 : i32
    %b2 = func.call @small_float(%7) : (i32) -> f32
    %8 = arith.mulf %a0, %b0 : f32
    %cst = arith.constant 0x4B000000 : f32
    %9 = arith.addf %8, %cst : f32
    %c0 = func.call @column(%9) : (f32) -> i32
    %10 = arith.mulf %a0, %b1 : f32
    %11 = arith.mulf %a1, %b0 : f32
    %12 = arith.addf %11, %cst : f32
    %13 = arith.addf %10, %12 : f32
    %c1 = func.call @column(%13) : (f32) -> i32
    %14 = arith.mulf %a0, %b2 : f32
    %15 = arith.mulf %a2, %b0 : f32
    %16 = arith.addf %14, %15 : f32
    %17 = arith.mulf %a1, %b1 : f32
    %18 = arith.addf %17, %cst : f32
    %19 = arith.addf %16, %18 : f32
    %c2 = func.call @column(%19) : (f32) -> i32
    %20 = arith.mulf %a1, %b2 : f32
    %21 = arith.mulf %a2, %b1 : f32
    %22 = arith.addf %21, %cst : f32
    %23 = arith.addf %20, %22 : f32
    %c3 = func.call @column(%23) : (f32) -> i32
    %24 = arith.mulf %a2, %b2 : f32
    %25 = arith.addf %24, %cst : f32
    %c4 = func.call @column(%25) : (f32) -> i32
    %26 = arith.shrui %c0, %c11_i32 : i32
    %c1_1 = arith.addi %c1, %26 : i32
    %27 = arith.shrui %c1_1, %c11_i32 : i32
    %c2_1 = arith.addi %c2, %27 : i32
    %28 = arith.shrui %c2_1, %c11_i32 : i32
    %c3_1 = arith.addi %c3, %28 : i32
    %29 = arith.shrui %c3_1, %c11_i32 : i32
    %c4_1 = arith.addi %c4, %29 : i32
    %30 = arith.andi %c0, %c2047_i32 : i32
    %31 = arith.andi %c1_1, %c2047_i32 : i32
    %32 = arith.shli %31, %c11_i32 : i32
    %33 = arith.ori %30, %32 : i32
    %34 = arith.shli %c2_1, %c22_i32 : i32
    %low = arith.ori %33, %34 : i32
    %c10_i32 = arith.constant 10 : i32
    %35 = arith.shrui %c2_1, %c10_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %36 = arith.andi %35, %c1_i32 : i32
    %37 = arith.andi %c3_1, %c2047_i32 : i32
    %38 = arith.shli %37, %c1_i32 : i32
    %39 = arith.ori %36, %38 : i32
    %c12_i32 = arith.constant 12 : i32
    %40 = arith.shli %c4_1, %c12_i32 : i32
    %high = arith.ori %39, %40 : i32
    %41 = arith.extui %high : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %42 = arith.shli %41, %c32_i64 : i64
    %43 = arith.extui %low : i32 to i64
    %result = arith.ori %42, %43 : i64
    func.return %result : i64
  }
  func.func private @digit(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c2047_i32 = arith.constant 2047 : i32
    %0 = arith.andi %a, %c2047_i32 : i32
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %1 = arith.ori %0, %c1258291200_i32 : i32
    %2 = ocl.bitcast %1 : i32 to f32
    %cst = arith.constant 0x4B000400 : f32
    %result = arith.subf %2, %cst : f32
    func.return %result : f32
  }
  func.func private @signed_column(%x: f32) -> i32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c1262485504_i32 = arith.constant 1262485504 : i32
    %1 = arith.subi %0, %c1262485504_i32 : i32
    %2 = arith.extui %1 : i32 to i64
    %result = arith.trunci %2 : i64 to i32
    func.return %result : i32
  }
  func.func private @mul_i64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "bias", "high", "low", "m", "n", "result"]} {
    %c18023198899569664_i64 = arith.constant 18023198899569664 : i64
    %m = arith.addi %a, %c18023198899569664_i64 : i64
    %n = arith.addi %b, %c18023198899569664_i64 : i64
    %0 = arith.trunci %m : i64 to i32
    %m0 = func.call @digit(%0) : (i32) -> f32
    %1 = arith.trunci %m : i64 to i32
    %c11_i32 = arith.constant 11 : i32
    %2 = arith.shrui %1, %c11_i32 : i32
    %m1 = func.call @digit(%2) : (i32) -> f32
    %c22_i32 = arith.constant 22 : i32
    %c22_i64 = arith.constant 22 : i64
    %3 = arith.shrui %m, %c22_i64 : i64
    %4 = arith.trunci %3 : i64 to i32
    %m2 = func.call @digit(%4) : (i32) -> f32
    %c33_i64 = arith.constant 33 : i64
    %5 = arith.shrui %m, %c33_i64 : i64
    %6 = arith.trunci %5 : i64 to i32
    %m3 = func.call @digit(%6) : (i32) -> f32
    %7 = arith.trunci %n : i64 to i32
    %n0 = func.call @digit(%7) : (i32) -> f32
    %8 = arith.trunci %n : i64 to i32
    %9 = arith.shrui %8, %c11_i32 : i32
    %n1 = func.call @digit(%9) : (i32) -> f32
    %10 = arith.shrui %n, %c22_i64 : i64
    %11 = arith.trunci %10 : i64 to i32
    %n2 = func.call @digit(%11) : (i32) -> f32
    %12 = arith.shrui %n, %c33_i64 : i64
    %13 = arith.trunci %12 : i64 to i32
    %n3 = func.call @digit(%13) : (i32) -> f32
    %c44_i64 = arith.constant 44 : i64
    %14 = arith.shrui %m, %c44_i64 : i64
    %15 = arith.trunci %14 : i64 to i32
    %m4 = func.call @digit(%15) : (i32) -> f32
    %16 = arith.shrui %n, %c44_i64 : i64
    %17 = arith.trunci %16 : i64 to i32
    %n4 = func.call @digit(%17) : (i32) -> f32
    %c55_i64 = arith.constant 55 : i64
    %18 = arith.shrui %m, %c55_i64 : i64
    %19 = arith.trunci %18 : i64 to i32
    %m5 = func.call @small_float(%19) : (i32) -> f32
    %20 = arith.shrui %n, %c55_i64 : i64
    %21 = arith.trunci %20 : i64 to i32
    %n5 = func.call @small_float(%21) : (i32) -> f32
    %22 = arith.mulf %m0, %n0 : f32
    %cst = arith.constant 0x4B400000 : f32
    %23 = arith.addf %22, %cst : f32
    %c0 = func.call @signed_column(%23) : (f32) -> i32
    %24 = arith.mulf %m0, %n1 : f32
    %25 = arith.mulf %m1, %n0 : f32
    %26 = arith.addf %25, %cst : f32
    %27 = arith.addf %24, %26 : f32
    %c1 = func.call @signed_column(%27) : (f32) -> i32
    %28 = arith.mulf %m0, %n2 : f32
    %29 = arith.mulf %m1, %n1 : f32
    %30 = arith.addf %28, %29 : f32
    %31 = arith.mulf %m2, %n0 : f32
    %32 = arith.addf %31, %cst : f32
    %33 = arith.addf %30, %32 : f32
    %c2 = func.call @signed_column(%33) : (f32) -> i32
    %34 = arith.mulf %m0, %n3 : f32
    %35 = arith.mulf %m1, %n2 : f32
    %36 = arith.addf %34, %35 : f32
    %37 = arith.mulf %m2, %n1 : f32
    %38 = arith.mulf %m3, %n0 : f32
    %39 = arith.addf %37, %38 : f32
    %40 = arith.addf %36, %39 : f32
    %41 = arith.addf %40, %cst : f32
    %c3 = func.call @signed_column(%41) : (f32) -> i32
    %42 = arith.mulf %m0, %n4 : f32
    %43 = arith.mulf %m1, %n3 : f32
    %44 = arith.addf %42, %43 : f32
    %45 = arith.mulf %m2, %n2 : f32
    %46 = arith.addf %45, %cst : f32
    %47 = arith.addf %44, %46 : f32
    %c4 = func.call @signed_column(%47) : (f32) -> i32
    %48 = arith.mulf %m3, %n1 : f32
    %49 = arith.mulf %m4, %n0 : f32
    %50 = arith.addf %49, %cst : f32
    %51 = arith.addf %48, %50 : f32
    %52 = func.call @signed_column(%51) : (f32) -> i32
    %c4_1 = arith.addi %c4, %52 : i32
    %53 = arith.mulf %m0, %n5 : f32
    %54 = arith.mulf %m1, %n4 : f32
    %55 = arith.addf %53, %54 : f32
    %56 = arith.mulf %m2, %n3 : f32
    %57 = arith.addf %56, %cst : f32
    %58 = arith.addf %55, %57 : f32
    %c5 = func.call @signed_column(%58) : (f32) -> i32
    %59 = arith.mulf %m3, %n2 : f32
    %60 = arith.mulf %m4, %n1 : f32
    %61 = arith.addf %59, %60 : f32
    %62 = arith.mulf %m5, %n0 : f32
    %63 = arith.addf %62, %cst : f32
    %64 = arith.addf %61, %63 : f32
    %65 = func.call @signed_column(%64) : (f32) -> i32
    %c5_1 = arith.addi %c5, %65 : i32
    %66 = arith.shrsi %c0, %c11_i32 : i32
    %c1_1 = arith.addi %c1, %66 : i32
    %67 = arith.shrsi %c1_1, %c11_i32 : i32
    %c2_1 = arith.addi %c2, %67 : i32
    %68 = arith.shrsi %c2_1, %c11_i32 : i32
    %c3_1 = arith.addi %c3, %68 : i32
    %69 = arith.shrsi %c3_1, %c11_i32 : i32
    %c4_2 = arith.addi %c4_1, %69 : i32
    %70 = arith.shrsi %c4_2, %c11_i32 : i32
    %c5_2 = arith.addi %c5_1, %70 : i32
    %c2047_i32 = arith.constant 2047 : i32
    %71 = arith.andi %c0, %c2047_i32 : i32
    %72 = arith.andi %c1_1, %c2047_i32 : i32
    %73 = arith.shli %72, %c11_i32 : i32
    %74 = arith.ori %71, %73 : i32
    %75 = arith.shli %c2_1, %c22_i32 : i32
    %low = arith.ori %74, %75 : i32
    %c10_i32 = arith.constant 10 : i32
    %76 = arith.shrsi %c2_1, %c10_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %77 = arith.andi %76, %c1_i32 : i32
    %78 = arith.andi %c3_1, %c2047_i32 : i32
    %79 = arith.shli %78, %c1_i32 : i32
    %80 = arith.ori %77, %79 : i32
    %81 = arith.andi %c4_2, %c2047_i32 : i32
    %c12_i32 = arith.constant 12 : i32
    %82 = arith.shli %81, %c12_i32 : i32
    %83 = arith.ori %80, %82 : i32
    %c23_i32 = arith.constant 23 : i32
    %84 = arith.shli %c5_2, %c23_i32 : i32
    %high = arith.ori %83, %84 : i32
    %85 = arith.extui %high : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %86 = arith.shli %85, %c32_i64 : i64
    %87 = arith.extui %low : i32 to i64
    %result = arith.ori %86, %87 : i64
    func.return %result : i64
  }
  func.func private @mulhi_u32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "result"]} {
    %0 = func.call @wide_product(%a, %b) : (i32, i32) -> i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @mulhi_s32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
    %high = func.call @mulhi_u32(%a, %b) : (i32, i32) -> i32
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %high_1 = scf.if %1 -> (i32) {
      %high_2 = arith.subi %high, %b : i32
      scf.yield %high_2 : i32
    } else {
      scf.yield %high : i32
    }
    %2 = arith.shrui %b, %c31_i32 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %high_3 = scf.if %3 -> (i32) {
      %high_4 = arith.subi %high_1, %a : i32
      scf.yield %high_4 : i32
    } else {
      scf.yield %high_1 : i32
    }
    func.return %high_3 : i32
  }
  func.func private @mulhi_u64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "low", "middle", "other", "result"]} {
    %a0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %a1 = arith.trunci %0 : i64 to i32
    %b0 = arith.trunci %b : i64 to i32
    %1 = arith.shrui %b, %c32_i64 : i64
    %b1 = arith.trunci %1 : i64 to i32
    %low = func.call @wide_product(%a0, %b0) : (i32, i32) -> i64
    %2 = func.call @wide_product(%a1, %b0) : (i32, i32) -> i64
    %3 = arith.shrui %low, %c32_i64 : i64
    %middle = arith.addi %2, %3 : i64
    %4 = func.call @wide_product(%a0, %b1) : (i32, i32) -> i64
    %5 = arith.trunci %middle : i64 to i32
    %6 = arith.extui %5 : i32 to i64
    %other = arith.addi %4, %6 : i64
    %7 = func.call @wide_product(%a1, %b1) : (i32, i32) -> i64
    %8 = arith.shrui %middle, %c32_i64 : i64
    %9 = arith.addi %7, %8 : i64
    %10 = arith.shrui %other, %c32_i64 : i64
    %result = arith.addi %9, %10 : i64
    func.return %result : i64
  }
  func.func private @mulhi_s64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
    %high = func.call @mulhi_u64(%a, %b) : (i64, i64) -> i64
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %high_1 = scf.if %1 -> (i64) {
      %high_2 = arith.subi %high, %b : i64
      scf.yield %high_2 : i64
    } else {
      scf.yield %high : i64
    }
    %2 = arith.shrui %b, %c63_i64 : i64
    %3 = arith.cmpi ne, %2, %c0_i64 : i64
    %high_3 = scf.if %3 -> (i64) {
      %high_4 = arith.subi %high_1, %a : i64
      scf.yield %high_4 : i64
    } else {
      scf.yield %high_1 : i64
    }
    func.return %high_3 : i64
  }
  func.func private @reciprocal_u32(%b: i32) -> f32 attributes {ocl.unsigned = ["b"]} {
    %size = arith.uitofp %b : i32 to f32
    %c2129859015_i32 = arith.constant 2129859015 : i32
    %0 = ocl.bitcast %size : f32 to i32
    %1 = arith.subi %c2129859015_i32, %0 : i32
    %result = ocl.bitcast %1 : i32 to f32
    %cst = arith.constant 2.000000e+00 : f32
    %2 = arith.mulf %size, %result : f32
    %3 = arith.subf %cst, %2 : f32
    %result_1 = arith.mulf %result, %3 {ocl.no_contract} : f32
    %4 = arith.mulf %size, %result_1 : f32
    %5 = arith.subf %cst, %4 : f32
    %result_2 = arith.mulf %result_1, %5 {ocl.no_contract} : f32
    %6 = arith.mulf %size, %result_2 : f32
    %7 = arith.subf %cst, %6 : f32
    %result_3 = arith.mulf %result_2, %7 {ocl.no_contract} : f32
    %cst_1 = arith.constant 0.999999046 : f32
    %result_4 = arith.mulf %result_3, %cst_1 {ocl.no_contract} : f32
    func.return %result_4 : f32
  }
  func.func private @div_u32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "carry", "fits", "rest", "result"]} {
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c32 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i32) -> (i32, i32) {
      %c31_i32 = arith.constant 31 : i32
      %carry = arith.shrui %rest_1, %c31_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %0 = arith.shli %rest_1, %c1_i32 : i32
      %1 = arith.shrui %a_2, %c31_i32 : i32
      %rest_2 = arith.ori %0, %1 : i32
      %2 = arith.cmpi uge, %rest_2, %b : i32
      %3 = arith.extui %2 : i1 to i32
      %fits = arith.ori %carry, %3 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %4 = arith.subi %c0_i32_1, %fits : i32
      %5 = arith.andi %b, %4 : i32
      %rest_3 = arith.subi %rest_2, %5 : i32
      %6 = arith.shli %a_2, %c1_i32 : i32
      %a_3 = arith.ori %6, %fits : i32
      scf.yield %a_3, %rest_3 : i32, i32
    }
    func.return %a_1 : i32
  }
  func.func private @rem_u32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "carry", "fits", "rest", "result"]} {
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c32 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i32) -> (i32, i32) {
      %c31_i32 = arith.constant 31 : i32
      %carry = arith.shrui %rest_1, %c31_i32 : i32
      %c1_i32 = arith.constant 1 : i32
      %0 = arith.shli %rest_1, %c1_i32 : i32
      %1 = arith.shrui %a_2, %c31_i32 : i32
      %rest_2 = arith.ori %0, %1 : i32
      %2 = arith.cmpi uge, %rest_2, %b : i32
      %3 = arith.extui %2 : i1 to i32
      %fits = arith.ori %carry, %3 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %4 = arith.subi %c0_i32_1, %fits : i32
      %5 = arith.andi %b, %4 : i32
      %rest_3 = arith.subi %rest_2, %5 : i32
      %a_3 = arith.shli %a_2, %c1_i32 : i32
      scf.yield %a_3, %rest_3 : i32, i32
    }
    func.return %rest : i32
  }
  func.func private @size_32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %2 = arith.subi %c0_i32, %a : i32
    %result = arith.select %1, %2, %a : i32
    func.return %result : i32
  }
  func.func private @div_s32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "quotient", "result"]} {
    %0 = func.call @size_32(%a) : (i32) -> i32
    %1 = func.call @size_32(%b) : (i32) -> i32
    %quotient = func.call @div_u32(%0, %1) : (i32, i32) -> i32
    %2 = arith.xori %a, %b : i32
    %c31_i32 = arith.constant 31 : i32
    %3 = arith.shrui %2, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %4 = arith.cmpi ne, %3, %c0_i32 : i32
    %5 = arith.subi %c0_i32, %quotient : i32
    %result = arith.select %4, %5, %quotient : i32
    func.return %result : i32
  }
  func.func private @rem_s32(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "rest", "result"]} {
    %0 = func.call @size_32(%a) : (i32) -> i32
    %1 = func.call @size_32(%b) : (i32) -> i32
    %rest = func.call @rem_u32(%0, %1) : (i32, i32) -> i32
    %c31_i32 = arith.constant 31 : i32
    %2 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %4 = arith.subi %c0_i32, %rest : i32
    %result = arith.select %3, %4, %rest : i32
    func.return %result : i32
  }
  func.func private @div_u64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "carry", "rest", "result"]} {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c64 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i64) -> (i64, i64) {
      %c63_i64 = arith.constant 63 : i64
      %0 = arith.shrui %rest_1, %c63_i64 : i64
      %carry = arith.trunci %0 : i64 to i32
      %c1_i64 = arith.constant 1 : i64
      %1 = arith.shli %rest_1, %c1_i64 : i64
      %2 = arith.shrui %a_2, %c63_i64 : i64
      %rest_2 = arith.ori %1, %2 : i64
      %a_3 = arith.shli %a_2, %c1_i64 : i64
      %3 = arith.cmpi uge, %rest_2, %b : i64
      %4 = arith.extui %3 : i1 to i32
      %5 = arith.ori %carry, %4 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = arith.cmpi ne, %5, %c0_i32 : i32
      %a_4, %rest_3 = scf.if %6 -> (i64, i64) {
        %rest_4 = arith.subi %rest_2, %b : i64
        %c1_i64_1 = arith.constant 1 : i64
        %a_5 = arith.ori %a_3, %c1_i64_1 : i64
        scf.yield %a_5, %rest_4 : i64, i64
      } else {
        scf.yield %a_3, %rest_2 : i64, i64
      }
      scf.yield %a_4, %rest_3 : i64, i64
    }
    func.return %a_1 : i64
  }
  func.func private @rem_u64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "carry", "rest", "result"]} {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %a_1, %rest = scf.for %i = %c0 to %c64 step %c1 iter_args(%a_2 = %a, %rest_1 = %c0_i64) -> (i64, i64) {
      %c63_i64 = arith.constant 63 : i64
      %0 = arith.shrui %rest_1, %c63_i64 : i64
      %carry = arith.trunci %0 : i64 to i32
      %c1_i64 = arith.constant 1 : i64
      %1 = arith.shli %rest_1, %c1_i64 : i64
      %2 = arith.shrui %a_2, %c63_i64 : i64
      %rest_2 = arith.ori %1, %2 : i64
      %a_3 = arith.shli %a_2, %c1_i64 : i64
      %3 = arith.cmpi uge, %rest_2, %b : i64
      %4 = arith.extui %3 : i1 to i32
      %5 = arith.ori %carry, %4 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = arith.cmpi ne, %5, %c0_i32 : i32
      %rest_3 = scf.if %6 -> (i64) {
        %rest_4 = arith.subi %rest_2, %b : i64
        scf.yield %rest_4 : i64
      } else {
        scf.yield %rest_2 : i64
      }
      scf.yield %a_3, %rest_3 : i64, i64
    }
    func.return %rest : i64
  }
  func.func private @size_64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "result"]} {
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %2 = arith.subi %c0_i64, %a : i64
    %result = arith.select %1, %2, %a : i64
    func.return %result : i64
  }
  func.func private @div_s64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "quotient", "result"]} {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %1 = func.call @size_64(%b) : (i64) -> i64
    %quotient = func.call @div_u64(%0, %1) : (i64, i64) -> i64
    %2 = arith.xori %a, %b : i64
    %c63_i64 = arith.constant 63 : i64
    %3 = arith.shrui %2, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %4 = arith.cmpi ne, %3, %c0_i64 : i64
    %5 = arith.subi %c0_i64, %quotient : i64
    %result = arith.select %4, %5, %quotient : i64
    func.return %result : i64
  }
  func.func private @rem_s64(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "rest", "result"]} {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %1 = func.call @size_64(%b) : (i64) -> i64
    %rest = func.call @rem_u64(%0, %1) : (i64, i64) -> i64
    %c63_i64 = arith.constant 63 : i64
    %2 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %3 = arith.cmpi ne, %2, %c0_i64 : i64
    %4 = arith.subi %c0_i64, %rest : i64
    %result = arith.select %3, %4, %rest : i64
    func.return %result : i64
  }
  func.func private @popcount_i32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.shrui %a, %c1_i32 : i32
    %c1431655765_i32 = arith.constant 1431655765 : i32
    %1 = arith.andi %0, %c1431655765_i32 : i32
    %a_1 = arith.subi %a, %1 : i32
    %c858993459_i32 = arith.constant 858993459 : i32
    %2 = arith.andi %a_1, %c858993459_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %3 = arith.shrui %a_1, %c2_i32 : i32
    %4 = arith.andi %3, %c858993459_i32 : i32
    %a_2 = arith.addi %2, %4 : i32
    %c4_i32 = arith.constant 4 : i32
    %5 = arith.shrui %a_2, %c4_i32 : i32
    %6 = arith.addi %a_2, %5 : i32
    %c252645135_i32 = arith.constant 252645135 : i32
    %a_3 = arith.andi %6, %c252645135_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %7 = arith.shrui %a_3, %c8_i32 : i32
    %a_4 = arith.addi %a_3, %7 : i32
    %c16_i32 = arith.constant 16 : i32
    %8 = arith.shrui %a_4, %c16_i32 : i32
    %9 = arith.addi %a_4, %8 : i32
    %c63_i32 = arith.constant 63 : i32
    %result = arith.andi %9, %c63_i32 : i32
    func.return %result : i32
  }
  func.func private @clz_i32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.shrui %a, %c1_i32 : i32
    %a_1 = arith.ori %a, %0 : i32
    %c2_i32 = arith.constant 2 : i32
    %1 = arith.shrui %a_1, %c2_i32 : i32
    %a_2 = arith.ori %a_1, %1 : i32
    %c4_i32 = arith.constant 4 : i32
    %2 = arith.shrui %a_2, %c4_i32 : i32
    %a_3 = arith.ori %a_2, %2 : i32
    %c8_i32 = arith.constant 8 : i32
    %3 = arith.shrui %a_3, %c8_i32 : i32
    %a_4 = arith.ori %a_3, %3 : i32
    %c16_i32 = arith.constant 16 : i32
    %4 = arith.shrui %a_4, %c16_i32 : i32
    %a_5 = arith.ori %a_4, %4 : i32
    %cm1_i32 = arith.constant -1 : i32
    %5 = arith.xori %a_5, %cm1_i32 : i32
    %result = func.call @popcount_i32(%5) : (i32) -> i32
    func.return %result : i32
  }
  func.func private @clz_i32_by_floats(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %c158_i32 = arith.constant 158 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.shrui %a, %c1_i32 : i32
    %cm1_i32 = arith.constant -1 : i32
    %1 = arith.xori %0, %cm1_i32 : i32
    %2 = arith.andi %a, %1 : i32
    %3 = arith.uitofp %2 : i32 to f32
    %4 = ocl.bitcast %3 : f32 to i32
    %c23_i32 = arith.constant 23 : i32
    %5 = arith.shrui %4, %c23_i32 : i32
    %6 = arith.subi %c158_i32, %5 : i32
    %c32_i32 = arith.constant 32 : i32
    %result = arith.minui %6, %c32_i32 : i32
    func.return %result : i32
  }
  func.func private @ctz_i32(%a: i32) -> i32 attributes {ocl.unsigned = ["a", "result"]} {
    %cm1_i32 = arith.constant -1 : i32
    %0 = arith.xori %a, %cm1_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %a, %c1_i32 : i32
    %2 = arith.andi %0, %1 : i32
    %result = func.call @popcount_i32(%2) : (i32) -> i32
    func.return %result : i32
  }
  func.func private @popcount_i64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "result"]} {
    %0 = arith.trunci %a : i64 to i32
    %1 = func.call @popcount_i32(%0) : (i32) -> i32
    %c32_i64 = arith.constant 32 : i64
    %2 = arith.shrui %a, %c32_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %4 = func.call @popcount_i32(%3) : (i32) -> i32
    %5 = arith.addi %1, %4 : i32
    %result = arith.extui %5 : i32 to i64
    func.return %result : i64
  }
  func.func private @clz_i64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "high", "low", "result"]} {
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %high = arith.trunci %0 : i64 to i32
    %low = arith.trunci %a : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %high, %c0_i32 : i32
    %2 = arith.select %1, %high, %low : i32
    %3 = func.call @clz_i32(%2) : (i32) -> i32
    %4 = arith.cmpi ne, %high, %c0_i32 : i32
    %5 = arith.select %4, %c0_i32, %c32_i32 : i32
    %6 = arith.addi %3, %5 : i32
    %result = arith.extui %6 : i32 to i64
    func.return %result : i64
  }
  func.func private @ctz_i64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "high", "low", "result"]} {
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %high = arith.trunci %0 : i64 to i32
    %low = arith.trunci %a : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %low, %c0_i32 : i32
    %2 = arith.select %1, %low, %high : i32
    %3 = func.call @ctz_i32(%2) : (i32) -> i32
    %4 = arith.cmpi ne, %low, %c0_i32 : i32
    %5 = arith.select %4, %c0_i32, %c32_i32 : i32
    %6 = arith.addi %3, %5 : i32
    %result = arith.extui %6 : i32 to i64
    func.return %result : i64
  }
  func.func private @normal(%bits: i32) -> i32 attributes {ocl.unsigned = ["bits", "result"]} {
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %0 = arith.andi %bits, %c2139095040_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %2 = ocl.bitcast %bits : i32 to f32
    %cst = arith.constant 0x4B800000 : f32
    %3 = arith.mulf %2, %cst {ocl.no_contract} : f32
    %4 = ocl.bitcast %3 : f32 to i32
    %result = arith.select %1, %bits, %4 : i32
    func.return %result : i32
  }
  func.func private @exponent_of(%bits: i32) -> i32 attributes {ocl.unsigned = ["bits"]} {
    %0 = func.call @normal(%bits) : (i32) -> i32
    %c23_i32 = arith.constant 23 : i32
    %1 = arith.shrui %0, %c23_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %2 = arith.andi %bits, %c2139095040_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %c24_i32 = arith.constant 24 : i32
    %4 = arith.select %3, %c0_i32, %c24_i32 : i32
    %result = arith.subi %1, %4 : i32
    func.return %result : i32
  }
  func.func private @significand_of(%bits: i32) -> i32 attributes {ocl.unsigned = ["bits", "result"]} {
    %0 = func.call @normal(%bits) : (i32) -> i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %1 = arith.andi %0, %c8388607_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %result = arith.ori %1, %c8388608_i32 : i32
    func.return %result : i32
  }
  func.func private @rounded(%sign: i32, %exponent: i32, %m: i32) -> f32 attributes {ocl.unsigned = ["base", "lost", "m", "sign", "up"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi sgt, %exponent, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %1 = arith.subi %exponent, %c1_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %2 = arith.shli %1, %c23_i32 : i32
    %base = arith.select %0, %2, %c0_i32 : i32
    %3 = arith.cmpi sgt, %exponent, %c0_i32 : i32
    %cm26_i32 = arith.constant -26 : i32
    %4 = arith.cmpi slt, %exponent, %cm26_i32 : i32
    %c27_i32 = arith.constant 27 : i32
    %5 = arith.subi %c1_i32, %exponent : i32
    %6 = arith.select %4, %c27_i32, %5 : i32
    %shift = arith.select %3, %c0_i32, %6 : i32
    %c31_i32 = arith.constant 31 : i32
    %7 = arith.andi %shift, %c31_i32 : i32
    %8 = arith.shli %c1_i32, %7 : i32
    %9 = arith.subi %8, %c1_i32 : i32
    %lost = arith.andi %m, %9 : i32
    %10 = arith.andi %shift, %c31_i32 : i32
    %11 = arith.shrui %m, %10 : i32
    %12 = arith.cmpi ne, %lost, %c0_i32 : i32
    %13 = arith.extui %12 : i1 to i32
    %m_1 = arith.ori %11, %13 : i32
    %c3_i32 = arith.constant 3 : i32
    %14 = arith.andi %m_1, %c3_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %15 = arith.shrui %m_1, %c2_i32 : i32
    %16 = arith.andi %15, %c1_i32 : i32
    %17 = arith.addi %14, %16 : i32
    %18 = arith.cmpi ugt, %17, %c2_i32 : i32
    %up = arith.extui %18 : i1 to i32
    %c255_i32 = arith.constant 255 : i32
    %19 = arith.cmpi sge, %exponent, %c255_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %20 = arith.shrui %m_1, %c2_i32 : i32
    %21 = arith.addi %base, %20 : i32
    %22 = arith.addi %21, %up : i32
    %23 = arith.select %19, %c2139095040_i32, %22 : i32
    %24 = arith.ori %sign, %23 : i32
    %result = ocl.bitcast %24 : i32 to f32
    func.return %result : f32
  }
  func.func private @div_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "divisor", "fits", "is_less", "quotient", "rest", "sign"]} {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %0 = arith.xori %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %b_1 = arith.andi %b, %c2147483647_i32 : i32
    %1 = func.call @exponent_of(%a_1) : (i32) -> i32
    %2 = func.call @exponent_of(%b_1) : (i32) -> i32
    %3 = arith.subi %1, %2 : i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.addi %3, %c127_i32 : i32
    %rest = func.call @significand_of(%a_1) : (i32) -> i32
    %divisor = func.call @significand_of(%b_1) : (i32) -> i32
    %4 = arith.cmpi ult, %rest, %divisor : i32
    %is_less = arith.extui %4 : i1 to i32
    %c31_i32 = arith.constant 31 : i32
    %5 = arith.andi %is_less, %c31_i32 : i32
    %rest_1 = arith.shli %rest, %5 : i32
    %6 = arith.subi %exponent, %is_less : i32
    %7 = arith.extui %6 : i32 to i64
    %exponent_1 = arith.trunci %7 : i64 to i32
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c26 = arith.constant 26 : index
    %c1 = arith.constant 1 : index
    %rest_2, %quotient = scf.for %i = %c0 to %c26 step %c1 iter_args(%rest_3 = %rest_1, %quotient_1 = %c0_i32) -> (i32, i32) {
      %8 = arith.cmpi uge, %rest_3, %divisor : i32
      %fits = arith.extui %8 : i1 to i32
      %c1_i32 = arith.constant 1 : i32
      %9 = arith.shli %quotient_1, %c1_i32 : i32
      %quotient_2 = arith.ori %9, %fits : i32
      %c0_i32_1 = arith.constant 0 : i32
      %10 = arith.subi %c0_i32_1, %fits : i32
      %11 = arith.andi %divisor, %10 : i32
      %12 = arith.subi %rest_3, %11 : i32
      %rest_4 = arith.shli %12, %c1_i32 : i32
      scf.yield %rest_4, %quotient_2 : i32, i32
    }
    %13 = arith.cmpi ne, %rest_2, %c0_i32 : i32
    %14 = arith.extui %13 : i1 to i32
    %15 = arith.ori %quotient, %14 : i32
    %result = func.call @rounded(%sign, %exponent_1, %15) : (i32, i32, i32) -> f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %16 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %17 = arith.cmpi eq, %b_1, %c0_i32 : i32
    %18 = arith.ori %16, %17 : i1
    %19 = arith.ori %sign, %c2139095040_i32 : i32
    %20 = ocl.bitcast %19 : i32 to f32
    %result_1 = arith.select %18, %20, %result : f32
    %21 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %22 = arith.cmpi eq, %b_1, %c2139095040_i32 : i32
    %23 = arith.ori %21, %22 : i1
    %24 = ocl.bitcast %sign : i32 to f32
    %result_2 = arith.select %23, %24, %result_1 : f32
    %25 = arith.cmpi ugt, %a_1, %c2139095040_i32 : i32
    %26 = arith.cmpi ugt, %b_1, %c2139095040_i32 : i32
    %27 = arith.ori %25, %26 : i1
    %28 = arith.cmpi eq, %a_1, %b_1 : i32
    %29 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %30 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %31 = arith.ori %29, %30 : i1
    %32 = arith.andi %28, %31 : i1
    %is_nan = arith.ori %27, %32 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %33 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_3 = arith.select %is_nan, %33, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @sqrt_f32(%x: f32) -> f32 attributes {ocl.unsigned = ["a", "digits", "fits", "rest", "root", "trial"]} {
    %a = ocl.bitcast %x : f32 to i32
    %0 = func.call @exponent_of(%a) : (i32) -> i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.subi %0, %c127_i32 : i32
    %1 = func.call @significand_of(%a) : (i32) -> i32
    %c7_i32 = arith.constant 7 : i32
    %digits = arith.shli %1, %c7_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.andi %exponent, %c1_i32 : i32
    %c31_i32 = arith.constant 31 : i32
    %3 = arith.andi %2, %c31_i32 : i32
    %digits_1 = arith.shli %digits, %3 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c26 = arith.constant 26 : index
    %c1 = arith.constant 1 : index
    %digits_2, %root, %rest = scf.for %i = %c0 to %c26 step %c1 iter_args(%digits_3 = %digits_1, %root_1 = %c0_i32, %rest_1 = %c0_i32) -> (i32, i32, i32) {
      %c2_i32 = arith.constant 2 : i32
      %4 = arith.shli %rest_1, %c2_i32 : i32
      %c30_i32 = arith.constant 30 : i32
      %5 = arith.shrui %digits_3, %c30_i32 : i32
      %rest_2 = arith.ori %4, %5 : i32
      %digits_4 = arith.shli %digits_3, %c2_i32 : i32
      %6 = arith.shli %root_1, %c2_i32 : i32
      %c1_i32_1 = arith.constant 1 : i32
      %trial = arith.ori %6, %c1_i32_1 : i32
      %7 = arith.cmpi uge, %rest_2, %trial : i32
      %fits = arith.extui %7 : i1 to i32
      %c0_i32_1 = arith.constant 0 : i32
      %8 = arith.subi %c0_i32_1, %fits : i32
      %9 = arith.andi %trial, %8 : i32
      %rest_3 = arith.subi %rest_2, %9 : i32
      %10 = arith.shli %root_1, %c1_i32_1 : i32
      %root_2 = arith.ori %10, %fits : i32
      scf.yield %digits_4, %root_2, %rest_3 : i32, i32, i32
    }
    %11 = arith.shrsi %exponent, %c1_i32 : i32
    %12 = arith.addi %11, %c127_i32 : i32
    %13 = arith.cmpi ne, %rest, %c0_i32 : i32
    %14 = arith.extui %13 : i1 to i32
    %15 = arith.ori %root, %14 : i32
    %result = func.call @rounded(%c0_i32, %12, %15) : (i32, i32, i32) -> f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %16 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %17 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_1 = arith.select %16, %17, %result : f32
    %18 = arith.shli %a, %c1_i32 : i32
    %19 = arith.cmpi eq, %18, %c0_i32 : i32
    %20 = arith.cmpi eq, %a, %c2139095040_i32 : i32
    %21 = arith.ori %19, %20 : i1
    %result_2 = arith.select %21, %x, %result_1 : f32
    func.return %result_2 : f32
  }
  func.func private @jammed(%m: i64, %shift: i32) -> i64 attributes {ocl.unsigned = ["kept", "m", "result"]} {
    %c63_i32 = arith.constant 63 : i32
    %0 = arith.cmpi sgt, %shift, %c63_i32 : i32
    %result = scf.if %0 -> (i64) {
      %c1_i64 = arith.constant 1 : i64
      scf.yield %c1_i64 : i64
    } else {
      %1 = arith.extsi %shift : i32 to i64
      %c63_i64 = arith.constant 63 : i64
      %2 = arith.andi %1, %c63_i64 : i64
      %kept = arith.shrui %m, %2 : i64
      %3 = arith.extsi %shift : i32 to i64
      %4 = arith.andi %3, %c63_i64 : i64
      %5 = arith.shli %kept, %4 : i64
      %6 = arith.cmpi ne, %5, %m : i64
      %7 = arith.extui %6 : i1 to i32
      %8 = arith.extsi %7 : i32 to i64
      %result_1 = arith.ori %kept, %8 : i64
      scf.yield %result_1 : i64
    }
    func.return %result : i64
  }
  func.func private @fma_f32(%x: f32, %y: f32, %z: f32) -> f32 attributes {ocl.unsigned = ["a", "apart", "b", "c", "m", "moved", "other", "product", "sign", "sum", "summand"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %0, %c2147483647_i32 : i32
    %1 = ocl.bitcast %y : f32 to i32
    %b = arith.andi %1, %c2147483647_i32 : i32
    %2 = ocl.bitcast %z : f32 to i32
    %c = arith.andi %2, %c2147483647_i32 : i32
    %3 = ocl.bitcast %x : f32 to i32
    %4 = ocl.bitcast %y : f32 to i32
    %5 = arith.xori %3, %4 : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %5, %c2147483648_i32 : i32
    %6 = ocl.bitcast %z : f32 to i32
    %other = arith.andi %6, %c2147483648_i32 : i32
    %7 = func.call @significand_of(%a) : (i32) -> i32
    %8 = func.call @significand_of(%b) : (i32) -> i32
    %9 = func.call @wide_product(%7, %8) : (i32, i32) -> i64
    %c14_i64 = arith.constant 14 : i64
    %product = arith.shli %9, %c14_i64 : i64
    %10 = func.call @significand_of(%c) : (i32) -> i32
    %11 = arith.extui %10 : i32 to i64
    %c37_i64 = arith.constant 37 : i64
    %summand = arith.shli %11, %c37_i64 : i64
    %12 = func.call @exponent_of(%a) : (i32) -> i32
    %13 = func.call @exponent_of(%b) : (i32) -> i32
    %14 = arith.addi %12, %13 : i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.subi %14, %c127_i32 : i32
    %15 = func.call @exponent_of(%c) : (i32) -> i32
    %difference = arith.subi %exponent, %15 : i32
    %c0_i32 = arith.constant 0 : i32
    %is_below = arith.cmpi slt, %difference, %c0_i32 : i32
    %16 = arith.select %is_below, %product, %summand : i64
    %17 = arith.subi %c0_i32, %difference : i32
    %18 = arith.select %is_below, %17, %difference : i32
    %moved = func.call @jammed(%16, %18) : (i64, i32) -> i64
    %product_1 = arith.select %is_below, %moved, %product : i64
    %summand_1 = arith.select %is_below, %summand, %moved : i64
    %19 = arith.subi %exponent, %difference : i32
    %exponent_1 = arith.select %is_below, %19, %exponent : i32
    %is_less = arith.cmpi ult, %product_1, %summand_1 : i64
    %20 = arith.subi %summand_1, %product_1 : i64
    %21 = arith.subi %product_1, %summand_1 : i64
    %apart = arith.select %is_less, %20, %21 : i64
    %22 = arith.cmpi eq, %sign, %other : i32
    %23 = arith.addi %product_1, %summand_1 : i64
    %sum = arith.select %22, %23, %apart : i64
    %24 = func.call @clz_i64(%sum) : (i64) -> i64
    %25 = arith.trunci %24 : i64 to i32
    %c3_i32 = arith.constant 3 : i32
    %up = arith.subi %25, %c3_i32 : i32
    %26 = arith.cmpi slt, %up, %c0_i32 : i32
    %m = scf.if %26 -> (i64) {
      %c0_i32_1 = arith.constant 0 : i32
      %27 = arith.subi %c0_i32_1, %up : i32
      %28 = func.call @jammed(%sum, %27) : (i64, i32) -> i64
      scf.yield %28 : i64
    } else {
      %c63_i32 = arith.constant 63 : i32
      %29 = arith.andi %up, %c63_i32 : i32
      %30 = arith.extsi %29 : i32 to i64
      %c63_i64 = arith.constant 63 : i64
      %31 = arith.andi %30, %c63_i64 : i64
      %32 = arith.shli %sum, %31 : i64
      scf.yield %32 : i64
    }
    %33 = arith.select %is_less, %other, %sign : i32
    %34 = arith.subi %exponent_1, %up : i32
    %c35_i32 = arith.constant 35 : i32
    %35 = func.call @jammed(%m, %c35_i32) : (i64, i32) -> i64
    %36 = arith.trunci %35 : i64 to i32
    %result = func.call @rounded(%33, %34, %36) : (i32, i32, i32) -> f32
    %c0_i64 = arith.constant 0 : i64
    %37 = arith.cmpi eq, %sum, %c0_i64 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %result_1 = arith.select %37, %cst, %result : f32
    %38 = arith.cmpi eq, %c, %c0_i32 : i32
    %39 = arith.mulf %x, %y {ocl.no_contract} : f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %40 = arith.cmpi uge, %c, %c2139095040_i32 : i32
    %41 = arith.addf %z, %z : f32
    %42 = arith.select %40, %41, %result_1 : f32
    %result_2 = arith.select %38, %39, %42 : f32
    %43 = arith.cmpi eq, %a, %c0_i32 : i32
    %44 = arith.cmpi eq, %b, %c0_i32 : i32
    %45 = arith.ori %43, %44 : i1
    %46 = arith.cmpi uge, %a, %c2139095040_i32 : i32
    %47 = arith.ori %45, %46 : i1
    %48 = arith.cmpi uge, %b, %c2139095040_i32 : i32
    %is_special = arith.ori %47, %48 : i1
    %49 = arith.mulf %x, %y : f32
    %50 = arith.addf %49, %z : f32
    %result_3 = arith.select %is_special, %50, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @trunc_f32(%x: f32) -> f32 attributes {ocl.unsigned = ["sign"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %1 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %2 = arith.andi %1, %c2147483647_i32 : i32
    %c1258291200_i32 = arith.constant 1258291200 : i32
    %3 = arith.cmpi uge, %2, %c1258291200_i32 : i32
    %result = scf.if %3 -> (f32) {
      scf.yield %x : f32
    } else {
      %4 = arith.fptosi %x : f32 to i32
      %5 = arith.sitofp %4 : i32 to f32
      %6 = ocl.bitcast %5 : f32 to i32
      %7 = arith.ori %6, %sign : i32
      %result_1 = ocl.bitcast %7 : i32 to f32
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func private @floor_f32(%x: f32) -> f32 {
    %whole = func.call @trunc_f32(%x) : (f32) -> f32
    %0 = arith.cmpf ogt, %whole, %x : f32
    %cst = arith.constant 1.000000e+00 : f32
    %1 = arith.subf %whole, %cst : f32
    %result = arith.select %0, %1, %whole : f32
    func.return %result : f32
  }
  func.func private @ceil_f32(%x: f32) -> f32 {
    %whole = func.call @trunc_f32(%x) : (f32) -> f32
    %0 = arith.cmpf olt, %whole, %x : f32
    %cst = arith.constant 1.000000e+00 : f32
    %1 = arith.addf %whole, %cst : f32
    %2 = ocl.bitcast %1 : f32 to i32
    %3 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %4 = arith.andi %3, %c2147483648_i32 : i32
    %5 = arith.ori %2, %4 : i32
    %6 = ocl.bitcast %5 : i32 to f32
    %result = arith.select %0, %6, %whole : f32
    func.return %result : f32
  }
  func.func private @round_f32(%x: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %size = ocl.bitcast %1 : i32 to f32
    %whole = func.call @trunc_f32(%size) : (f32) -> f32
    %2 = arith.subf %size, %whole : f32
    %cst = arith.constant 5.000000e-01 : f32
    %3 = arith.cmpf oge, %2, %cst : f32
    %whole_1 = scf.if %3 -> (f32) {
      %cst_1 = arith.constant 1.000000e+00 : f32
      %whole_2 = arith.addf %whole, %cst_1 : f32
      scf.yield %whole_2 : f32
    } else {
      scf.yield %whole : f32
    }
    %4 = ocl.bitcast %whole_1 : f32 to i32
    %5 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %6 = arith.andi %5, %c2147483648_i32 : i32
    %7 = arith.ori %4, %6 : i32
    %result = ocl.bitcast %7 : i32 to f32
    func.return %result : f32
  }
  func.func private @roundeven_f32(%x: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %size = ocl.bitcast %1 : i32 to f32
    %cst = arith.constant 0x4B000000 : f32
    %2 = arith.cmpf olt, %size, %cst : f32
    %size_1 = scf.if %2 -> (f32) {
      %cst_1 = arith.constant 0x4B000000 : f32
      %3 = arith.addf %size, %cst_1 : f32
      %size_2 = arith.subf %3, %cst_1 : f32
      scf.yield %size_2 : f32
    } else {
      scf.yield %size : f32
    }
    %4 = ocl.bitcast %size_1 : f32 to i32
    %5 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %6 = arith.andi %5, %c2147483648_i32 : i32
    %7 = arith.ori %4, %6 : i32
    %result = ocl.bitcast %7 : i32 to f32
    func.return %result : f32
  }
  func.func private @fmod_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "divisor", "rest"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %0, %c2147483647_i32 : i32
    %1 = ocl.bitcast %y : f32 to i32
    %b = arith.andi %1, %c2147483647_i32 : i32
    %2 = func.call @exponent_of(%a) : (i32) -> i32
    %3 = func.call @exponent_of(%b) : (i32) -> i32
    %steps = arith.subi %2, %3 : i32
    %rest = func.call @significand_of(%a) : (i32) -> i32
    %divisor = func.call @significand_of(%b) : (i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %4 = arith.index_cast %steps : i32 to index
    %c1_i32 = arith.constant 1 : i32
    %c1 = arith.constant 1 : index
    %rest_1 = scf.for %i = %c0 to %4 step %c1 iter_args(%rest_2 = %rest) -> (i32) {
      %5 = arith.cmpi uge, %rest_2, %divisor : i32
      %6 = arith.extui %5 : i1 to i32
      %c0_i32_1 = arith.constant 0 : i32
      %7 = arith.subi %c0_i32_1, %6 : i32
      %8 = arith.andi %divisor, %7 : i32
      %rest_3 = arith.subi %rest_2, %8 : i32
      %c1_i32_1 = arith.constant 1 : i32
      %rest_4 = arith.shli %rest_3, %c1_i32_1 : i32
      scf.yield %rest_4 : i32
    }
    %9 = arith.cmpi uge, %rest_1, %divisor : i32
    %10 = arith.extui %9 : i1 to i32
    %11 = arith.subi %c0_i32, %10 : i32
    %12 = arith.andi %divisor, %11 : i32
    %rest_5 = arith.subi %rest_1, %12 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %is_small = arith.cmpi ult, %b, %c8388608_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %13 = arith.shrui %b, %c23_i32 : i32
    %14 = arith.select %is_small, %c1_i32, %13 : i32
    %15 = arith.extui %14 : i32 to i64
    %unit = arith.trunci %15 : i64 to i32
    %16 = scf.if %is_small -> (i32) {
      %c1_i32_2 = arith.constant 1 : i32
      %17 = func.call @exponent_of(%b) : (i32) -> i32
      %18 = arith.subi %c1_i32_2, %17 : i32
      scf.yield %18 : i32
    } else {
      %c0_i32_2 = arith.constant 0 : i32
      scf.yield %c0_i32_2 : i32
    }
    %c31_i32 = arith.constant 31 : i32
    %19 = arith.andi %16, %c31_i32 : i32
    %rest_6 = arith.shrui %rest_5, %19 : i32
    %c24_i32 = arith.constant 24 : i32
    %20 = arith.cmpi slt, %unit, %c24_i32 : i32
    %21 = arith.subi %unit, %c1_i32 : i32
    %22 = arith.andi %21, %c31_i32 : i32
    %23 = arith.andi %22, %c31_i32 : i32
    %24 = arith.shli %c1_i32, %23 : i32
    %25 = arith.subi %unit, %c23_i32 : i32
    %26 = arith.shli %25, %c23_i32 : i32
    %27 = arith.select %20, %24, %26 : i32
    %size = ocl.bitcast %27 : i32 to f32
    %28 = arith.extui %rest_6 : i32 to i64
    %29 = arith.trunci %28 : i64 to i32
    %30 = arith.sitofp %29 : i32 to f32
    %31 = arith.mulf %30, %size {ocl.no_contract} : f32
    %32 = ocl.bitcast %31 : f32 to i32
    %33 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %34 = arith.andi %33, %c2147483648_i32 : i32
    %35 = arith.ori %32, %34 : i32
    %result = ocl.bitcast %35 : i32 to f32
    %36 = arith.cmpi slt, %steps, %c0_i32 : i32
    %37 = arith.cmpi eq, %a, %c0_i32 : i32
    %38 = arith.ori %36, %37 : i1
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %39 = arith.cmpi eq, %b, %c2139095040_i32 : i32
    %40 = arith.ori %38, %39 : i1
    %result_1 = arith.select %40, %x, %result : f32
    %41 = arith.cmpi uge, %a, %c2139095040_i32 : i32
    %42 = arith.cmpi ugt, %b, %c2139095040_i32 : i32
    %43 = arith.ori %41, %42 : i1
    %44 = arith.cmpi eq, %b, %c0_i32 : i32
    %45 = arith.ori %43, %44 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %46 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_2 = arith.select %45, %46, %result_1 : f32
    func.return %result_2 : f32
  }
  func.func private @remainder_f32(%x: f32, %y: f32) -> f32 {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %a = ocl.bitcast %1 : i32 to f32
    %2 = ocl.bitcast %y : f32 to i32
    %3 = arith.andi %2, %c2147483647_i32 : i32
    %b = ocl.bitcast %3 : i32 to f32
    %cst = arith.constant 1.70141183e+38 : f32
    %4 = arith.cmpf olt, %b, %cst : f32
    %rest = scf.if %4 -> (f32) {
      %5 = arith.addf %b, %b : f32
      %6 = func.call @fmod_f32(%a, %5) : (f32, f32) -> f32
      scf.yield %6 : f32
    } else {
      scf.yield %a : f32
    }
    %cst_1 = arith.constant 1.000000e+00 : f32
    %is_small = arith.cmpf olt, %b, %cst_1 : f32
    %cst_2 = arith.constant 2.000000e+00 : f32
    %scale = arith.select %is_small, %cst_2, %cst_1 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %7 = arith.mulf %cst_3, %b {ocl.no_contract} : f32
    %middle = arith.select %is_small, %b, %7 : f32
    %8 = arith.mulf %rest, %scale : f32
    %is_over = arith.cmpf ogt, %8, %middle : f32
    %9 = arith.subf %rest, %b : f32
    %rest_1 = arith.select %is_over, %9, %rest : f32
    %10 = arith.mulf %rest_1, %scale : f32
    %11 = arith.cmpf oge, %10, %middle : f32
    %12 = arith.andi %is_over, %11 : i1
    %13 = arith.subf %rest_1, %b : f32
    %rest_2 = arith.select %12, %13, %rest_1 : f32
    %14 = ocl.bitcast %rest_2 : f32 to i32
    %15 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %16 = arith.andi %15, %c2147483648_i32 : i32
    %17 = arith.xori %14, %16 : i32
    %result = ocl.bitcast %17 : i32 to f32
    %18 = ocl.bitcast %a : f32 to i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %19 = arith.cmpi uge, %18, %c2139095040_i32 : i32
    %20 = ocl.bitcast %b : f32 to i32
    %21 = arith.cmpi ugt, %20, %c2139095040_i32 : i32
    %22 = arith.ori %19, %21 : i1
    %cst_4 = arith.constant 0.000000e+00 : f32
    %23 = arith.cmpf oeq, %b, %cst_4 : f32
    %is_nan = arith.ori %22, %23 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %24 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %25 = ocl.bitcast %b : f32 to i32
    %26 = arith.cmpi eq, %25, %c2139095040_i32 : i32
    %27 = arith.select %26, %x, %result : f32
    %result_1 = arith.select %is_nan, %24, %27 : f32
    func.return %result_1 : f32
  }
  func.func private @to_f32_u64(%a: i64) -> f32 attributes {ocl.unsigned = ["a"]} {
    %0 = func.call @clz_i64(%a) : (i64) -> i64
    %1 = arith.trunci %0 : i64 to i32
    %c63_i32 = arith.constant 63 : i32
    %up = arith.andi %1, %c63_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c190_i32 = arith.constant 190 : i32
    %2 = arith.subi %c190_i32, %up : i32
    %3 = arith.extsi %up : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %4 = arith.andi %3, %c63_i64 : i64
    %5 = arith.shli %a, %4 : i64
    %c38_i32 = arith.constant 38 : i32
    %6 = func.call @jammed(%5, %c38_i32) : (i64, i32) -> i64
    %7 = arith.trunci %6 : i64 to i32
    %result = func.call @rounded(%c0_i32, %2, %7) : (i32, i32, i32) -> f32
    %c0_i64 = arith.constant 0 : i64
    %8 = arith.cmpi eq, %a, %c0_i64 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %result_1 = arith.select %8, %cst, %result : f32
    func.return %result_1 : f32
  }
  func.func private @to_f32_s64(%a: i64) -> f32 attributes {ocl.unsigned = ["a"]} {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %size = func.call @to_f32_u64(%0) : (i64) -> f32
    %1 = ocl.bitcast %size : f32 to i32
    %c32_i64 = arith.constant 32 : i64
    %2 = arith.shrui %a, %c32_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %4 = arith.andi %3, %c2147483648_i32 : i32
    %5 = arith.ori %1, %4 : i32
    %result = ocl.bitcast %5 : i32 to f32
    func.return %result : f32
  }
  func.func private @to_u64_f32(%x: f32) -> i64 attributes {ocl.unsigned = ["a", "m", "result"]} {
    %a = ocl.bitcast %x : f32 to i32
    %c23_i32 = arith.constant 23 : i32
    %0 = arith.shrui %a, %c23_i32 : i32
    %c255_i32 = arith.constant 255 : i32
    %1 = arith.andi %0, %c255_i32 : i32
    %c127_i32 = arith.constant 127 : i32
    %2 = arith.subi %1, %c127_i32 : i32
    %exponent = arith.subi %2, %c23_i32 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %3 = arith.cmpf ult, %x, %cst : f32
    %result = scf.if %3 -> (i64) {
      %c0_i64 = arith.constant 0 : i64
      scf.yield %c0_i64 : i64
    } else {
      %c40_i32 = arith.constant 40 : i32
      %4 = arith.cmpi sgt, %exponent, %c40_i32 : i32
      %result_1 = scf.if %4 -> (i64) {
        %c18446744073709551615_i64 = arith.constant -1 : i64
        scf.yield %c18446744073709551615_i64 : i64
      } else {
        %5 = func.call @significand_of(%a) : (i32) -> i32
        %m = arith.extui %5 : i32 to i64
        %c0_i32 = arith.constant 0 : i32
        %6 = arith.cmpi slt, %exponent, %c0_i32 : i32
        %7 = arith.subi %c0_i32, %exponent : i32
        %8 = arith.extsi %7 : i32 to i64
        %c63_i64 = arith.constant 63 : i64
        %9 = arith.andi %8, %c63_i64 : i64
        %10 = arith.shrui %m, %9 : i64
        %11 = arith.extsi %exponent : i32 to i64
        %12 = arith.andi %11, %c63_i64 : i64
        %13 = arith.shli %m, %12 : i64
        %result_2 = arith.select %6, %10, %13 : i64
        scf.yield %result_2 : i64
      }
      scf.yield %result_1 : i64
    }
    func.return %result : i64
  }
  func.func private @to_s64_f32(%x: f32) -> i64 attributes {ocl.unsigned = ["result", "size"]} {
    %cst = arith.constant 9.22337204e+18 : f32
    %0 = arith.cmpf oge, %x, %cst : f32
    %result = scf.if %0 -> (i64) {
      %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
      scf.yield %c9223372036854775807_i64 : i64
    } else {
      %cst_1 = arith.constant -9.22337204e+18 : f32
      %1 = arith.cmpf ole, %x, %cst_1 : f32
      %result_1 = scf.if %1 -> (i64) {
        %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
        scf.yield %c9223372036854775808_i64 : i64
      } else {
        %2 = ocl.bitcast %x : f32 to i32
        %c2147483647_i32 = arith.constant 2147483647 : i32
        %3 = arith.andi %2, %c2147483647_i32 : i32
        %4 = ocl.bitcast %3 : i32 to f32
        %size = func.call @to_u64_f32(%4) : (f32) -> i64
        %5 = ocl.bitcast %x : f32 to i32
        %c31_i32 = arith.constant 31 : i32
        %6 = arith.shrui %5, %c31_i32 : i32
        %c0_i32 = arith.constant 0 : i32
        %7 = arith.cmpi ne, %6, %c0_i32 : i32
        %c0_i64 = arith.constant 0 : i64
        %8 = arith.subi %c0_i64, %size : i64
        %result_2 = arith.select %7, %8, %size : i64
        scf.yield %result_2 : i64
      }
      scf.yield %result_1 : i64
    }
    func.return %result : i64
  }
  func.func private @to_f32_f16(%half_bits: i16) -> f32 attributes {ocl.unsigned = ["bits", "half_bits", "sign"]} {
    %0 = arith.extui %half_bits : i16 to i32
    %c32768_i32 = arith.constant 32768 : i32
    %1 = arith.andi %0, %c32768_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %sign = arith.shli %1, %c16_i32 : i32
    %2 = arith.extui %half_bits : i16 to i32
    %c32767_i32 = arith.constant 32767 : i32
    %3 = arith.andi %2, %c32767_i32 : i32
    %c13_i32 = arith.constant 13 : i32
    %bits = arith.shli %3, %c13_i32 : i32
    %c260046848_i32 = arith.constant 260046848 : i32
    %4 = arith.cmpi uge, %bits, %c260046848_i32 : i32
    %result = scf.if %4 -> (f32) {
      %c1879048192_i32 = arith.constant 1879048192 : i32
      %5 = arith.addi %bits, %c1879048192_i32 : i32
      %6 = arith.ori %sign, %5 : i32
      %result_1 = ocl.bitcast %6 : i32 to f32
      scf.yield %result_1 : f32
    } else {
      %c8388608_i32 = arith.constant 8388608 : i32
      %7 = arith.cmpi ult, %bits, %c8388608_i32 : i32
      %result_2 = scf.if %7 -> (f32) {
        %8 = arith.extui %half_bits : i16 to i32
        %c32767_i32_1 = arith.constant 32767 : i32
        %9 = arith.andi %8, %c32767_i32_1 : i32
        %10 = arith.sitofp %9 : i32 to f32
        %cst = arith.constant 5.96046448e-08 : f32
        %11 = arith.mulf %10, %cst {ocl.no_contract} : f32
        %12 = ocl.bitcast %11 : f32 to i32
        %13 = arith.ori %sign, %12 : i32
        %result_3 = ocl.bitcast %13 : i32 to f32
        scf.yield %result_3 : f32
      } else {
        %c939524096_i32 = arith.constant 939524096 : i32
        %14 = arith.addi %bits, %c939524096_i32 : i32
        %15 = arith.ori %sign, %14 : i32
        %result_4 = ocl.bitcast %15 : i32 to f32
        scf.yield %result_4 : f32
      }
      scf.yield %result_2 : f32
    }
    func.return %result : f32
  }
  func.func private @to_f16_f32(%x: f32) -> i16 attributes {ocl.unsigned = ["a", "result", "sign"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.shrui %0, %c16_i32 : i32
    %c32768_i32 = arith.constant 32768 : i32
    %sign = arith.andi %1, %c32768_i32 : i32
    %2 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %2, %c2147483647_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %3 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %result = scf.if %3 -> (i16) {
      %c32256_i32 = arith.constant 32256 : i32
      %4 = arith.ori %sign, %c32256_i32 : i32
      %result_1 = arith.trunci %4 : i32 to i16
      scf.yield %result_1 : i16
    } else {
      %c1199566848_i32 = arith.constant 1199566848 : i32
      %5 = arith.cmpi uge, %a, %c1199566848_i32 : i32
      %result_2 = scf.if %5 -> (i16) {
        %c31744_i32 = arith.constant 31744 : i32
        %6 = arith.ori %sign, %c31744_i32 : i32
        %result_3 = arith.trunci %6 : i32 to i16
        scf.yield %result_3 : i16
      } else {
        %c947912704_i32 = arith.constant 947912704 : i32
        %7 = arith.cmpi ult, %a, %c947912704_i32 : i32
        %result_4 = scf.if %7 -> (i16) {
          %8 = ocl.bitcast %a : i32 to f32
          %cst = arith.constant 5.000000e-01 : f32
          %9 = arith.addf %8, %cst : f32
          %10 = ocl.bitcast %9 : f32 to i32
          %c1056964608_i32 = arith.constant 1056964608 : i32
          %11 = arith.subi %10, %c1056964608_i32 : i32
          %12 = arith.ori %sign, %11 : i32
          %result_5 = arith.trunci %12 : i32 to i16
          scf.yield %result_5 : i16
        } else {
          %c4095_i32 = arith.constant 4095 : i32
          %13 = arith.addi %a, %c4095_i32 : i32
          %c13_i32 = arith.constant 13 : i32
          %14 = arith.shrui %a, %c13_i32 : i32
          %c1_i32 = arith.constant 1 : i32
          %15 = arith.andi %14, %c1_i32 : i32
          %16 = arith.addi %13, %15 : i32
          %c939524096_i32 = arith.constant 939524096 : i32
          %17 = arith.subi %16, %c939524096_i32 : i32
          %18 = arith.shrui %17, %c13_i32 : i32
          %19 = arith.ori %sign, %18 : i32
          %result_6 = arith.trunci %19 : i32 to i16
          scf.yield %result_6 : i16
        }
        scf.yield %result_4 : i16
      }
      scf.yield %result_2 : i16
    }
    func.return %result : i16
  }
  func.func private @mul_i32_by_sums(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "factor", "result", "sum", "term"]} {
    %factor = arith.minui %a, %b : i32
    %term = arith.maxui %a, %b : i32
    %c0_i32 = arith.constant 0 : i32
    %factor_1, %term_1, %sum = scf.while (%factor_2 = %factor, %term_2 = %term, %sum_1 = %c0_i32) : (i32, i32, i32) -> (i32, i32, i32) {
      %c0_i32_1 = arith.constant 0 : i32
      %0 = arith.cmpi ne, %factor_2, %c0_i32_1 : i32
      scf.condition(%0) %factor_2, %term_2, %sum_1 : i32, i32, i32
    } do {
    ^bb0(%factor_3: i32, %term_3: i32, %sum_2: i32):
      %c1_i32 = arith.constant 1 : i32
      %1 = arith.andi %factor_3, %c1_i32 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %2 = arith.subi %c0_i32_2, %1 : i32
      %3 = arith.andi %term_3, %2 : i32
      %sum_3 = arith.addi %sum_2, %3 : i32
      %term_4 = arith.shli %term_3, %c1_i32 : i32
      %factor_4 = arith.shrui %factor_3, %c1_i32 : i32
      scf.yield %factor_4, %term_4, %sum_3 : i32, i32, i32
    }
    func.return %sum : i32
  }
  func.func private @wide_product_by_integers(%a: i32, %b: i32) -> i64 attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "high", "low", "middle", "other", "result"]} {
    %c65535_i32 = arith.constant 65535 : i32
    %a0 = arith.andi %a, %c65535_i32 : i32
    %c16_i32 = arith.constant 16 : i32
    %a1 = arith.shrui %a, %c16_i32 : i32
    %b0 = arith.andi %b, %c65535_i32 : i32
    %b1 = arith.shrui %b, %c16_i32 : i32
    %low = arith.muli %a0, %b0 : i32
    %0 = arith.muli %a1, %b0 : i32
    %1 = arith.shrui %low, %c16_i32 : i32
    %middle = arith.addi %0, %1 : i32
    %2 = arith.muli %a0, %b1 : i32
    %3 = arith.andi %middle, %c65535_i32 : i32
    %other = arith.addi %2, %3 : i32
    %4 = arith.muli %a1, %b1 : i32
    %5 = arith.shrui %middle, %c16_i32 : i32
    %6 = arith.addi %4, %5 : i32
    %7 = arith.shrui %other, %c16_i32 : i32
    %high = arith.addi %6, %7 : i32
    %8 = arith.extui %high : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %9 = arith.shli %8, %c32_i64 : i64
    %10 = arith.shli %other, %c16_i32 : i32
    %11 = arith.andi %low, %c65535_i32 : i32
    %12 = arith.ori %10, %11 : i32
    %13 = arith.extui %12 : i32 to i64
    %result = arith.ori %9, %13 : i64
    func.return %result : i64
  }
  func.func private @mul_i64_by_integers(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "cross", "result"]} {
    %0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %b, %c32_i64 : i64
    %2 = arith.trunci %1 : i64 to i32
    %3 = arith.muli %0, %2 : i32
    %4 = arith.shrui %a, %c32_i64 : i64
    %5 = arith.trunci %4 : i64 to i32
    %6 = arith.trunci %b : i64 to i32
    %7 = arith.muli %5, %6 : i32
    %cross = arith.addi %3, %7 : i32
    %8 = arith.trunci %a : i64 to i32
    %9 = arith.trunci %b : i64 to i32
    %10 = func.call @wide_product_by_integers(%8, %9) : (i32, i32) -> i64
    %11 = arith.extui %cross : i32 to i64
    %12 = arith.shli %11, %c32_i64 : i64
    %result = arith.addi %10, %12 : i64
    func.return %result : i64
  }
  func.func private @mulhi_u32_by_integers(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "result"]} {
    %0 = func.call @wide_product_by_integers(%a, %b) : (i32, i32) -> i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @mulhi_s32_by_integers(%a: i32, %b: i32) -> i32 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
    %high = func.call @mulhi_u32_by_integers(%a, %b) : (i32, i32) -> i32
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.shrui %a, %c31_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi ne, %0, %c0_i32 : i32
    %high_1 = scf.if %1 -> (i32) {
      %high_2 = arith.subi %high, %b : i32
      scf.yield %high_2 : i32
    } else {
      scf.yield %high : i32
    }
    %2 = arith.shrui %b, %c31_i32 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %high_3 = scf.if %3 -> (i32) {
      %high_4 = arith.subi %high_1, %a : i32
      scf.yield %high_4 : i32
    } else {
      scf.yield %high_1 : i32
    }
    func.return %high_3 : i32
  }
  func.func private @mulhi_u64_by_integers(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "low", "middle", "other", "result"]} {
    %a0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %a1 = arith.trunci %0 : i64 to i32
    %b0 = arith.trunci %b : i64 to i32
    %1 = arith.shrui %b, %c32_i64 : i64
    %b1 = arith.trunci %1 : i64 to i32
    %low = func.call @wide_product_by_integers(%a0, %b0) : (i32, i32) -> i64
    %2 = func.call @wide_product_by_integers(%a1, %b0) : (i32, i32) -> i64
    %3 = arith.shrui %low, %c32_i64 : i64
    %middle = arith.addi %2, %3 : i64
    %4 = func.call @wide_product_by_integers(%a0, %b1) : (i32, i32) -> i64
    %5 = arith.trunci %middle : i64 to i32
    %6 = arith.extui %5 : i32 to i64
    %other = arith.addi %4, %6 : i64
    %7 = func.call @wide_product_by_integers(%a1, %b1) : (i32, i32) -> i64
    %8 = arith.shrui %middle, %c32_i64 : i64
    %9 = arith.addi %7, %8 : i64
    %10 = arith.shrui %other, %c32_i64 : i64
    %result = arith.addi %9, %10 : i64
    func.return %result : i64
  }
  func.func private @mulhi_s64_by_integers(%a: i64, %b: i64) -> i64 attributes {ocl.unsigned = ["a", "b", "high", "result"]} {
    %high = func.call @mulhi_u64_by_integers(%a, %b) : (i64, i64) -> i64
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %high_1 = scf.if %1 -> (i64) {
      %high_2 = arith.subi %high, %b : i64
      scf.yield %high_2 : i64
    } else {
      scf.yield %high : i64
    }
    %2 = arith.shrui %b, %c63_i64 : i64
    %3 = arith.cmpi ne, %2, %c0_i64 : i64
    %high_3 = scf.if %3 -> (i64) {
      %high_4 = arith.subi %high_1, %a : i64
      scf.yield %high_4 : i64
    } else {
      scf.yield %high_1 : i64
    }
    func.return %high_3 : i64
  }
  func.func private @jammed_word(%m: i32, %shift: i32) -> i32 attributes {ocl.unsigned = ["kept", "m", "result"]} {
    %c31_i32 = arith.constant 31 : i32
    %0 = arith.andi %shift, %c31_i32 : i32
    %kept = arith.shrui %m, %0 : i32
    %1 = arith.andi %shift, %c31_i32 : i32
    %2 = arith.shli %kept, %1 : i32
    %3 = arith.cmpi ne, %2, %m : i32
    %4 = arith.extui %3 : i1 to i32
    %result = arith.ori %kept, %4 : i32
    func.return %result : i32
  }
  func.func private @rounded_sum(%sign: i32, %exponent: i32, %sum: i32) -> f32 attributes {ocl.unsigned = ["m", "sign", "sum"]} {
    %0 = func.call @clz_i32(%sum) : (i32) -> i32
    %1 = arith.extui %0 : i32 to i64
    %zeros = arith.trunci %1 : i64 to i32
    %c6_i32 = arith.constant 6 : i32
    %2 = arith.cmpi slt, %zeros, %c6_i32 : i32
    %m = scf.if %2 -> (i32) {
      %c6_i32_1 = arith.constant 6 : i32
      %3 = arith.subi %c6_i32_1, %zeros : i32
      %c31_i32 = arith.constant 31 : i32
      %4 = arith.andi %3, %c31_i32 : i32
      %5 = func.call @jammed_word(%sum, %4) : (i32, i32) -> i32
      scf.yield %5 : i32
    } else {
      %c6_i32_2 = arith.constant 6 : i32
      %6 = arith.subi %zeros, %c6_i32_2 : i32
      %c31_i32_1 = arith.constant 31 : i32
      %7 = arith.andi %6, %c31_i32_1 : i32
      %8 = arith.andi %7, %c31_i32_1 : i32
      %9 = arith.shli %sum, %8 : i32
      scf.yield %9 : i32
    }
    %c5_i32 = arith.constant 5 : i32
    %10 = arith.addi %exponent, %c5_i32 : i32
    %11 = arith.subi %10, %zeros : i32
    %result = func.call @rounded(%sign, %11, %m) : (i32, i32, i32) -> f32
    func.return %result : f32
  }
  func.func private @add_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "e", "f", "first", "m", "n", "other", "second", "sign", "sum"]} {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %0 = arith.andi %b, %c2147483647_i32 : i32
    %1 = arith.andi %a, %c2147483647_i32 : i32
    %swaps = arith.cmpi ugt, %0, %1 : i32
    %first = arith.select %swaps, %b, %a : i32
    %second = arith.select %swaps, %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %first, %c2147483648_i32 : i32
    %other = arith.andi %second, %c2147483648_i32 : i32
    %first_1 = arith.andi %first, %c2147483647_i32 : i32
    %second_1 = arith.andi %second, %c2147483647_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %e = arith.shrui %first_1, %c23_i32 : i32
    %f = arith.shrui %second_1, %c23_i32 : i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %2 = arith.andi %first_1, %c8388607_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi ne, %e, %c0_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %4 = arith.select %3, %c8388608_i32, %c0_i32 : i32
    %5 = arith.ori %2, %4 : i32
    %c3_i32 = arith.constant 3 : i32
    %m = arith.shli %5, %c3_i32 : i32
    %6 = arith.andi %second_1, %c8388607_i32 : i32
    %7 = arith.cmpi ne, %f, %c0_i32 : i32
    %8 = arith.select %7, %c8388608_i32, %c0_i32 : i32
    %9 = arith.ori %6, %8 : i32
    %n = arith.shli %9, %c3_i32 : i32
    %10 = arith.cmpi eq, %e, %c0_i32 : i32
    %11 = arith.extui %10 : i1 to i32
    %e_1 = arith.addi %e, %11 : i32
    %12 = arith.cmpi eq, %f, %c0_i32 : i32
    %13 = arith.extui %12 : i1 to i32
    %f_1 = arith.addi %f, %13 : i32
    %14 = arith.subi %e_1, %f_1 : i32
    %c31_i32 = arith.constant 31 : i32
    %15 = arith.minui %14, %c31_i32 : i32
    %16 = arith.extui %15 : i32 to i64
    %17 = arith.trunci %16 : i64 to i32
    %n_1 = func.call @jammed_word(%n, %17) : (i32, i32) -> i32
    %18 = arith.cmpi eq, %sign, %other : i32
    %19 = arith.addi %m, %n_1 : i32
    %20 = arith.subi %m, %n_1 : i32
    %sum = arith.select %18, %19, %20 : i32
    %21 = arith.extui %e_1 : i32 to i64
    %22 = arith.trunci %21 : i64 to i32
    %result = func.call @rounded_sum(%sign, %22, %sum) : (i32, i32, i32) -> f32
    %23 = arith.cmpi eq, %sum, %c0_i32 : i32
    %24 = arith.andi %sign, %other : i32
    %25 = ocl.bitcast %24 : i32 to f32
    %result_1 = arith.select %23, %25, %result : f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %26 = arith.cmpi eq, %first_1, %c2139095040_i32 : i32
    %27 = arith.ori %sign, %c2139095040_i32 : i32
    %28 = ocl.bitcast %27 : i32 to f32
    %result_2 = arith.select %26, %28, %result_1 : f32
    %29 = arith.cmpi ugt, %first_1, %c2139095040_i32 : i32
    %30 = arith.cmpi eq, %second_1, %c2139095040_i32 : i32
    %31 = arith.cmpi ne, %sign, %other : i32
    %32 = arith.andi %30, %31 : i1
    %is_nan = arith.ori %29, %32 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %33 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_3 = arith.select %is_nan, %33, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @sub_f32(%x: f32, %y: f32) -> f32 {
    %0 = ocl.bitcast %y : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %1 = arith.xori %0, %c2147483648_i32 : i32
    %2 = ocl.bitcast %1 : i32 to f32
    %result = func.call @add_f32(%x, %2) : (f32, f32) -> f32
    func.return %result : f32
  }
  func.func private @mul_f32(%x: f32, %y: f32) -> f32 attributes {ocl.unsigned = ["a", "b", "high", "low", "m", "m0", "m1", "middle", "n", "n0", "n1", "product", "rest", "sign", "up"]} {
    %a = ocl.bitcast %x : f32 to i32
    %b = ocl.bitcast %y : f32 to i32
    %0 = arith.xori %a, %b : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %0, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %b_1 = arith.andi %b, %c2147483647_i32 : i32
    %1 = func.call @clz_i32(%a_1) : (i32) -> i32
    %2 = arith.extui %1 : i32 to i64
    %a_zeros = arith.trunci %2 : i64 to i32
    %3 = func.call @clz_i32(%b_1) : (i32) -> i32
    %4 = arith.extui %3 : i32 to i64
    %b_zeros = arith.trunci %4 : i64 to i32
    %c23_i32 = arith.constant 23 : i32
    %5 = arith.shrui %a_1, %c23_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %5, %c0_i32 : i32
    %7 = arith.shrui %a_1, %c23_i32 : i32
    %c9_i32 = arith.constant 9 : i32
    %8 = arith.subi %c9_i32, %a_zeros : i32
    %e = arith.select %6, %7, %8 : i32
    %9 = arith.shrui %b_1, %c23_i32 : i32
    %10 = arith.cmpi ne, %9, %c0_i32 : i32
    %11 = arith.shrui %b_1, %c23_i32 : i32
    %12 = arith.subi %c9_i32, %b_zeros : i32
    %f = arith.select %10, %11, %12 : i32
    %13 = arith.shrui %a_1, %c23_i32 : i32
    %14 = arith.cmpi ne, %13, %c0_i32 : i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %15 = arith.andi %a_1, %c8388607_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %16 = arith.ori %15, %c8388608_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %17 = arith.subi %a_zeros, %c8_i32 : i32
    %c31_i32 = arith.constant 31 : i32
    %18 = arith.andi %17, %c31_i32 : i32
    %19 = arith.andi %18, %c31_i32 : i32
    %20 = arith.shli %a_1, %19 : i32
    %m = arith.select %14, %16, %20 : i32
    %21 = arith.shrui %b_1, %c23_i32 : i32
    %22 = arith.cmpi ne, %21, %c0_i32 : i32
    %23 = arith.andi %b_1, %c8388607_i32 : i32
    %24 = arith.ori %23, %c8388608_i32 : i32
    %25 = arith.subi %b_zeros, %c8_i32 : i32
    %26 = arith.andi %25, %c31_i32 : i32
    %27 = arith.andi %26, %c31_i32 : i32
    %28 = arith.shli %b_1, %27 : i32
    %n = arith.select %22, %24, %28 : i32
    %c4095_i32 = arith.constant 4095 : i32
    %m0 = arith.andi %m, %c4095_i32 : i32
    %c12_i32 = arith.constant 12 : i32
    %m1 = arith.shrui %m, %c12_i32 : i32
    %n0 = arith.andi %n, %c4095_i32 : i32
    %n1 = arith.shrui %n, %c12_i32 : i32
    %29 = arith.muli %m1, %n0 : i32
    %30 = arith.muli %m0, %n1 : i32
    %middle = arith.addi %29, %30 : i32
    %31 = arith.muli %m0, %n0 : i32
    %32 = arith.andi %middle, %c4095_i32 : i32
    %33 = arith.shli %32, %c12_i32 : i32
    %low = arith.addi %31, %33 : i32
    %34 = arith.muli %m1, %n1 : i32
    %35 = arith.shrui %middle, %c12_i32 : i32
    %36 = arith.addi %34, %35 : i32
    %c24_i32 = arith.constant 24 : i32
    %37 = arith.shrui %low, %c24_i32 : i32
    %high = arith.addi %36, %37 : i32
    %c16777215_i32 = arith.constant 16777215 : i32
    %rest = arith.andi %low, %c16777215_i32 : i32
    %up = arith.shrui %high, %c23_i32 : i32
    %c3_i32 = arith.constant 3 : i32
    %38 = arith.shli %high, %c3_i32 : i32
    %c21_i32 = arith.constant 21 : i32
    %39 = arith.shrui %rest, %c21_i32 : i32
    %40 = arith.ori %38, %39 : i32
    %41 = arith.andi %up, %c31_i32 : i32
    %42 = arith.shrui %40, %41 : i32
    %c11_i32 = arith.constant 11 : i32
    %43 = arith.shli %rest, %c11_i32 : i32
    %44 = arith.shrui %rest, %c21_i32 : i32
    %45 = arith.andi %up, %44 : i32
    %46 = arith.ori %43, %45 : i32
    %47 = arith.cmpi ne, %46, %c0_i32 : i32
    %48 = arith.extui %47 : i1 to i32
    %product = arith.ori %42, %48 : i32
    %49 = arith.addi %e, %f : i32
    %c127_i32 = arith.constant 127 : i32
    %50 = arith.subi %49, %c127_i32 : i32
    %51 = arith.addi %50, %up : i32
    %result = func.call @rounded(%sign, %51, %product) : (i32, i32, i32) -> f32
    %52 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %53 = arith.cmpi eq, %b_1, %c0_i32 : i32
    %54 = arith.ori %52, %53 : i1
    %55 = ocl.bitcast %sign : i32 to f32
    %result_1 = arith.select %54, %55, %result : f32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %56 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %57 = arith.cmpi eq, %b_1, %c2139095040_i32 : i32
    %58 = arith.ori %56, %57 : i1
    %59 = arith.ori %sign, %c2139095040_i32 : i32
    %60 = ocl.bitcast %59 : i32 to f32
    %result_2 = arith.select %58, %60, %result_1 : f32
    %61 = arith.cmpi ugt, %a_1, %c2139095040_i32 : i32
    %62 = arith.cmpi ugt, %b_1, %c2139095040_i32 : i32
    %63 = arith.ori %61, %62 : i1
    %64 = arith.cmpi eq, %a_1, %c2139095040_i32 : i32
    %65 = arith.cmpi eq, %b_1, %c0_i32 : i32
    %66 = arith.andi %64, %65 : i1
    %67 = arith.ori %63, %66 : i1
    %68 = arith.cmpi eq, %a_1, %c0_i32 : i32
    %69 = arith.cmpi eq, %b_1, %c2139095040_i32 : i32
    %70 = arith.andi %68, %69 : i1
    %is_nan = arith.ori %67, %70 : i1
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %71 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_3 = arith.select %is_nan, %71, %result_2 : f32
    func.return %result_3 : f32
  }
  func.func private @to_f32_u32(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %a, %c0_i32 : i32
    %result = scf.if %0 -> (f32) {
      %cst = arith.constant 0.000000e+00 : f32
      scf.yield %cst : f32
    } else {
      %c0_i32_1 = arith.constant 0 : i32
      %c153_i32 = arith.constant 153 : i32
      %1 = func.call @rounded_sum(%c0_i32_1, %c153_i32, %a) : (i32, i32, i32) -> f32
      scf.yield %1 : f32
    }
    func.return %result : f32
  }
  func.func private @to_f32_s32(%a: i32) -> f32 attributes {ocl.unsigned = ["a"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %a, %c0_i32 : i32
    %result = scf.if %0 -> (f32) {
      %cst = arith.constant 0.000000e+00 : f32
      scf.yield %cst : f32
    } else {
      %c2147483648_i32 = arith.constant -2147483648 : i32
      %1 = arith.andi %a, %c2147483648_i32 : i32
      %c153_i32 = arith.constant 153 : i32
      %2 = func.call @size_32(%a) : (i32) -> i32
      %3 = func.call @rounded_sum(%1, %c153_i32, %2) : (i32, i32, i32) -> f32
      scf.yield %3 : f32
    }
    func.return %result : f32
  }
  func.func private @to_u32_f32(%x: f32) -> i32 attributes {ocl.unsigned = ["a", "m", "result"]} {
    %a = ocl.bitcast %x : f32 to i32
    %c23_i32 = arith.constant 23 : i32
    %0 = arith.shrui %a, %c23_i32 : i32
    %c127_i32 = arith.constant 127 : i32
    %exponent = arith.subi %0, %c127_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.shli %a, %c8_i32 : i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %m = arith.ori %1, %c2147483648_i32 : i32
    %c31_i32 = arith.constant 31 : i32
    %2 = arith.cmpi sgt, %exponent, %c31_i32 : i32
    %c4294967295_i32 = arith.constant -1 : i32
    %3 = arith.subi %c31_i32, %exponent : i32
    %4 = arith.andi %3, %c31_i32 : i32
    %5 = arith.andi %4, %c31_i32 : i32
    %6 = arith.shrui %m, %5 : i32
    %result = arith.select %2, %c4294967295_i32, %6 : i32
    %c0_i32 = arith.constant 0 : i32
    %7 = arith.cmpi slt, %exponent, %c0_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %8 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %9 = arith.ori %7, %8 : i1
    %result_1 = arith.select %9, %c0_i32, %result : i32
    func.return %result_1 : i32
  }
  func.func private @to_s32_f32(%x: f32) -> i32 attributes {ocl.unsigned = ["a", "result", "sign", "size"]} {
    %a = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %a, %c2147483648_i32 : i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a_1 = arith.andi %a, %c2147483647_i32 : i32
    %0 = ocl.bitcast %a_1 : i32 to f32
    %1 = func.call @to_u32_f32(%0) : (f32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %sign, %c0_i32 : i32
    %3 = arith.select %2, %c2147483648_i32, %c2147483647_i32 : i32
    %size = arith.minui %1, %3 : i32
    %4 = arith.cmpi ne, %sign, %c0_i32 : i32
    %5 = arith.subi %c0_i32, %size : i32
    %result = arith.select %4, %5, %size : i32
    func.return %result : i32
  }
  func.func private @subnormal_shift(%size: i64) -> i32 attributes {ocl.unsigned = ["size"]} {
    %c4503599627370495_i64 = arith.constant 4503599627370495 : i64
    %0 = arith.cmpi ugt, %size, %c4503599627370495_i64 : i64
    %result = scf.if %0 -> (i32) {
      %c0_i32 = arith.constant 0 : i32
      scf.yield %c0_i32 : i32
    } else {
      %1 = func.call @clz_i64(%size) : (i64) -> i64
      %2 = arith.trunci %1 : i64 to i32
      %c11_i32 = arith.constant 11 : i32
      %3 = arith.subi %2, %c11_i32 : i32
      %c63_i32 = arith.constant 63 : i32
      %4 = arith.andi %3, %c63_i32 : i32
      scf.yield %4 : i32
    }
    func.return %result : i32
  }
  func.func private @exponent_64(%size: i64, %shift: i32) -> i32 attributes {ocl.unsigned = ["size"]} {
    %c52_i64 = arith.constant 52 : i64
    %0 = arith.shrui %size, %c52_i64 : i64
    %1 = arith.trunci %0 : i64 to i32
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.maxsi %1, %c1_i32 : i32
    %result = arith.subi %2, %shift : i32
    func.return %result : i32
  }
  func.func private @significand_64(%size: i64, %shift: i32) -> i64 attributes {ocl.unsigned = ["result", "size"]} {
    %c4503599627370495_i64 = arith.constant 4503599627370495 : i64
    %0 = arith.andi %size, %c4503599627370495_i64 : i64
    %1 = arith.cmpi ugt, %size, %c4503599627370495_i64 : i64
    %2 = arith.extui %1 : i1 to i32
    %3 = arith.extsi %2 : i32 to i64
    %c52_i64 = arith.constant 52 : i64
    %4 = arith.shli %3, %c52_i64 : i64
    %5 = arith.ori %0, %4 : i64
    %6 = arith.extsi %shift : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %7 = arith.andi %6, %c63_i64 : i64
    %result = arith.shli %5, %7 : i64
    func.return %result : i64
  }
  func.func private @rounded_64(%sign: i64, %exponent: i32, %m: i64) -> f64 attributes {ocl.unsigned = ["base", "m", "sign", "up"]} {
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.subi %exponent, %c1_i32 : i32
    %c20_i32 = arith.constant 20 : i32
    %1 = arith.shli %0, %c20_i32 : i32
    %2 = arith.extsi %1 : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %base = arith.shli %2, %c32_i64 : i64
    %3 = arith.trunci %m : i64 to i32
    %c3_i32 = arith.constant 3 : i32
    %4 = arith.andi %3, %c3_i32 : i32
    %5 = arith.trunci %m : i64 to i32
    %c2_i32 = arith.constant 2 : i32
    %6 = arith.shrui %5, %c2_i32 : i32
    %7 = arith.andi %6, %c1_i32 : i32
    %8 = arith.addi %4, %7 : i32
    %9 = arith.cmpi ugt, %8, %c2_i32 : i32
    %up = arith.extui %9 : i1 to i32
    %c2047_i32 = arith.constant 2047 : i32
    %10 = arith.cmpi sge, %exponent, %c2047_i32 : i32
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %c2_i64 = arith.constant 2 : i64
    %11 = arith.shrui %m, %c2_i64 : i64
    %12 = arith.addi %base, %11 : i64
    %13 = arith.extui %up : i32 to i64
    %14 = arith.addi %12, %13 : i64
    %15 = arith.select %10, %c9218868437227405312_i64, %14 : i64
    %16 = arith.ori %sign, %15 : i64
    %result = ocl.bitcast %16 : i64 to f64
    func.return %result : f64
  }
  func.func private @fitted_64(%sign: i64, %exponent: i32, %m: i64, %rest: i64) -> f64 attributes {ocl.unsigned = ["kept", "m", "rest", "sign"]} {
    %c9_i64 = arith.constant 9 : i64
    %0 = arith.shrui %m, %c9_i64 : i64
    %c511_i64 = arith.constant 511 : i64
    %1 = arith.andi %m, %c511_i64 : i64
    %2 = arith.ori %1, %rest : i64
    %c0_i64 = arith.constant 0 : i64
    %3 = arith.cmpi ne, %2, %c0_i64 : i64
    %4 = arith.extui %3 : i1 to i32
    %5 = arith.extsi %4 : i32 to i64
    %m_1 = arith.ori %0, %5 : i64
    %c0_i32 = arith.constant 0 : i32
    %6 = arith.cmpi sgt, %exponent, %c0_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %7 = arith.subi %c1_i32, %exponent : i32
    %c63_i32 = arith.constant 63 : i32
    %8 = arith.minsi %7, %c63_i32 : i32
    %shift = arith.select %6, %c0_i32, %8 : i32
    %9 = arith.extsi %shift : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %10 = arith.andi %9, %c63_i64 : i64
    %kept = arith.shrui %m_1, %10 : i64
    %11 = arith.maxsi %exponent, %c1_i32 : i32
    %12 = arith.extsi %shift : i32 to i64
    %13 = arith.andi %12, %c63_i64 : i64
    %14 = arith.shli %kept, %13 : i64
    %15 = arith.cmpi ne, %14, %m_1 : i64
    %16 = arith.extui %15 : i1 to i32
    %17 = arith.extsi %16 : i32 to i64
    %18 = arith.ori %kept, %17 : i64
    %result = func.call @rounded_64(%sign, %11, %18) : (i64, i32, i64) -> f64
    func.return %result : f64
  }
  func.func private @neg_f64(%x: f64) -> f64 {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %1 = arith.xori %0, %c9223372036854775808_i64 : i64
    %result = ocl.bitcast %1 : i64 to f64
    func.return %result : f64
  }
  func.func private @abs_f64(%x: f64) -> f64 {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %result = ocl.bitcast %1 : i64 to f64
    func.return %result : f64
  }
  func.func private @copysign_f64(%x: f64, %y: f64) -> f64 {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %2 = ocl.bitcast %y : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %3 = arith.andi %2, %c9223372036854775808_i64 : i64
    %4 = arith.ori %1, %3 : i64
    %result = ocl.bitcast %4 : i64 to f64
    func.return %result : f64
  }
  func.func private @order_64(%a: i64) -> i64 attributes {ocl.unsigned = ["a", "size"]} {
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %size = arith.andi %a, %c9223372036854775807_i64 : i64
    %c63_i64 = arith.constant 63 : i64
    %0 = arith.shrui %a, %c63_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.cmpi ne, %0, %c0_i64 : i64
    %2 = arith.subi %c0_i64, %size : i64
    %3 = arith.select %1, %2, %size : i64
    %result = ocl.bitcast %3 : i64 to i64
    func.return %result : i64
  }
  func.func private @compare_f64(%x: f64, %y: f64) -> i32 attributes {ocl.unsigned = ["a", "b", "result"]} {
    %a = ocl.bitcast %x : f64 to i64
    %b = ocl.bitcast %y : f64 to i64
    %m = func.call @order_64(%a) : (i64) -> i64
    %n = func.call @order_64(%b) : (i64) -> i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %0 = arith.andi %a, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %1 = arith.cmpi ugt, %0, %c9218868437227405312_i64 : i64
    %2 = arith.andi %b, %c9223372036854775807_i64 : i64
    %3 = arith.cmpi ugt, %2, %c9218868437227405312_i64 : i64
    %is_nan = arith.ori %1, %3 : i1
    %c8_i32 = arith.constant 8 : i32
    %4 = arith.cmpi slt, %m, %n : i64
    %c4_i32 = arith.constant 4 : i32
    %5 = arith.cmpi eq, %m, %n : i64
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %6 = arith.select %5, %c1_i32, %c2_i32 : i32
    %7 = arith.select %4, %c4_i32, %6 : i32
    %result = arith.select %is_nan, %c8_i32, %7 : i32
    func.return %result : i32
  }
  func.func private @is_below_64(%a: i64, %b: i64) -> i1 attributes {ocl.unsigned = ["a", "b"]} {
    %0 = ocl.bitcast %a : i64 to i64
    %c63_i64 = arith.constant 63 : i64
    %1 = arith.shrsi %0, %c63_i64 : i64
    %c1_i64 = arith.constant 1 : i64
    %2 = arith.shrui %1, %c1_i64 : i64
    %3 = arith.xori %a, %2 : i64
    %4 = ocl.bitcast %3 : i64 to i64
    %5 = ocl.bitcast %b : i64 to i64
    %6 = arith.shrsi %5, %c63_i64 : i64
    %7 = arith.shrui %6, %c1_i64 : i64
    %8 = arith.xori %b, %7 : i64
    %9 = ocl.bitcast %8 : i64 to i64
    %result = arith.cmpi slt, %4, %9 : i64
    func.return %result : i1
  }
  func.func private @is_nan_64(%x: f64) -> i1 {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %result = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    func.return %result : i1
  }
  func.func private @minimum_f64(%x: f64, %y: f64) -> f64 {
    %0 = ocl.bitcast %y : f64 to i64
    %1 = ocl.bitcast %x : f64 to i64
    %2 = func.call @is_below_64(%0, %1) : (i64, i64) -> i1
    %result = arith.select %2, %y, %x : f64
    %3 = func.call @is_nan_64(%x) : (f64) -> i1
    %result_1 = scf.if %3 -> (f64) {
      scf.yield %x : f64
    } else {
      %4 = func.call @is_nan_64(%y) : (f64) -> i1
      %5 = arith.select %4, %y, %result : f64
      scf.yield %5 : f64
    }
    func.return %result_1 : f64
  }
  func.func private @maximum_f64(%x: f64, %y: f64) -> f64 {
    %0 = ocl.bitcast %x : f64 to i64
    %1 = ocl.bitcast %y : f64 to i64
    %2 = func.call @is_below_64(%0, %1) : (i64, i64) -> i1
    %result = arith.select %2, %y, %x : f64
    %3 = func.call @is_nan_64(%x) : (f64) -> i1
    %result_1 = scf.if %3 -> (f64) {
      scf.yield %x : f64
    } else {
      %4 = func.call @is_nan_64(%y) : (f64) -> i1
      %5 = arith.select %4, %y, %result : f64
      scf.yield %5 : f64
    }
    func.return %result_1 : f64
  }
  func.func private @minnum_f64(%x: f64, %y: f64) -> f64 {
    %0 = ocl.bitcast %y : f64 to i64
    %1 = ocl.bitcast %x : f64 to i64
    %2 = func.call @is_below_64(%0, %1) : (i64, i64) -> i1
    %result = arith.select %2, %y, %x : f64
    %3 = func.call @is_nan_64(%x) : (f64) -> i1
    %result_1 = scf.if %3 -> (f64) {
      scf.yield %y : f64
    } else {
      %4 = func.call @is_nan_64(%y) : (f64) -> i1
      %5 = arith.select %4, %x, %result : f64
      scf.yield %5 : f64
    }
    func.return %result_1 : f64
  }
  func.func private @maxnum_f64(%x: f64, %y: f64) -> f64 {
    %0 = ocl.bitcast %x : f64 to i64
    %1 = ocl.bitcast %y : f64 to i64
    %2 = func.call @is_below_64(%0, %1) : (i64, i64) -> i1
    %result = arith.select %2, %y, %x : f64
    %3 = func.call @is_nan_64(%x) : (f64) -> i1
    %result_1 = scf.if %3 -> (f64) {
      scf.yield %y : f64
    } else {
      %4 = func.call @is_nan_64(%y) : (f64) -> i1
      %5 = arith.select %4, %x, %result : f64
      scf.yield %5 : f64
    }
    func.return %result_1 : f64
  }
  func.func private @add_f64(%x: f64, %y: f64) -> f64 attributes {ocl.unsigned = ["a", "b", "first", "kept", "m", "moved", "n", "other", "second", "sign", "sum"]} {
    %a = ocl.bitcast %x : f64 to i64
    %b = ocl.bitcast %y : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %0 = arith.andi %b, %c9223372036854775807_i64 : i64
    %1 = arith.andi %a, %c9223372036854775807_i64 : i64
    %swaps = arith.cmpi ugt, %0, %1 : i64
    %first = arith.select %swaps, %b, %a : i64
    %second = arith.select %swaps, %a, %b : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %first, %c9223372036854775808_i64 : i64
    %other = arith.andi %second, %c9223372036854775808_i64 : i64
    %first_1 = arith.andi %first, %c9223372036854775807_i64 : i64
    %second_1 = arith.andi %second, %c9223372036854775807_i64 : i64
    %c0_i32 = arith.constant 0 : i32
    %e = func.call @exponent_64(%first_1, %c0_i32) : (i64, i32) -> i32
    %f = func.call @exponent_64(%second_1, %c0_i32) : (i64, i32) -> i32
    %2 = func.call @significand_64(%first_1, %c0_i32) : (i64, i32) -> i64
    %c3_i32 = arith.constant 3 : i32
    %c3_i64 = arith.constant 3 : i64
    %m = arith.shli %2, %c3_i64 : i64
    %3 = func.call @significand_64(%second_1, %c0_i32) : (i64, i32) -> i64
    %n = arith.shli %3, %c3_i64 : i64
    %4 = arith.subi %e, %f : i32
    %c63_i32 = arith.constant 63 : i32
    %shift = arith.minsi %4, %c63_i32 : i32
    %5 = arith.extsi %shift : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %6 = arith.andi %5, %c63_i64 : i64
    %kept = arith.shrui %n, %6 : i64
    %7 = arith.extsi %shift : i32 to i64
    %8 = arith.andi %7, %c63_i64 : i64
    %9 = arith.shli %kept, %8 : i64
    %10 = arith.cmpi ne, %9, %n : i64
    %11 = arith.extui %10 : i1 to i32
    %12 = arith.extsi %11 : i32 to i64
    %kept_1 = arith.ori %kept, %12 : i64
    %13 = arith.cmpi eq, %sign, %other : i64
    %c0_i64 = arith.constant 0 : i64
    %14 = arith.subi %c0_i64, %kept_1 : i64
    %15 = arith.select %13, %kept_1, %14 : i64
    %sum = arith.addi %m, %15 : i64
    %16 = func.call @clz_i64(%sum) : (i64) -> i64
    %17 = arith.trunci %16 : i64 to i32
    %c7_i32 = arith.constant 7 : i32
    %18 = arith.subi %17, %c7_i32 : i32
    %up = arith.minsi %18, %e : i32
    %19 = arith.extsi %up : i32 to i64
    %20 = arith.andi %19, %c63_i64 : i64
    %moved = arith.shli %sum, %20 : i64
    %c1_i32 = arith.constant 1 : i32
    %21 = arith.addi %e, %c1_i32 : i32
    %22 = arith.subi %21, %up : i32
    %c2_i64 = arith.constant 2 : i64
    %23 = arith.shrui %moved, %c2_i64 : i64
    %24 = arith.trunci %moved : i64 to i32
    %25 = arith.andi %24, %c3_i32 : i32
    %26 = arith.cmpi ne, %25, %c0_i32 : i32
    %27 = arith.extui %26 : i1 to i32
    %28 = arith.extsi %27 : i32 to i64
    %29 = arith.ori %23, %28 : i64
    %result = func.call @rounded_64(%sign, %22, %29) : (i64, i32, i64) -> f64
    %30 = arith.cmpi eq, %sum, %c0_i64 : i64
    %31 = arith.andi %sign, %other : i64
    %32 = ocl.bitcast %31 : i64 to f64
    %result_1 = arith.select %30, %32, %result : f64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %33 = arith.cmpi eq, %first_1, %c9218868437227405312_i64 : i64
    %34 = arith.ori %sign, %c9218868437227405312_i64 : i64
    %35 = ocl.bitcast %34 : i64 to f64
    %result_2 = arith.select %33, %35, %result_1 : f64
    %36 = arith.cmpi ugt, %first_1, %c9218868437227405312_i64 : i64
    %37 = arith.cmpi eq, %second_1, %c9218868437227405312_i64 : i64
    %38 = arith.cmpi ne, %sign, %other : i64
    %39 = arith.andi %37, %38 : i1
    %is_nan = arith.ori %36, %39 : i1
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %40 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %result_3 = arith.select %is_nan, %40, %result_2 : f64
    func.return %result_3 : f64
  }
  func.func private @sub_f64(%x: f64, %y: f64) -> f64 {
    %0 = ocl.bitcast %y : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %1 = arith.xori %0, %c9223372036854775808_i64 : i64
    %2 = ocl.bitcast %1 : i64 to f64
    %result = func.call @add_f64(%x, %2) : (f64, f64) -> f64
    func.return %result : f64
  }
  func.func private @long_product(%a: i64, %b: i64) -> vector<2xi64> attributes {ocl.unsigned = ["a", "b", "bias", "m", "n", "result", "w0", "w1", "w2"]} {
    %c8800390087680_i64 = arith.constant 8800390087680 : i64
    %m = arith.addi %a, %c8800390087680_i64 : i64
    %n = arith.addi %b, %c8800390087680_i64 : i64
    %0 = arith.trunci %m : i64 to i32
    %m0 = func.call @digit(%0) : (i32) -> f32
    %1 = arith.trunci %m : i64 to i32
    %c11_i32 = arith.constant 11 : i32
    %2 = arith.shrui %1, %c11_i32 : i32
    %m1 = func.call @digit(%2) : (i32) -> f32
    %c22_i32 = arith.constant 22 : i32
    %c22_i64 = arith.constant 22 : i64
    %3 = arith.shrui %m, %c22_i64 : i64
    %4 = arith.trunci %3 : i64 to i32
    %m2 = func.call @digit(%4) : (i32) -> f32
    %c33_i64 = arith.constant 33 : i64
    %5 = arith.shrui %m, %c33_i64 : i64
    %6 = arith.trunci %5 : i64 to i32
    %m3 = func.call @digit(%6) : (i32) -> f32
    %7 = arith.trunci %n : i64 to i32
    %n0 = func.call @digit(%7) : (i32) -> f32
    %8 = arith.trunci %n : i64 to i32
    %9 = arith.shrui %8, %c11_i32 : i32
    %n1 = func.call @digit(%9) : (i32) -> f32
    %10 = arith.shrui %n, %c22_i64 : i64
    %11 = arith.trunci %10 : i64 to i32
    %n2 = func.call @digit(%11) : (i32) -> f32
    %12 = arith.shrui %n, %c33_i64 : i64
    %13 = arith.trunci %12 : i64 to i32
    %n3 = func.call @digit(%13) : (i32) -> f32
    %c44_i64 = arith.constant 44 : i64
    %14 = arith.shrui %m, %c44_i64 : i64
    %15 = arith.trunci %14 : i64 to i32
    %m4 = func.call @small_float(%15) : (i32) -> f32
    %16 = arith.shrui %n, %c44_i64 : i64
    %17 = arith.trunci %16 : i64 to i32
    %n4 = func.call @small_float(%17) : (i32) -> f32
    %18 = arith.mulf %m0, %n0 : f32
    %cst = arith.constant 0x4B400000 : f32
    %19 = arith.addf %18, %cst : f32
    %c0 = func.call @signed_column(%19) : (f32) -> i32
    %20 = arith.mulf %m0, %n1 : f32
    %21 = arith.mulf %m1, %n0 : f32
    %22 = arith.addf %21, %cst : f32
    %23 = arith.addf %20, %22 : f32
    %c1 = func.call @signed_column(%23) : (f32) -> i32
    %24 = arith.mulf %m0, %n2 : f32
    %25 = arith.mulf %m1, %n1 : f32
    %26 = arith.addf %24, %25 : f32
    %27 = arith.mulf %m2, %n0 : f32
    %28 = arith.addf %27, %cst : f32
    %29 = arith.addf %26, %28 : f32
    %c2 = func.call @signed_column(%29) : (f32) -> i32
    %30 = arith.mulf %m0, %n3 : f32
    %31 = arith.mulf %m1, %n2 : f32
    %32 = arith.addf %30, %31 : f32
    %33 = arith.mulf %m2, %n1 : f32
    %34 = arith.mulf %m3, %n0 : f32
    %35 = arith.addf %33, %34 : f32
    %36 = arith.addf %32, %35 : f32
    %37 = arith.addf %36, %cst : f32
    %c3 = func.call @signed_column(%37) : (f32) -> i32
    %38 = arith.mulf %m0, %n4 : f32
    %39 = arith.mulf %m1, %n3 : f32
    %40 = arith.addf %38, %39 : f32
    %41 = arith.mulf %m2, %n2 : f32
    %42 = arith.mulf %m3, %n1 : f32
    %43 = arith.addf %41, %42 : f32
    %44 = arith.addf %40, %43 : f32
    %45 = arith.mulf %m4, %n0 : f32
    %46 = arith.addf %45, %cst : f32
    %47 = arith.addf %44, %46 : f32
    %c4 = func.call @signed_column(%47) : (f32) -> i32
    %48 = arith.mulf %m1, %n4 : f32
    %49 = arith.mulf %m2, %n3 : f32
    %50 = arith.addf %48, %49 : f32
    %51 = arith.mulf %m3, %n2 : f32
    %52 = arith.mulf %m4, %n1 : f32
    %53 = arith.addf %51, %52 : f32
    %54 = arith.addf %50, %53 : f32
    %55 = arith.addf %54, %cst : f32
    %c5 = func.call @signed_column(%55) : (f32) -> i32
    %56 = arith.mulf %m2, %n4 : f32
    %57 = arith.mulf %m3, %n3 : f32
    %58 = arith.addf %56, %57 : f32
    %59 = arith.mulf %m4, %n2 : f32
    %60 = arith.addf %59, %cst : f32
    %61 = arith.addf %58, %60 : f32
    %c6 = func.call @signed_column(%61) : (f32) -> i32
    %62 = arith.mulf %m3, %n4 : f32
    %63 = arith.mulf %m4, %n3 : f32
    %64 = arith.addf %63, %cst : f32
    %65 = arith.addf %62, %64 : f32
    %c7 = func.call @signed_column(%65) : (f32) -> i32
    %66 = arith.mulf %m4, %n4 : f32
    %67 = arith.addf %66, %cst : f32
    %c8 = func.call @signed_column(%67) : (f32) -> i32
    %68 = arith.shrsi %c0, %c11_i32 : i32
    %c1_1 = arith.addi %c1, %68 : i32
    %69 = arith.shrsi %c1_1, %c11_i32 : i32
    %c2_1 = arith.addi %c2, %69 : i32
    %70 = arith.shrsi %c2_1, %c11_i32 : i32
    %c3_1 = arith.addi %c3, %70 : i32
    %71 = arith.shrsi %c3_1, %c11_i32 : i32
    %c4_1 = arith.addi %c4, %71 : i32
    %72 = arith.shrsi %c4_1, %c11_i32 : i32
    %c5_1 = arith.addi %c5, %72 : i32
    %73 = arith.shrsi %c5_1, %c11_i32 : i32
    %c6_1 = arith.addi %c6, %73 : i32
    %74 = arith.shrsi %c6_1, %c11_i32 : i32
    %c7_1 = arith.addi %c7, %74 : i32
    %75 = arith.shrsi %c7_1, %c11_i32 : i32
    %c8_1 = arith.addi %c8, %75 : i32
    %c2047_i32 = arith.constant 2047 : i32
    %76 = arith.andi %c0, %c2047_i32 : i32
    %77 = arith.andi %c1_1, %c2047_i32 : i32
    %78 = arith.shli %77, %c11_i32 : i32
    %79 = arith.ori %76, %78 : i32
    %80 = arith.shli %c2_1, %c22_i32 : i32
    %w0 = arith.ori %79, %80 : i32
    %c10_i32 = arith.constant 10 : i32
    %81 = arith.shrsi %c2_1, %c10_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %82 = arith.andi %81, %c1_i32 : i32
    %83 = arith.andi %c3_1, %c2047_i32 : i32
    %84 = arith.shli %83, %c1_i32 : i32
    %85 = arith.ori %82, %84 : i32
    %86 = arith.andi %c4_1, %c2047_i32 : i32
    %c12_i32 = arith.constant 12 : i32
    %87 = arith.shli %86, %c12_i32 : i32
    %88 = arith.ori %85, %87 : i32
    %c23_i32 = arith.constant 23 : i32
    %89 = arith.shli %c5_1, %c23_i32 : i32
    %w1 = arith.ori %88, %89 : i32
    %c9_i32 = arith.constant 9 : i32
    %90 = arith.shrsi %c5_1, %c9_i32 : i32
    %c3_i32 = arith.constant 3 : i32
    %91 = arith.andi %90, %c3_i32 : i32
    %92 = arith.andi %c6_1, %c2047_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %93 = arith.shli %92, %c2_i32 : i32
    %94 = arith.ori %91, %93 : i32
    %95 = arith.andi %c7_1, %c2047_i32 : i32
    %c13_i32 = arith.constant 13 : i32
    %96 = arith.shli %95, %c13_i32 : i32
    %97 = arith.ori %94, %96 : i32
    %c24_i32 = arith.constant 24 : i32
    %98 = arith.shli %c8_1, %c24_i32 : i32
    %w2 = arith.ori %97, %98 : i32
    %99 = arith.extui %w1 : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %100 = arith.shli %99, %c32_i64 : i64
    %101 = arith.extui %w0 : i32 to i64
    %102 = arith.ori %100, %101 : i64
    %c8_i32 = arith.constant 8 : i32
    %103 = arith.shrsi %c8_1, %c8_i32 : i32
    %104 = arith.extsi %103 : i32 to i64
    %105 = arith.shli %104, %c32_i64 : i64
    %106 = arith.extui %w2 : i32 to i64
    %107 = arith.ori %105, %106 : i64
    %result = ocl.concat %102, %107 : i64, i64 -> vector<2xi64>
    func.return %result : vector<2xi64>
  }
  func.func private @long_product_by_integers(%a: i64, %b: i64) -> vector<2xi64> attributes {ocl.unsigned = ["a", "a0", "a1", "b", "b0", "b1", "low", "middle", "other", "result"]} {
    %a0 = arith.trunci %a : i64 to i32
    %c32_i64 = arith.constant 32 : i64
    %0 = arith.shrui %a, %c32_i64 : i64
    %a1 = arith.trunci %0 : i64 to i32
    %b0 = arith.trunci %b : i64 to i32
    %1 = arith.shrui %b, %c32_i64 : i64
    %b1 = arith.trunci %1 : i64 to i32
    %2 = arith.extui %a0 : i32 to i64
    %3 = arith.extui %b0 : i32 to i64
    %low = arith.muli %2, %3 : i64
    %4 = arith.extui %a1 : i32 to i64
    %5 = arith.extui %b0 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %7 = arith.shrui %low, %c32_i64 : i64
    %middle = arith.addi %6, %7 : i64
    %8 = arith.extui %a0 : i32 to i64
    %9 = arith.extui %b1 : i32 to i64
    %10 = arith.muli %8, %9 : i64
    %11 = arith.trunci %middle : i64 to i32
    %12 = arith.extui %11 : i32 to i64
    %other = arith.addi %10, %12 : i64
    %13 = arith.shli %other, %c32_i64 : i64
    %14 = arith.trunci %low : i64 to i32
    %15 = arith.extui %14 : i32 to i64
    %16 = arith.ori %13, %15 : i64
    %17 = arith.extui %a1 : i32 to i64
    %18 = arith.extui %b1 : i32 to i64
    %19 = arith.muli %17, %18 : i64
    %20 = arith.shrui %middle, %c32_i64 : i64
    %21 = arith.addi %19, %20 : i64
    %22 = arith.shrui %other, %c32_i64 : i64
    %23 = arith.addi %21, %22 : i64
    %result = ocl.concat %16, %23 : i64, i64 -> vector<2xi64>
    func.return %result : vector<2xi64>
  }
  func.func private @mul_f64(%x: f64, %y: f64) -> f64 attributes {ocl.unsigned = ["a", "b", "high", "low", "product", "sign"]} {
    %a = ocl.bitcast %x : f64 to i64
    %b = ocl.bitcast %y : f64 to i64
    %0 = arith.xori %a, %b : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %0, %c9223372036854775808_i64 : i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %a_1 = arith.andi %a, %c9223372036854775807_i64 : i64
    %b_1 = arith.andi %b, %c9223372036854775807_i64 : i64
    %c0_i32 = arith.constant 0 : i32
    %1 = func.call @significand_64(%a_1, %c0_i32) : (i64, i32) -> i64
    %2 = func.call @significand_64(%b_1, %c0_i32) : (i64, i32) -> i64
    %product = func.call @long_product(%1, %2) : (i64, i64) -> vector<2xi64>
    %3 = vector.extract %product[1] : i64 from vector<2xi64>
    %c22_i64 = arith.constant 22 : i64
    %4 = arith.shli %3, %c22_i64 : i64
    %5 = vector.extract %product[0] : i64 from vector<2xi64>
    %c42_i64 = arith.constant 42 : i64
    %6 = arith.shrui %5, %c42_i64 : i64
    %high = arith.ori %4, %6 : i64
    %7 = vector.extract %product[0] : i64 from vector<2xi64>
    %low = arith.shli %7, %c22_i64 : i64
    %8 = func.call @clz_i64(%high) : (i64) -> i64
    %9 = arith.trunci %8 : i64 to i32
    %c63_i32 = arith.constant 63 : i32
    %zeros = arith.andi %9, %c63_i32 : i32
    %10 = arith.extsi %zeros : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %11 = arith.andi %10, %c63_i64 : i64
    %12 = arith.shli %high, %11 : i64
    %c1_i64 = arith.constant 1 : i64
    %13 = arith.shrui %low, %c1_i64 : i64
    %14 = arith.subi %c63_i32, %zeros : i32
    %15 = arith.extsi %14 : i32 to i64
    %16 = arith.andi %15, %c63_i64 : i64
    %17 = arith.shrui %13, %16 : i64
    %high_1 = arith.ori %12, %17 : i64
    %18 = func.call @exponent_64(%a_1, %c0_i32) : (i64, i32) -> i32
    %19 = func.call @exponent_64(%b_1, %c0_i32) : (i64, i32) -> i32
    %20 = arith.addi %18, %19 : i32
    %c1022_i32 = arith.constant 1022 : i32
    %21 = arith.subi %20, %c1022_i32 : i32
    %exponent = arith.subi %21, %zeros : i32
    %22 = arith.extsi %zeros : i32 to i64
    %23 = arith.andi %22, %c63_i64 : i64
    %24 = arith.shli %low, %23 : i64
    %result = func.call @fitted_64(%sign, %exponent, %high_1, %24) : (i64, i32, i64, i64) -> f64
    %c0_i64 = arith.constant 0 : i64
    %25 = arith.cmpi eq, %a_1, %c0_i64 : i64
    %26 = arith.cmpi eq, %b_1, %c0_i64 : i64
    %27 = arith.ori %25, %26 : i1
    %28 = ocl.bitcast %sign : i64 to f64
    %result_1 = arith.select %27, %28, %result : f64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %29 = arith.cmpi eq, %a_1, %c9218868437227405312_i64 : i64
    %30 = arith.cmpi eq, %b_1, %c9218868437227405312_i64 : i64
    %is_infinite = arith.ori %29, %30 : i1
    %31 = arith.ori %sign, %c9218868437227405312_i64 : i64
    %32 = ocl.bitcast %31 : i64 to f64
    %result_2 = arith.select %is_infinite, %32, %result_1 : f64
    %33 = arith.cmpi ugt, %a_1, %c9218868437227405312_i64 : i64
    %34 = arith.cmpi ugt, %b_1, %c9218868437227405312_i64 : i64
    %35 = arith.ori %33, %34 : i1
    %36 = arith.cmpi eq, %a_1, %c0_i64 : i64
    %37 = arith.cmpi eq, %b_1, %c0_i64 : i64
    %38 = arith.ori %36, %37 : i1
    %39 = arith.andi %is_infinite, %38 : i1
    %is_nan = arith.ori %35, %39 : i1
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %40 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %result_3 = arith.select %is_nan, %40, %result_2 : f64
    func.return %result_3 : f64
  }
  func.func private @div_f64(%x: f64, %y: f64) -> f64 attributes {ocl.unsigned = ["a", "b", "divisor", "fits", "is_less", "next", "quotient", "rest", "sign"]} {
    %a = ocl.bitcast %x : f64 to i64
    %b = ocl.bitcast %y : f64 to i64
    %0 = arith.xori %a, %b : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %0, %c9223372036854775808_i64 : i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %a_1 = arith.andi %a, %c9223372036854775807_i64 : i64
    %b_1 = arith.andi %b, %c9223372036854775807_i64 : i64
    %s = func.call @subnormal_shift(%a_1) : (i64) -> i32
    %t = func.call @subnormal_shift(%b_1) : (i64) -> i32
    %1 = func.call @exponent_64(%a_1, %s) : (i64, i32) -> i32
    %2 = func.call @exponent_64(%b_1, %t) : (i64, i32) -> i32
    %3 = arith.subi %1, %2 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %exponent = arith.addi %3, %c1023_i32 : i32
    %rest = func.call @significand_64(%a_1, %s) : (i64, i32) -> i64
    %divisor = func.call @significand_64(%b_1, %t) : (i64, i32) -> i64
    %4 = arith.cmpi ult, %rest, %divisor : i64
    %is_less = arith.extui %4 : i1 to i32
    %5 = arith.extui %is_less : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %6 = arith.andi %5, %c63_i64 : i64
    %rest_1 = arith.shli %rest, %6 : i64
    %7 = arith.subi %exponent, %is_less : i32
    %8 = arith.extui %7 : i32 to i64
    %exponent_1 = arith.trunci %8 : i64 to i32
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c55 = arith.constant 55 : index
    %c1 = arith.constant 1 : index
    %rest_2, %quotient = scf.for %i = %c0 to %c55 step %c1 iter_args(%rest_3 = %rest_1, %quotient_1 = %c0_i64) -> (i64, i64) {
      %next = arith.subi %rest_3, %divisor : i64
      %c63_i64_1 = arith.constant 63 : i64
      %9 = arith.shrui %next, %c63_i64_1 : i64
      %10 = arith.trunci %9 : i64 to i32
      %c1_i32 = arith.constant 1 : i32
      %fits = arith.xori %10, %c1_i32 : i32
      %c1_i64 = arith.constant 1 : i64
      %11 = arith.shli %quotient_1, %c1_i64 : i64
      %12 = arith.extui %fits : i32 to i64
      %quotient_2 = arith.ori %11, %12 : i64
      %c0_i32 = arith.constant 0 : i32
      %13 = arith.cmpi ne, %fits, %c0_i32 : i32
      %14 = arith.select %13, %next, %rest_3 : i64
      %rest_4 = arith.shli %14, %c1_i64 : i64
      scf.yield %rest_4, %quotient_2 : i64, i64
    }
    %c9_i64 = arith.constant 9 : i64
    %15 = arith.shli %quotient, %c9_i64 : i64
    %result = func.call @fitted_64(%sign, %exponent_1, %15, %rest_2) : (i64, i32, i64, i64) -> f64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %16 = arith.cmpi eq, %a_1, %c9218868437227405312_i64 : i64
    %17 = arith.cmpi eq, %b_1, %c0_i64 : i64
    %18 = arith.ori %16, %17 : i1
    %19 = arith.ori %sign, %c9218868437227405312_i64 : i64
    %20 = ocl.bitcast %19 : i64 to f64
    %result_1 = arith.select %18, %20, %result : f64
    %21 = arith.cmpi eq, %a_1, %c0_i64 : i64
    %22 = arith.cmpi eq, %b_1, %c9218868437227405312_i64 : i64
    %23 = arith.ori %21, %22 : i1
    %24 = ocl.bitcast %sign : i64 to f64
    %result_2 = arith.select %23, %24, %result_1 : f64
    %25 = arith.cmpi ugt, %a_1, %c9218868437227405312_i64 : i64
    %26 = arith.cmpi ugt, %b_1, %c9218868437227405312_i64 : i64
    %27 = arith.ori %25, %26 : i1
    %28 = arith.cmpi eq, %a_1, %b_1 : i64
    %29 = arith.cmpi eq, %a_1, %c0_i64 : i64
    %30 = arith.cmpi eq, %a_1, %c9218868437227405312_i64 : i64
    %31 = arith.ori %29, %30 : i1
    %32 = arith.andi %28, %31 : i1
    %is_nan = arith.ori %27, %32 : i1
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %33 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %result_3 = arith.select %is_nan, %33, %result_2 : f64
    func.return %result_3 : f64
  }
  func.func private @sqrt_f64(%x: f64) -> f64 attributes {ocl.unsigned = ["a", "digits", "fits", "next", "rest", "root"]} {
    %a = ocl.bitcast %x : f64 to i64
    %shift = func.call @subnormal_shift(%a) : (i64) -> i32
    %0 = func.call @exponent_64(%a, %shift) : (i64, i32) -> i32
    %c1023_i32 = arith.constant 1023 : i32
    %exponent = arith.subi %0, %c1023_i32 : i32
    %1 = func.call @significand_64(%a, %shift) : (i64, i32) -> i64
    %c10_i64 = arith.constant 10 : i64
    %digits = arith.shli %1, %c10_i64 : i64
    %c1_i32 = arith.constant 1 : i32
    %2 = arith.andi %exponent, %c1_i32 : i32
    %3 = arith.extsi %2 : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %4 = arith.andi %3, %c63_i64 : i64
    %digits_1 = arith.shli %digits, %4 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c55 = arith.constant 55 : index
    %c1 = arith.constant 1 : index
    %digits_2, %root, %rest = scf.for %i = %c0 to %c55 step %c1 iter_args(%digits_3 = %digits_1, %root_1 = %c0_i64, %rest_1 = %c0_i64) -> (i64, i64, i64) {
      %c2_i64 = arith.constant 2 : i64
      %5 = arith.shli %rest_1, %c2_i64 : i64
      %c62_i64 = arith.constant 62 : i64
      %6 = arith.shrui %digits_3, %c62_i64 : i64
      %rest_2 = arith.ori %5, %6 : i64
      %digits_4 = arith.shli %digits_3, %c2_i64 : i64
      %7 = arith.shli %root_1, %c2_i64 : i64
      %c1_i64 = arith.constant 1 : i64
      %8 = arith.ori %7, %c1_i64 : i64
      %next = arith.subi %rest_2, %8 : i64
      %c63_i64_1 = arith.constant 63 : i64
      %9 = arith.shrui %next, %c63_i64_1 : i64
      %10 = arith.trunci %9 : i64 to i32
      %c1_i32_1 = arith.constant 1 : i32
      %fits = arith.xori %10, %c1_i32_1 : i32
      %c0_i32 = arith.constant 0 : i32
      %11 = arith.cmpi ne, %fits, %c0_i32 : i32
      %rest_3 = arith.select %11, %next, %rest_2 : i64
      %12 = arith.shli %root_1, %c1_i64 : i64
      %13 = arith.extui %fits : i32 to i64
      %root_2 = arith.ori %12, %13 : i64
      scf.yield %digits_4, %root_2, %rest_3 : i64, i64, i64
    }
    %14 = arith.shrsi %exponent, %c1_i32 : i32
    %15 = arith.addi %14, %c1023_i32 : i32
    %c9_i64 = arith.constant 9 : i64
    %16 = arith.shli %root, %c9_i64 : i64
    %result = func.call @fitted_64(%c0_i64, %15, %16, %rest) : (i64, i32, i64, i64) -> f64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %17 = arith.cmpi ugt, %a, %c9218868437227405312_i64 : i64
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %18 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %result_1 = arith.select %17, %18, %result : f64
    %c1_i64_1 = arith.constant 1 : i64
    %19 = arith.shli %a, %c1_i64_1 : i64
    %20 = arith.cmpi eq, %19, %c0_i64 : i64
    %21 = arith.cmpi eq, %a, %c9218868437227405312_i64 : i64
    %22 = arith.ori %20, %21 : i1
    %result_2 = arith.select %22, %x, %result_1 : f64
    func.return %result_2 : f64
  }
  func.func private @rsqrt_f64(%x: f64) -> f64 {
    %cst = arith.constant 1.000000e+00 : f64
    %0 = func.call @sqrt_f64(%x) : (f64) -> f64
    %result = arith.divf %cst, %0 : f64
    func.return %result : f64
  }
  func.func private @fma_f64(%x: f64, %y: f64, %z: f64) -> f64 attributes {ocl.unsigned = ["a", "b", "c", "carry", "far_lost", "first", "first_low", "flip", "high", "kept", "low", "lower", "moved", "moved_low", "other", "product", "second", "second_low", "sign", "sum", "sum_low", "summand", "summand_low"]} {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %a = arith.andi %0, %c9223372036854775807_i64 : i64
    %1 = ocl.bitcast %y : f64 to i64
    %b = arith.andi %1, %c9223372036854775807_i64 : i64
    %2 = ocl.bitcast %z : f64 to i64
    %c = arith.andi %2, %c9223372036854775807_i64 : i64
    %3 = ocl.bitcast %x : f64 to i64
    %4 = ocl.bitcast %y : f64 to i64
    %5 = arith.xori %3, %4 : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %5, %c9223372036854775808_i64 : i64
    %6 = ocl.bitcast %z : f64 to i64
    %other = arith.andi %6, %c9223372036854775808_i64 : i64
    %c0_i32 = arith.constant 0 : i32
    %7 = func.call @significand_64(%a, %c0_i32) : (i64, i32) -> i64
    %8 = func.call @significand_64(%b, %c0_i32) : (i64, i32) -> i64
    %product = func.call @long_product(%7, %8) : (i64, i64) -> vector<2xi64>
    %9 = vector.extract %product[1] : i64 from vector<2xi64>
    %c20_i64 = arith.constant 20 : i64
    %10 = arith.shli %9, %c20_i64 : i64
    %11 = vector.extract %product[0] : i64 from vector<2xi64>
    %c44_i64 = arith.constant 44 : i64
    %12 = arith.shrui %11, %c44_i64 : i64
    %high = arith.ori %10, %12 : i64
    %13 = vector.extract %product[0] : i64 from vector<2xi64>
    %low = arith.shli %13, %c20_i64 : i64
    %14 = func.call @significand_64(%c, %c0_i32) : (i64, i32) -> i64
    %c8_i64 = arith.constant 8 : i64
    %summand = arith.shli %14, %c8_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %15 = func.call @exponent_64(%a, %c0_i32) : (i64, i32) -> i32
    %16 = func.call @exponent_64(%b, %c0_i32) : (i64, i32) -> i32
    %17 = arith.addi %15, %16 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %exponent = arith.subi %17, %c1023_i32 : i32
    %18 = arith.cmpi eq, %c, %c0_i64 : i64
    %difference = scf.if %18 -> (i32) {
      %c0_i32_1 = arith.constant 0 : i32
      scf.yield %c0_i32_1 : i32
    } else {
      %c0_i32_2 = arith.constant 0 : i32
      %19 = func.call @exponent_64(%c, %c0_i32_2) : (i64, i32) -> i32
      %20 = arith.subi %exponent, %19 : i32
      scf.yield %20 : i32
    }
    %is_below = arith.cmpi slt, %difference, %c0_i32 : i32
    %21 = arith.subi %c0_i32, %difference : i32
    %shift = arith.select %is_below, %21, %difference : i32
    %moved = arith.select %is_below, %high, %summand : i64
    %moved_low = arith.select %is_below, %low, %c0_i64 : i64
    %22 = arith.select %is_below, %shift, %c0_i32 : i32
    %exponent_1 = arith.addi %exponent, %22 : i32
    %c63_i32 = arith.constant 63 : i32
    %is_far = arith.cmpi sgt, %shift, %c63_i32 : i32
    %far_lost = arith.select %is_far, %moved_low, %c0_i64 : i64
    %moved_low_1 = arith.select %is_far, %moved, %moved_low : i64
    %moved_1 = arith.select %is_far, %c0_i64, %moved : i64
    %c127_i32 = arith.constant 127 : i32
    %is_lost = arith.cmpi sgt, %shift, %c127_i32 : i32
    %shift_1 = arith.andi %shift, %c63_i32 : i32
    %23 = arith.extsi %shift_1 : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %24 = arith.andi %23, %c63_i64 : i64
    %kept = arith.shrui %moved_low_1, %24 : i64
    %25 = arith.extsi %shift_1 : i32 to i64
    %26 = arith.andi %25, %c63_i64 : i64
    %27 = arith.shli %kept, %26 : i64
    %28 = arith.xori %27, %moved_low_1 : i64
    %far_lost_1 = arith.ori %far_lost, %28 : i64
    %c1_i64 = arith.constant 1 : i64
    %29 = arith.shli %moved_1, %c1_i64 : i64
    %30 = arith.subi %c63_i32, %shift_1 : i32
    %31 = arith.extsi %30 : i32 to i64
    %32 = arith.andi %31, %c63_i64 : i64
    %33 = arith.shli %29, %32 : i64
    %moved_low_2 = arith.ori %kept, %33 : i64
    %34 = arith.extsi %shift_1 : i32 to i64
    %35 = arith.andi %34, %c63_i64 : i64
    %moved_2 = arith.shrui %moved_1, %35 : i64
    %36 = arith.cmpi ne, %far_lost_1, %c0_i64 : i64
    %37 = arith.extui %36 : i1 to i32
    %38 = arith.extsi %37 : i32 to i64
    %39 = arith.ori %moved_low_2, %38 : i64
    %moved_low_3 = arith.select %is_lost, %c1_i64, %39 : i64
    %moved_3 = arith.select %is_lost, %c0_i64, %moved_2 : i64
    %high_1 = arith.select %is_below, %moved_3, %high : i64
    %low_1 = arith.select %is_below, %moved_low_3, %low : i64
    %summand_1 = arith.select %is_below, %summand, %moved_3 : i64
    %summand_low = arith.select %is_below, %c0_i64, %moved_low_3 : i64
    %40 = arith.cmpi ult, %high_1, %summand_1 : i64
    %41 = arith.cmpi eq, %high_1, %summand_1 : i64
    %42 = arith.cmpi ult, %low_1, %summand_low : i64
    %43 = arith.andi %41, %42 : i1
    %is_less = arith.ori %40, %43 : i1
    %differs = arith.cmpi ne, %sign, %other : i64
    %first = arith.select %is_less, %summand_1, %high_1 : i64
    %first_low = arith.select %is_less, %summand_low, %low_1 : i64
    %second = arith.select %is_less, %high_1, %summand_1 : i64
    %second_low = arith.select %is_less, %low_1, %summand_low : i64
    %c18446744073709551615_i64 = arith.constant -1 : i64
    %flip = arith.select %differs, %c18446744073709551615_i64, %c0_i64 : i64
    %44 = arith.xori %second_low, %flip : i64
    %45 = arith.addi %first_low, %44 : i64
    %46 = arith.extui %differs : i1 to i64
    %sum_low = arith.addi %45, %46 : i64
    %47 = arith.cmpi uge, %first_low, %second_low : i64
    %48 = arith.extui %47 : i1 to i32
    %49 = arith.cmpi ult, %sum_low, %first_low : i64
    %50 = arith.extui %49 : i1 to i32
    %51 = arith.select %differs, %48, %50 : i32
    %carry = arith.extsi %51 : i32 to i64
    %52 = arith.xori %second, %flip : i64
    %53 = arith.addi %first, %52 : i64
    %sum = arith.addi %53, %carry : i64
    %54 = arith.ori %sum, %sum_low : i64
    %is_zero = arith.cmpi eq, %54, %c0_i64 : i64
    %55 = arith.cmpi eq, %sum, %c0_i64 : i64
    %c64_i32 = arith.constant 64 : i32
    %56 = arith.select %55, %c64_i32, %c0_i32 : i32
    %exponent_2 = arith.subi %exponent_1, %56 : i32
    %57 = arith.cmpi eq, %sum, %c0_i64 : i64
    %lower = arith.select %57, %c0_i64, %sum_low : i64
    %58 = arith.cmpi eq, %sum, %c0_i64 : i64
    %sum_1 = arith.select %58, %sum_low, %sum : i64
    %59 = func.call @clz_i64(%sum_1) : (i64) -> i64
    %60 = arith.trunci %59 : i64 to i32
    %zeros = arith.andi %60, %c63_i32 : i32
    %61 = arith.extsi %zeros : i32 to i64
    %62 = arith.andi %61, %c63_i64 : i64
    %63 = arith.shli %sum_1, %62 : i64
    %64 = arith.shrui %lower, %c1_i64 : i64
    %65 = arith.subi %c63_i32, %zeros : i32
    %66 = arith.extsi %65 : i32 to i64
    %67 = arith.andi %66, %c63_i64 : i64
    %68 = arith.shrui %64, %67 : i64
    %sum_2 = arith.ori %63, %68 : i64
    %69 = arith.select %is_less, %other, %sign : i64
    %c3_i32 = arith.constant 3 : i32
    %70 = arith.addi %exponent_2, %c3_i32 : i32
    %71 = arith.subi %70, %zeros : i32
    %72 = arith.extsi %zeros : i32 to i64
    %73 = arith.andi %72, %c63_i64 : i64
    %74 = arith.shli %lower, %73 : i64
    %result = func.call @fitted_64(%69, %71, %sum_2, %74) : (i64, i32, i64, i64) -> f64
    %cst = arith.constant 0.000000e+00 : f64
    %result_1 = arith.select %is_zero, %cst, %result : f64
    %75 = arith.cmpi eq, %a, %c0_i64 : i64
    %76 = arith.cmpi eq, %b, %c0_i64 : i64
    %is_nothing = arith.ori %75, %76 : i1
    %77 = arith.cmpi eq, %c, %c0_i64 : i64
    %78 = arith.andi %sign, %other : i64
    %79 = ocl.bitcast %78 : i64 to f64
    %80 = arith.select %77, %79, %z : f64
    %result_2 = arith.select %is_nothing, %80, %result_1 : f64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %81 = arith.cmpi eq, %a, %c9218868437227405312_i64 : i64
    %82 = arith.cmpi eq, %b, %c9218868437227405312_i64 : i64
    %is_infinite = arith.ori %81, %82 : i1
    %83 = arith.cmpi eq, %c, %c9218868437227405312_i64 : i64
    %84 = arith.ori %sign, %c9218868437227405312_i64 : i64
    %85 = ocl.bitcast %84 : i64 to f64
    %86 = arith.select %is_infinite, %85, %result_2 : f64
    %result_3 = arith.select %83, %z, %86 : f64
    %87 = arith.cmpi ugt, %a, %c9218868437227405312_i64 : i64
    %88 = arith.cmpi ugt, %b, %c9218868437227405312_i64 : i64
    %89 = arith.ori %87, %88 : i1
    %90 = arith.cmpi ugt, %c, %c9218868437227405312_i64 : i64
    %is_nan = arith.ori %89, %90 : i1
    %91 = arith.cmpi eq, %c, %c9218868437227405312_i64 : i64
    %92 = arith.andi %91, %differs : i1
    %93 = arith.ori %is_nothing, %92 : i1
    %94 = arith.andi %is_infinite, %93 : i1
    %is_nan_1 = arith.ori %is_nan, %94 : i1
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %95 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %result_4 = arith.select %is_nan_1, %95, %result_3 : f64
    func.return %result_4 : f64
  }
  func.func private @fraction_of(%size: i64) -> i64 attributes {ocl.unsigned = ["result", "size"]} {
    %c4503599627370495_i64 = arith.constant 4503599627370495 : i64
    %c52_i64 = arith.constant 52 : i64
    %0 = arith.shrui %size, %c52_i64 : i64
    %1 = arith.trunci %0 : i64 to i32
    %c1023_i32 = arith.constant 1023 : i32
    %2 = arith.subi %1, %c1023_i32 : i32
    %c63_i32 = arith.constant 63 : i32
    %3 = arith.andi %2, %c63_i32 : i32
    %4 = arith.extsi %3 : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %5 = arith.andi %4, %c63_i64 : i64
    %result = arith.shrui %c4503599627370495_i64, %5 : i64
    func.return %result : i64
  }
  func.func private @trunc_f64(%x: f64) -> f64 attributes {ocl.unsigned = ["a", "result", "size"]} {
    %a = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %size = arith.andi %a, %c9223372036854775807_i64 : i64
    %c4607182418800017408_i64 = arith.constant 4607182418800017408 : i64
    %0 = arith.cmpi ult, %size, %c4607182418800017408_i64 : i64
    %result = scf.if %0 -> (i64) {
      %c0_i64 = arith.constant 0 : i64
      scf.yield %c0_i64 : i64
    } else {
      %1 = func.call @fraction_of(%size) : (i64) -> i64
      %cm1_i64 = arith.constant -1 : i64
      %2 = arith.xori %1, %cm1_i64 : i64
      %3 = arith.andi %size, %2 : i64
      scf.yield %3 : i64
    }
    %c4841369599423283200_i64 = arith.constant 4841369599423283200 : i64
    %4 = arith.cmpi uge, %size, %c4841369599423283200_i64 : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %5 = arith.andi %a, %c9223372036854775808_i64 : i64
    %6 = arith.ori %result, %5 : i64
    %7 = ocl.bitcast %6 : i64 to f64
    %result_1 = arith.select %4, %x, %7 : f64
    func.return %result_1 : f64
  }
  func.func private @floor_f64(%x: f64) -> f64 attributes {ocl.unsigned = ["a", "fraction", "result", "sign", "size"]} {
    %a = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %size = arith.andi %a, %c9223372036854775807_i64 : i64
    %fraction = func.call @fraction_of(%size) : (i64) -> i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %a, %c9223372036854775808_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %0 = arith.cmpi ne, %sign, %c0_i64 : i64
    %1 = arith.select %0, %fraction, %c0_i64 : i64
    %2 = arith.addi %size, %1 : i64
    %cm1_i64 = arith.constant -1 : i64
    %3 = arith.xori %fraction, %cm1_i64 : i64
    %result = arith.andi %2, %3 : i64
    %c4607182418800017408_i64 = arith.constant 4607182418800017408 : i64
    %4 = arith.cmpi ult, %size, %c4607182418800017408_i64 : i64
    %5 = arith.cmpi ne, %sign, %c0_i64 : i64
    %6 = arith.cmpi ne, %size, %c0_i64 : i64
    %7 = arith.andi %5, %6 : i1
    %8 = arith.select %7, %c4607182418800017408_i64, %c0_i64 : i64
    %result_1 = arith.select %4, %8, %result : i64
    %c4841369599423283200_i64 = arith.constant 4841369599423283200 : i64
    %9 = arith.cmpi uge, %size, %c4841369599423283200_i64 : i64
    %10 = arith.ori %result_1, %sign : i64
    %11 = ocl.bitcast %10 : i64 to f64
    %result_2 = arith.select %9, %x, %11 : f64
    func.return %result_2 : f64
  }
  func.func private @ceil_f64(%x: f64) -> f64 {
    %0 = func.call @neg_f64(%x) : (f64) -> f64
    %1 = func.call @floor_f64(%0) : (f64) -> f64
    %result = func.call @neg_f64(%1) : (f64) -> f64
    func.return %result : f64
  }
  func.func private @round_f64(%x: f64) -> f64 attributes {ocl.unsigned = ["a", "fraction", "result", "size"]} {
    %a = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %size = arith.andi %a, %c9223372036854775807_i64 : i64
    %fraction = func.call @fraction_of(%size) : (i64) -> i64
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.addi %fraction, %c1_i64 : i64
    %1 = arith.shrui %0, %c1_i64 : i64
    %2 = arith.addi %size, %1 : i64
    %cm1_i64 = arith.constant -1 : i64
    %3 = arith.xori %fraction, %cm1_i64 : i64
    %result = arith.andi %2, %3 : i64
    %c4607182418800017408_i64 = arith.constant 4607182418800017408 : i64
    %4 = arith.cmpi ult, %size, %c4607182418800017408_i64 : i64
    %c4602678819172646912_i64 = arith.constant 4602678819172646912 : i64
    %5 = arith.cmpi uge, %size, %c4602678819172646912_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %6 = arith.select %5, %c4607182418800017408_i64, %c0_i64 : i64
    %result_1 = arith.select %4, %6, %result : i64
    %c4841369599423283200_i64 = arith.constant 4841369599423283200 : i64
    %7 = arith.cmpi uge, %size, %c4841369599423283200_i64 : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %8 = arith.andi %a, %c9223372036854775808_i64 : i64
    %9 = arith.ori %result_1, %8 : i64
    %10 = ocl.bitcast %9 : i64 to f64
    %result_2 = arith.select %7, %x, %10 : f64
    func.return %result_2 : f64
  }
  func.func private @roundeven_f64(%x: f64) -> f64 attributes {ocl.unsigned = ["a", "fraction", "is_odd", "result", "size"]} {
    %a = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %size = arith.andi %a, %c9223372036854775807_i64 : i64
    %fraction = func.call @fraction_of(%size) : (i64) -> i64
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.addi %fraction, %c1_i64 : i64
    %1 = arith.andi %size, %0 : i64
    %c0_i64 = arith.constant 0 : i64
    %2 = arith.cmpi ne, %1, %c0_i64 : i64
    %3 = arith.extui %2 : i1 to i32
    %is_odd = arith.extsi %3 : i32 to i64
    %4 = arith.shrui %fraction, %c1_i64 : i64
    %5 = arith.addi %size, %4 : i64
    %6 = arith.addi %5, %is_odd : i64
    %cm1_i64 = arith.constant -1 : i64
    %7 = arith.xori %fraction, %cm1_i64 : i64
    %result = arith.andi %6, %7 : i64
    %c4607182418800017408_i64 = arith.constant 4607182418800017408 : i64
    %8 = arith.cmpi ult, %size, %c4607182418800017408_i64 : i64
    %c4602678819172646912_i64 = arith.constant 4602678819172646912 : i64
    %9 = arith.cmpi ugt, %size, %c4602678819172646912_i64 : i64
    %10 = arith.select %9, %c4607182418800017408_i64, %c0_i64 : i64
    %result_1 = arith.select %8, %10, %result : i64
    %c4841369599423283200_i64 = arith.constant 4841369599423283200 : i64
    %11 = arith.cmpi uge, %size, %c4841369599423283200_i64 : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %12 = arith.andi %a, %c9223372036854775808_i64 : i64
    %13 = arith.ori %result_1, %12 : i64
    %14 = ocl.bitcast %13 : i64 to f64
    %result_2 = arith.select %11, %x, %14 : f64
    func.return %result_2 : f64
  }
  func.func private @fmod_f64(%x: f64, %y: f64) -> f64 attributes {ocl.unsigned = ["a", "b", "divisor", "rest"]} {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %a = arith.andi %0, %c9223372036854775807_i64 : i64
    %1 = ocl.bitcast %y : f64 to i64
    %b = arith.andi %1, %c9223372036854775807_i64 : i64
    %s = func.call @subnormal_shift(%a) : (i64) -> i32
    %t = func.call @subnormal_shift(%b) : (i64) -> i32
    %exponent = func.call @exponent_64(%b, %t) : (i64, i32) -> i32
    %2 = func.call @exponent_64(%a, %s) : (i64, i32) -> i32
    %steps = arith.subi %2, %exponent : i32
    %rest = func.call @significand_64(%a, %s) : (i64, i32) -> i64
    %divisor = func.call @significand_64(%b, %t) : (i64, i32) -> i64
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %3 = arith.index_cast %steps : i32 to index
    %c1 = arith.constant 1 : index
    %rest_1 = scf.for %i = %c0 to %3 step %c1 iter_args(%rest_2 = %rest) -> (i64) {
      %4 = arith.cmpi uge, %rest_2, %divisor : i64
      %5 = arith.subi %rest_2, %divisor : i64
      %6 = arith.select %4, %5, %rest_2 : i64
      %c1_i64 = arith.constant 1 : i64
      %rest_3 = arith.shli %6, %c1_i64 : i64
      scf.yield %rest_3 : i64
    }
    %7 = arith.cmpi uge, %rest_1, %divisor : i64
    %8 = arith.subi %rest_1, %divisor : i64
    %rest_4 = arith.select %7, %8, %rest_1 : i64
    %9 = func.call @clz_i64(%rest_4) : (i64) -> i64
    %10 = arith.trunci %9 : i64 to i32
    %c63_i32 = arith.constant 63 : i32
    %zeros = arith.andi %10, %c63_i32 : i32
    %11 = ocl.bitcast %x : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %12 = arith.andi %11, %c9223372036854775808_i64 : i64
    %c11_i32 = arith.constant 11 : i32
    %13 = arith.addi %exponent, %c11_i32 : i32
    %14 = arith.subi %13, %zeros : i32
    %15 = arith.extsi %zeros : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %16 = arith.andi %15, %c63_i64 : i64
    %17 = arith.shli %rest_4, %16 : i64
    %c0_i64 = arith.constant 0 : i64
    %result = func.call @fitted_64(%12, %14, %17, %c0_i64) : (i64, i32, i64, i64) -> f64
    %18 = arith.cmpi eq, %rest_4, %c0_i64 : i64
    %19 = ocl.bitcast %x : f64 to i64
    %20 = arith.andi %19, %c9223372036854775808_i64 : i64
    %21 = ocl.bitcast %20 : i64 to f64
    %result_1 = arith.select %18, %21, %result : f64
    %22 = arith.cmpi slt, %steps, %c0_i32 : i32
    %23 = arith.cmpi eq, %a, %c0_i64 : i64
    %24 = arith.ori %22, %23 : i1
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %25 = arith.cmpi eq, %b, %c9218868437227405312_i64 : i64
    %26 = arith.ori %24, %25 : i1
    %result_2 = arith.select %26, %x, %result_1 : f64
    %27 = arith.cmpi uge, %a, %c9218868437227405312_i64 : i64
    %28 = arith.cmpi ugt, %b, %c9218868437227405312_i64 : i64
    %29 = arith.ori %27, %28 : i1
    %30 = arith.cmpi eq, %b, %c0_i64 : i64
    %is_nan = arith.ori %29, %30 : i1
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %31 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %result_3 = arith.select %is_nan, %31, %result_2 : f64
    func.return %result_3 : f64
  }
  func.func private @remainder_f64(%x: f64, %y: f64) -> f64 {
    %a = func.call @abs_f64(%x) : (f64) -> f64
    %b = func.call @abs_f64(%y) : (f64) -> f64
    %cst = arith.constant 8.9884656743115795e+307 : f64
    %0 = arith.cmpf olt, %b, %cst : f64
    %rest = scf.if %0 -> (f64) {
      %1 = arith.addf %b, %b : f64
      %2 = func.call @fmod_f64(%a, %1) : (f64, f64) -> f64
      scf.yield %2 : f64
    } else {
      scf.yield %a : f64
    }
    %cst_1 = arith.constant 1.000000e+00 : f64
    %is_small = arith.cmpf olt, %b, %cst_1 : f64
    %cst_2 = arith.constant 2.000000e+00 : f64
    %scale = arith.select %is_small, %cst_2, %cst_1 : f64
    %cst_3 = arith.constant 5.000000e-01 : f64
    %3 = arith.mulf %cst_3, %b {ocl.no_contract} : f64
    %middle = arith.select %is_small, %b, %3 : f64
    %4 = arith.mulf %rest, %scale : f64
    %is_over = arith.cmpf ogt, %4, %middle : f64
    %5 = arith.subf %rest, %b : f64
    %rest_1 = arith.select %is_over, %5, %rest : f64
    %6 = arith.mulf %rest_1, %scale : f64
    %7 = arith.cmpf oge, %6, %middle : f64
    %8 = arith.andi %is_over, %7 : i1
    %9 = arith.subf %rest_1, %b : f64
    %rest_2 = arith.select %8, %9, %rest_1 : f64
    %10 = ocl.bitcast %rest_2 : f64 to i64
    %11 = ocl.bitcast %x : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %12 = arith.andi %11, %c9223372036854775808_i64 : i64
    %13 = arith.xori %10, %12 : i64
    %result = ocl.bitcast %13 : i64 to f64
    %14 = ocl.bitcast %a : f64 to i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %15 = arith.cmpi uge, %14, %c9218868437227405312_i64 : i64
    %16 = ocl.bitcast %b : f64 to i64
    %17 = arith.cmpi ugt, %16, %c9218868437227405312_i64 : i64
    %18 = arith.ori %15, %17 : i1
    %cst_4 = arith.constant 0.000000e+00 : f64
    %19 = arith.cmpf oeq, %b, %cst_4 : f64
    %is_nan = arith.ori %18, %19 : i1
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %20 = ocl.bitcast %c9221120237041090560_i64 : i64 to f64
    %21 = ocl.bitcast %b : f64 to i64
    %22 = arith.cmpi eq, %21, %c9218868437227405312_i64 : i64
    %23 = arith.select %22, %x, %result : f64
    %result_1 = arith.select %is_nan, %20, %23 : f64
    func.return %result_1 : f64
  }
  func.func private @to_f64_u64(%a: i64) -> f64 attributes {ocl.unsigned = ["a"]} {
    %0 = func.call @clz_i64(%a) : (i64) -> i64
    %1 = arith.trunci %0 : i64 to i32
    %c63_i32 = arith.constant 63 : i32
    %zeros = arith.andi %1, %c63_i32 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1086_i32 = arith.constant 1086 : i32
    %2 = arith.subi %c1086_i32, %zeros : i32
    %3 = arith.extsi %zeros : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %4 = arith.andi %3, %c63_i64 : i64
    %5 = arith.shli %a, %4 : i64
    %result = func.call @fitted_64(%c0_i64, %2, %5, %c0_i64) : (i64, i32, i64, i64) -> f64
    %6 = arith.cmpi eq, %a, %c0_i64 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %result_1 = arith.select %6, %cst, %result : f64
    func.return %result_1 : f64
  }
  func.func private @to_f64_s64(%a: i64) -> f64 attributes {ocl.unsigned = ["a"]} {
    %0 = func.call @size_64(%a) : (i64) -> i64
    %1 = func.call @to_f64_u64(%0) : (i64) -> f64
    %2 = ocl.bitcast %1 : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %3 = arith.andi %a, %c9223372036854775808_i64 : i64
    %4 = arith.ori %2, %3 : i64
    %result = ocl.bitcast %4 : i64 to f64
    func.return %result : f64
  }
  func.func private @to_f64_u32(%a: i32) -> f64 attributes {ocl.unsigned = ["a", "m"]} {
    %0 = func.call @clz_i32(%a) : (i32) -> i32
    %1 = arith.extui %0 : i32 to i64
    %2 = arith.trunci %1 : i64 to i32
    %c31_i32 = arith.constant 31 : i32
    %zeros = arith.andi %2, %c31_i32 : i32
    %3 = arith.andi %zeros, %c31_i32 : i32
    %4 = arith.shli %a, %3 : i32
    %5 = arith.extui %4 : i32 to i64
    %c21_i64 = arith.constant 21 : i64
    %m = arith.shli %5, %c21_i64 : i64
    %c0_i32 = arith.constant 0 : i32
    %6 = arith.cmpi eq, %a, %c0_i32 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1053_i32 = arith.constant 1053 : i32
    %7 = arith.subi %c1053_i32, %zeros : i32
    %8 = arith.extsi %7 : i32 to i64
    %c52_i64 = arith.constant 52 : i64
    %9 = arith.shli %8, %c52_i64 : i64
    %10 = arith.addi %9, %m : i64
    %11 = arith.select %6, %c0_i64, %10 : i64
    %result = ocl.bitcast %11 : i64 to f64
    func.return %result : f64
  }
  func.func private @to_f64_s32(%a: i32) -> f64 attributes {ocl.unsigned = ["a"]} {
    %0 = func.call @size_32(%a) : (i32) -> i32
    %1 = func.call @to_f64_u32(%0) : (i32) -> f64
    %2 = ocl.bitcast %1 : f64 to i64
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %3 = arith.andi %a, %c2147483648_i32 : i32
    %4 = arith.extui %3 : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %5 = arith.shli %4, %c32_i64 : i64
    %6 = arith.ori %2, %5 : i64
    %result = ocl.bitcast %6 : i64 to f64
    func.return %result : f64
  }
  func.func private @to_u64_f64(%x: f64) -> i64 attributes {ocl.unsigned = ["a", "m", "result"]} {
    %a = ocl.bitcast %x : f64 to i64
    %c52_i64 = arith.constant 52 : i64
    %0 = arith.shrui %a, %c52_i64 : i64
    %1 = arith.trunci %0 : i64 to i32
    %c1023_i32 = arith.constant 1023 : i32
    %exponent = arith.subi %1, %c1023_i32 : i32
    %c11_i64 = arith.constant 11 : i64
    %2 = arith.shli %a, %c11_i64 : i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %m = arith.ori %2, %c9223372036854775808_i64 : i64
    %c63_i32 = arith.constant 63 : i32
    %3 = arith.cmpi sgt, %exponent, %c63_i32 : i32
    %c18446744073709551615_i64 = arith.constant -1 : i64
    %4 = arith.subi %c63_i32, %exponent : i32
    %5 = arith.andi %4, %c63_i32 : i32
    %6 = arith.extsi %5 : i32 to i64
    %c63_i64 = arith.constant 63 : i64
    %7 = arith.andi %6, %c63_i64 : i64
    %8 = arith.shrui %m, %7 : i64
    %result = arith.select %3, %c18446744073709551615_i64, %8 : i64
    %c0_i32 = arith.constant 0 : i32
    %9 = arith.cmpi slt, %exponent, %c0_i32 : i32
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %10 = arith.cmpi ugt, %a, %c9218868437227405312_i64 : i64
    %11 = arith.ori %9, %10 : i1
    %c0_i64 = arith.constant 0 : i64
    %result_1 = arith.select %11, %c0_i64, %result : i64
    func.return %result_1 : i64
  }
  func.func private @to_s64_f64(%x: f64) -> i64 attributes {ocl.unsigned = ["result", "sign", "size"]} {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %0, %c9223372036854775808_i64 : i64
    %1 = func.call @abs_f64(%x) : (f64) -> f64
    %2 = func.call @to_u64_f64(%1) : (f64) -> i64
    %c0_i64 = arith.constant 0 : i64
    %3 = arith.cmpi ne, %sign, %c0_i64 : i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %4 = arith.select %3, %c9223372036854775808_i64, %c9223372036854775807_i64 : i64
    %size = arith.minui %2, %4 : i64
    %5 = arith.cmpi ne, %sign, %c0_i64 : i64
    %6 = arith.subi %c0_i64, %size : i64
    %result = arith.select %5, %6, %size : i64
    func.return %result : i64
  }
  func.func private @to_u32_f64(%x: f64) -> i32 attributes {ocl.unsigned = ["result"]} {
    %0 = func.call @to_u64_f64(%x) : (f64) -> i64
    %c4294967295_i64 = arith.constant 4294967295 : i64
    %1 = arith.minui %0, %c4294967295_i64 : i64
    %result = arith.trunci %1 : i64 to i32
    func.return %result : i32
  }
  func.func private @to_s32_f64(%x: f64) -> i32 attributes {ocl.unsigned = ["result", "sign", "size"]} {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %sign = arith.andi %0, %c9223372036854775808_i64 : i64
    %1 = func.call @abs_f64(%x) : (f64) -> f64
    %2 = func.call @to_u64_f64(%1) : (f64) -> i64
    %c0_i64 = arith.constant 0 : i64
    %3 = arith.cmpi ne, %sign, %c0_i64 : i64
    %c2147483648_i64 = arith.constant 2147483648 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %4 = arith.select %3, %c2147483648_i64, %c2147483647_i64 : i64
    %5 = arith.minui %2, %4 : i64
    %size = arith.trunci %5 : i64 to i32
    %6 = arith.cmpi ne, %sign, %c0_i64 : i64
    %c0_i32 = arith.constant 0 : i32
    %7 = arith.subi %c0_i32, %size : i32
    %result = arith.select %6, %7, %size : i32
    func.return %result : i32
  }
  func.func private @to_f64_f32(%x: f32) -> f64 attributes {ocl.unsigned = ["a", "exponent", "m", "result", "sign"]} {
    %0 = ocl.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %a = arith.andi %0, %c2147483647_i32 : i32
    %1 = ocl.bitcast %x : f32 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %1, %c2147483648_i32 : i32
    %c8388608_i32 = arith.constant 8388608 : i32
    %2 = arith.cmpi uge, %a, %c8388608_i32 : i32
    %shift = scf.if %2 -> (i32) {
      %c0_i32 = arith.constant 0 : i32
      scf.yield %c0_i32 : i32
    } else {
      %3 = func.call @clz_i32(%a) : (i32) -> i32
      %4 = arith.extui %3 : i32 to i64
      %5 = arith.trunci %4 : i64 to i32
      %c8_i32 = arith.constant 8 : i32
      %6 = arith.subi %5, %c8_i32 : i32
      %c31_i32 = arith.constant 31 : i32
      %7 = arith.andi %6, %c31_i32 : i32
      scf.yield %7 : i32
    }
    %c8388607_i32 = arith.constant 8388607 : i32
    %8 = arith.andi %a, %c8388607_i32 : i32
    %c31_i32_1 = arith.constant 31 : i32
    %9 = arith.andi %shift, %c31_i32_1 : i32
    %10 = arith.shli %8, %9 : i32
    %m = arith.andi %10, %c8388607_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %11 = arith.shrui %a, %c23_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %12 = arith.maxsi %11, %c1_i32 : i32
    %13 = arith.subi %12, %shift : i32
    %c896_i32 = arith.constant 896 : i32
    %exponent = arith.addi %13, %c896_i32 : i32
    %c20_i32 = arith.constant 20 : i32
    %14 = arith.shli %exponent, %c20_i32 : i32
    %15 = arith.extui %14 : i32 to i64
    %c32_i64 = arith.constant 32 : i64
    %16 = arith.shli %15, %c32_i64 : i64
    %17 = arith.extui %m : i32 to i64
    %c29_i64 = arith.constant 29 : i64
    %18 = arith.shli %17, %c29_i64 : i64
    %result = arith.ori %16, %18 : i64
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %19 = arith.cmpi eq, %a, %c2139095040_i32 : i32
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %20 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %c9221120237041090560_i64 = arith.constant 9221120237041090560 : i64
    %21 = arith.select %20, %c9221120237041090560_i64, %result : i64
    %result_1 = arith.select %19, %c9218868437227405312_i64, %21 : i64
    %c0_i32_1 = arith.constant 0 : i32
    %22 = arith.cmpi eq, %a, %c0_i32_1 : i32
    %c0_i64 = arith.constant 0 : i64
    %23 = arith.select %22, %c0_i64, %result_1 : i64
    %24 = arith.cmpi ugt, %a, %c2139095040_i32 : i32
    %25 = arith.select %24, %c0_i32_1, %sign : i32
    %26 = arith.extui %25 : i32 to i64
    %27 = arith.shli %26, %c32_i64 : i64
    %28 = arith.ori %23, %27 : i64
    %result_2 = ocl.bitcast %28 : i64 to f64
    func.return %result_2 : f64
  }
  func.func private @to_f32_f64(%x: f64) -> f32 attributes {ocl.unsigned = ["a", "m", "sign"]} {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %a = arith.andi %0, %c9223372036854775807_i64 : i64
    %1 = ocl.bitcast %x : f64 to i64
    %c32_i64 = arith.constant 32 : i64
    %2 = arith.shrui %1, %c32_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %3, %c2147483648_i32 : i32
    %c52_i64 = arith.constant 52 : i64
    %4 = arith.shrui %a, %c52_i64 : i64
    %5 = arith.trunci %4 : i64 to i32
    %c896_i32 = arith.constant 896 : i32
    %exponent = arith.subi %5, %c896_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %m = func.call @significand_64(%a, %c0_i32) : (i64, i32) -> i64
    %c27_i64 = arith.constant 27 : i64
    %6 = arith.shrui %m, %c27_i64 : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.trunci %m : i64 to i32
    %c134217727_i32 = arith.constant 134217727 : i32
    %9 = arith.andi %8, %c134217727_i32 : i32
    %10 = arith.cmpi ne, %9, %c0_i32 : i32
    %11 = arith.extui %10 : i1 to i32
    %12 = arith.ori %7, %11 : i32
    %result = func.call @rounded(%sign, %exponent, %12) : (i32, i32, i32) -> f32
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %13 = arith.cmpi eq, %a, %c9218868437227405312_i64 : i64
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %14 = arith.ori %sign, %c2139095040_i32 : i32
    %15 = ocl.bitcast %14 : i32 to f32
    %result_1 = arith.select %13, %15, %result : f32
    %16 = arith.cmpi ugt, %a, %c9218868437227405312_i64 : i64
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %17 = ocl.bitcast %c2143289344_i32 : i32 to f32
    %result_2 = arith.select %16, %17, %result_1 : f32
    func.return %result_2 : f32
  }
  func.func private @to_f64_f16(%half_bits: i16) -> f64 attributes {ocl.unsigned = ["half_bits"]} {
    %0 = func.call @to_f32_f16(%half_bits) : (i16) -> f32
    %result = func.call @to_f64_f32(%0) : (f32) -> f64
    func.return %result : f64
  }
  func.func private @to_f16_f64(%x: f64) -> i16 attributes {ocl.unsigned = ["a", "m", "result", "sign", "size"]} {
    %0 = ocl.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %a = arith.andi %0, %c9223372036854775807_i64 : i64
    %1 = ocl.bitcast %x : f64 to i64
    %c32_i64 = arith.constant 32 : i64
    %2 = arith.shrui %1, %c32_i64 : i64
    %3 = arith.trunci %2 : i64 to i32
    %c2147483648_i32 = arith.constant -2147483648 : i32
    %sign = arith.andi %3, %c2147483648_i32 : i32
    %c52_i64 = arith.constant 52 : i64
    %4 = arith.shrui %a, %c52_i64 : i64
    %5 = arith.trunci %4 : i64 to i32
    %c896_i32 = arith.constant 896 : i32
    %exponent = arith.subi %5, %c896_i32 : i32
    %c29_i64 = arith.constant 29 : i64
    %6 = arith.shrui %a, %c29_i64 : i64
    %7 = arith.trunci %6 : i64 to i32
    %c8388607_i32 = arith.constant 8388607 : i32
    %8 = arith.andi %7, %c8388607_i32 : i32
    %9 = arith.trunci %a : i64 to i32
    %c536870911_i32 = arith.constant 536870911 : i32
    %10 = arith.andi %9, %c536870911_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %11 = arith.cmpi ne, %10, %c0_i32 : i32
    %12 = arith.extui %11 : i1 to i32
    %m = arith.ori %8, %12 : i32
    %13 = arith.cmpi sle, %exponent, %c0_i32 : i32
    %c254_i32 = arith.constant 254 : i32
    %14 = arith.cmpi sgt, %exponent, %c254_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %c23_i32 = arith.constant 23 : i32
    %15 = arith.shli %exponent, %c23_i32 : i32
    %16 = arith.ori %15, %m : i32
    %17 = arith.select %14, %c2139095040_i32, %16 : i32
    %size = arith.select %13, %c0_i32, %17 : i32
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %18 = arith.cmpi ugt, %a, %c9218868437227405312_i64 : i64
    %c2143289344_i32 = arith.constant 2143289344 : i32
    %19 = arith.ori %sign, %size : i32
    %20 = arith.select %18, %c2143289344_i32, %19 : i32
    %21 = ocl.bitcast %20 : i32 to f32
    %result = func.call @to_f16_f32(%21) : (f32) -> i16
    func.return %result : i16
  }
}

