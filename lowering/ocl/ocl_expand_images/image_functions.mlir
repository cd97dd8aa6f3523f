builtin.module {
  func.func private @pixel(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> !ocl.ptr<i8, global> attributes {ocl.unsigned = ["image", "result"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = ocl.member %h["first_pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i64, global>
    %1 = ocl.load %0 : !ocl.ptr<i64, global>
    %2 = vector.extract %at[2] : i32 from vector<4xi32>
    %3 = arith.extsi %2 : i32 to i64
    %4 = ocl.member %h["slice"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i64, global>
    %5 = ocl.load %4 : !ocl.ptr<i64, global>
    %6 = arith.muli %3, %5 : i64
    %7 = arith.addi %1, %6 : i64
    %8 = vector.extract %at[1] : i32 from vector<4xi32>
    %9 = arith.extsi %8 : i32 to i64
    %10 = ocl.member %h["pitch"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i64, global>
    %11 = ocl.load %10 : !ocl.ptr<i64, global>
    %12 = arith.muli %9, %11 : i64
    %13 = arith.addi %7, %12 : i64
    %14 = vector.extract %at[0] : i32 from vector<4xi32>
    %15 = arith.extsi %14 : i32 to i64
    %16 = ocl.member %h["pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i64, global>
    %17 = ocl.load %16 : !ocl.ptr<i64, global>
    %18 = arith.muli %15, %17 : i64
    %19 = arith.addi %13, %18 : i64
    %20 = arith.index_cast %19 : i64 to index
    %result = ocl.offset %image[%20] : !ocl.ptr<i8, global>
    func.return %result : !ocl.ptr<i8, global>
  }
  func.func private @inside(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> i1 attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = vector.extract %at[0] : i32 from vector<4xi32>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sge, %0, %c0_i32 : i32
    %2 = scf.if %1 -> (i1) {
      %3 = vector.extract %at[0] : i32 from vector<4xi32>
      %4 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %5 = ocl.load %4 : !ocl.ptr<i32, global>
      %6 = arith.cmpi slt, %3, %5 : i32
      scf.yield %6 : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    %7 = vector.extract %at[1] : i32 from vector<4xi32>
    %8 = arith.cmpi sge, %7, %c0_i32 : i32
    %9 = arith.andi %2, %8 : i1
    %10 = scf.if %9 -> (i1) {
      %11 = vector.extract %at[1] : i32 from vector<4xi32>
      %12 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %13 = ocl.load %12 : !ocl.ptr<i32, global>
      %14 = arith.cmpi slt, %11, %13 : i32
      scf.yield %14 : i1
    } else {
      %false_1 = arith.constant false
      scf.yield %false_1 : i1
    }
    %15 = vector.extract %at[2] : i32 from vector<4xi32>
    %16 = arith.cmpi sge, %15, %c0_i32 : i32
    %17 = arith.andi %10, %16 : i1
    %result = scf.if %17 -> (i1) {
      %18 = vector.extract %at[2] : i32 from vector<4xi32>
      %19 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %20 = ocl.load %19 : !ocl.ptr<i32, global>
      %21 = arith.cmpi slt, %18, %20 : i32
      scf.yield %21 : i1
    } else {
      %false_2 = arith.constant false
      scf.yield %false_2 : i1
    }
    func.return %result : i1
  }
  func.func private @packed_places(%type: i32) -> vector<4xi32> {
    %c4308_i32 = arith.constant 4308 : i32
    %0 = arith.cmpi eq, %type, %c4308_i32 : i32
    %result = scf.if %0 -> (vector<4xi32>) {
      %c11_i32 = arith.constant 11 : i32
      %c5_i32 = arith.constant 5 : i32
      %c0_i32 = arith.constant 0 : i32
      %result_1 = ocl.concat %c11_i32, %c5_i32, %c0_i32, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
      scf.yield %result_1 : vector<4xi32>
    } else {
      %c4309_i32 = arith.constant 4309 : i32
      %1 = arith.cmpi eq, %type, %c4309_i32 : i32
      %result_2 = scf.if %1 -> (vector<4xi32>) {
        %c10_i32 = arith.constant 10 : i32
        %c5_i32_1 = arith.constant 5 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %result_3 = ocl.concat %c10_i32, %c5_i32_1, %c0_i32_1, %c0_i32_1 : i32, i32, i32, i32 -> vector<4xi32>
        scf.yield %result_3 : vector<4xi32>
      } else {
        %c4310_i32 = arith.constant 4310 : i32
        %2 = arith.cmpi eq, %type, %c4310_i32 : i32
        %result_4 = scf.if %2 -> (vector<4xi32>) {
          %c20_i32 = arith.constant 20 : i32
          %c10_i32_1 = arith.constant 10 : i32
          %c0_i32_2 = arith.constant 0 : i32
          %result_5 = ocl.concat %c20_i32, %c10_i32_1, %c0_i32_2, %c0_i32_2 : i32, i32, i32, i32 -> vector<4xi32>
          scf.yield %result_5 : vector<4xi32>
        } else {
          %c22_i32 = arith.constant 22 : i32
          %c12_i32 = arith.constant 12 : i32
          %c2_i32 = arith.constant 2 : i32
          %c0_i32_3 = arith.constant 0 : i32
          %result_6 = ocl.concat %c22_i32, %c12_i32, %c2_i32, %c0_i32_3 : i32, i32, i32, i32 -> vector<4xi32>
          scf.yield %result_6 : vector<4xi32>
        }
        scf.yield %result_4 : vector<4xi32>
      }
      scf.yield %result_2 : vector<4xi32>
    }
    func.return %result : vector<4xi32>
  }
  func.func private @packed_tops(%type: i32) -> vector<4xi32> {
    %c4308_i32 = arith.constant 4308 : i32
    %0 = arith.cmpi eq, %type, %c4308_i32 : i32
    %result = scf.if %0 -> (vector<4xi32>) {
      %c31_i32 = arith.constant 31 : i32
      %c63_i32 = arith.constant 63 : i32
      %c1_i32 = arith.constant 1 : i32
      %result_1 = ocl.concat %c31_i32, %c63_i32, %c31_i32, %c1_i32 : i32, i32, i32, i32 -> vector<4xi32>
      scf.yield %result_1 : vector<4xi32>
    } else {
      %c4309_i32 = arith.constant 4309 : i32
      %1 = arith.cmpi eq, %type, %c4309_i32 : i32
      %result_2 = scf.if %1 -> (vector<4xi32>) {
        %c31_i32_1 = arith.constant 31 : i32
        %c1_i32_1 = arith.constant 1 : i32
        %result_3 = ocl.concat %c31_i32_1, %c31_i32_1, %c31_i32_1, %c1_i32_1 : i32, i32, i32, i32 -> vector<4xi32>
        scf.yield %result_3 : vector<4xi32>
      } else {
        %c4310_i32 = arith.constant 4310 : i32
        %2 = arith.cmpi eq, %type, %c4310_i32 : i32
        %result_4 = scf.if %2 -> (vector<4xi32>) {
          %c1023_i32 = arith.constant 1023 : i32
          %c1_i32_2 = arith.constant 1 : i32
          %result_5 = ocl.concat %c1023_i32, %c1023_i32, %c1023_i32, %c1_i32_2 : i32, i32, i32, i32 -> vector<4xi32>
          scf.yield %result_5 : vector<4xi32>
        } else {
          %c1023_i32_1 = arith.constant 1023 : i32
          %c3_i32 = arith.constant 3 : i32
          %result_6 = ocl.concat %c1023_i32_1, %c1023_i32_1, %c1023_i32_1, %c3_i32 : i32, i32, i32, i32 -> vector<4xi32>
          scf.yield %result_6 : vector<4xi32>
        }
        scf.yield %result_4 : vector<4xi32>
      }
      scf.yield %result_2 : vector<4xi32>
    }
    func.return %result : vector<4xi32>
  }
  func.func private @is_packed(%type: i32) -> i1 {
    %c4308_i32 = arith.constant 4308 : i32
    %0 = arith.cmpi sge, %type, %c4308_i32 : i32
    %c4310_i32 = arith.constant 4310 : i32
    %1 = arith.cmpi sle, %type, %c4310_i32 : i32
    %2 = arith.andi %0, %1 : i1
    %c4320_i32 = arith.constant 4320 : i32
    %3 = arith.cmpi eq, %type, %c4320_i32 : i32
    %result = arith.ori %2, %3 : i1
    func.return %result : i1
  }
  func.func private @packed_channels(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>, %p: !ocl.ptr<i8, global>) -> vector<4xf32> attributes {ocl.unsigned = ["p"]} {
    %0 = ocl.member %h["pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i64, global>
    %1 = ocl.load %0 : !ocl.ptr<i64, global>
    %c2_i64 = arith.constant 2 : i64
    %2 = arith.cmpi eq, %1, %c2_i64 : i64
    %word = scf.if %2 -> (i32) {
      %3 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
      %4 = ocl.load %3 : !ocl.ptr<i16, global>
      %5 = arith.extui %4 : i16 to i32
      scf.yield %5 : i32
    } else {
      %6 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
      %7 = ocl.load %6 : !ocl.ptr<i32, global>
      scf.yield %7 : i32
    }
    %8 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %9 = ocl.load %8 : !ocl.ptr<i32, global>
    %tops = func.call @packed_tops(%9) : (i32) -> vector<4xi32>
    %10 = vector.broadcast %word : i32 to vector<4xi32>
    %11 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %12 = ocl.load %11 : !ocl.ptr<i32, global>
    %13 = func.call @packed_places(%12) : (i32) -> vector<4xi32>
    %cst = arith.constant dense<31> : vector<4xi32>
    %14 = arith.andi %13, %cst : vector<4xi32>
    %15 = arith.shrsi %10, %14 : vector<4xi32>
    %16 = arith.andi %15, %tops : vector<4xi32>
    %17 = vec.sitofp %16 : vector<4xi32> to vector<4xf32>
    %18 = vec.sitofp %tops : vector<4xi32> to vector<4xf32>
    %result = arith.divf %17, %18 : vector<4xf32>
    func.return %result : vector<4xf32>
  }
  func.func private @channels_of(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>) -> vector<4xi32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = ocl.concat %c0_i32, %c1_i32, %c2_i32, %c3_i32 : i32, i32, i32, i32 -> vector<4xi32>
    %1 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = arith.subi %2, %c1_i32 : i32
    %4 = vector.broadcast %3 : i32 to vector<4xi32>
    %result = arith.minsi %0, %4 : vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @channels_f(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> vector<4xf32> attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
    %c = func.call @channels_of(%h) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>) -> vector<4xi32>
    %0 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %selector = ocl.load %0 : !ocl.ptr<i32, global>
    %c4304_i32 = arith.constant 4304 : i32
    %1 = arith.cmpi eq, %selector, %c4304_i32 : i32
    %result = scf.if %1 -> (vector<4xf32>) {
      %2 = vector.extract %c[0] : i32 from vector<4xi32>
      %3 = arith.index_cast %2 : i32 to index
      %4 = ocl.load %p[%3] : !ocl.ptr<i8, global>
      %5 = arith.sitofp %4 : i8 to f32
      %6 = vector.extract %c[1] : i32 from vector<4xi32>
      %7 = arith.index_cast %6 : i32 to index
      %8 = ocl.load %p[%7] : !ocl.ptr<i8, global>
      %9 = arith.sitofp %8 : i8 to f32
      %10 = vector.extract %c[2] : i32 from vector<4xi32>
      %11 = arith.index_cast %10 : i32 to index
      %12 = ocl.load %p[%11] : !ocl.ptr<i8, global>
      %13 = arith.sitofp %12 : i8 to f32
      %14 = vector.extract %c[3] : i32 from vector<4xi32>
      %15 = arith.index_cast %14 : i32 to index
      %16 = ocl.load %p[%15] : !ocl.ptr<i8, global>
      %17 = arith.sitofp %16 : i8 to f32
      %18 = ocl.concat %5, %9, %13, %17 : f32, f32, f32, f32 -> vector<4xf32>
      %cst = arith.constant dense<1.270000e+02> : vector<4xf32>
      %19 = arith.divf %18, %cst : vector<4xf32>
      %cst_1 = arith.constant dense<-1.000000e+00> : vector<4xf32>
      %result_1 = arith.maxnumf %19, %cst_1 : vector<4xf32>
      scf.yield %result_1 : vector<4xf32>
    } else {
      %c4306_i32 = arith.constant 4306 : i32
      %20 = arith.cmpi eq, %selector, %c4306_i32 : i32
      %result_2 = scf.if %20 -> (vector<4xf32>) {
        %21 = vector.extract %c[0] : i32 from vector<4xi32>
        %22 = arith.index_cast %21 : i32 to index
        %23 = ocl.load %p[%22] : !ocl.ptr<i8, global>
        %24 = arith.uitofp %23 : i8 to f32
        %25 = vector.extract %c[1] : i32 from vector<4xi32>
        %26 = arith.index_cast %25 : i32 to index
        %27 = ocl.load %p[%26] : !ocl.ptr<i8, global>
        %28 = arith.uitofp %27 : i8 to f32
        %29 = vector.extract %c[2] : i32 from vector<4xi32>
        %30 = arith.index_cast %29 : i32 to index
        %31 = ocl.load %p[%30] : !ocl.ptr<i8, global>
        %32 = arith.uitofp %31 : i8 to f32
        %33 = vector.extract %c[3] : i32 from vector<4xi32>
        %34 = arith.index_cast %33 : i32 to index
        %35 = ocl.load %p[%34] : !ocl.ptr<i8, global>
        %36 = arith.uitofp %35 : i8 to f32
        %37 = ocl.concat %24, %28, %32, %36 : f32, f32, f32, f32 -> vector<4xf32>
        %cst_2 = arith.constant dense<2.550000e+02> : vector<4xf32>
        %result_3 = arith.divf %37, %cst_2 : vector<4xf32>
        scf.yield %result_3 : vector<4xf32>
      } else {
        %c4305_i32 = arith.constant 4305 : i32
        %38 = arith.cmpi eq, %selector, %c4305_i32 : i32
        %result_4 = scf.if %38 -> (vector<4xf32>) {
          %39 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %40 = vector.extract %c[0] : i32 from vector<4xi32>
          %41 = arith.index_cast %40 : i32 to index
          %42 = ocl.load %39[%41] : !ocl.ptr<i16, global>
          %43 = arith.sitofp %42 : i16 to f32
          %44 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %45 = vector.extract %c[1] : i32 from vector<4xi32>
          %46 = arith.index_cast %45 : i32 to index
          %47 = ocl.load %44[%46] : !ocl.ptr<i16, global>
          %48 = arith.sitofp %47 : i16 to f32
          %49 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %50 = vector.extract %c[2] : i32 from vector<4xi32>
          %51 = arith.index_cast %50 : i32 to index
          %52 = ocl.load %49[%51] : !ocl.ptr<i16, global>
          %53 = arith.sitofp %52 : i16 to f32
          %54 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %55 = vector.extract %c[3] : i32 from vector<4xi32>
          %56 = arith.index_cast %55 : i32 to index
          %57 = ocl.load %54[%56] : !ocl.ptr<i16, global>
          %58 = arith.sitofp %57 : i16 to f32
          %59 = ocl.concat %43, %48, %53, %58 : f32, f32, f32, f32 -> vector<4xf32>
          %cst_3 = arith.constant dense<3.276700e+04> : vector<4xf32>
          %60 = arith.divf %59, %cst_3 : vector<4xf32>
          %cst_4 = arith.constant dense<-1.000000e+00> : vector<4xf32>
          %result_5 = arith.maxnumf %60, %cst_4 : vector<4xf32>
          scf.yield %result_5 : vector<4xf32>
        } else {
          %c4307_i32 = arith.constant 4307 : i32
          %61 = arith.cmpi eq, %selector, %c4307_i32 : i32
          %result_6 = scf.if %61 -> (vector<4xf32>) {
            %62 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %63 = vector.extract %c[0] : i32 from vector<4xi32>
            %64 = arith.index_cast %63 : i32 to index
            %65 = ocl.load %62[%64] : !ocl.ptr<i16, global>
            %66 = arith.uitofp %65 : i16 to f32
            %67 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %68 = vector.extract %c[1] : i32 from vector<4xi32>
            %69 = arith.index_cast %68 : i32 to index
            %70 = ocl.load %67[%69] : !ocl.ptr<i16, global>
            %71 = arith.uitofp %70 : i16 to f32
            %72 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %73 = vector.extract %c[2] : i32 from vector<4xi32>
            %74 = arith.index_cast %73 : i32 to index
            %75 = ocl.load %72[%74] : !ocl.ptr<i16, global>
            %76 = arith.uitofp %75 : i16 to f32
            %77 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %78 = vector.extract %c[3] : i32 from vector<4xi32>
            %79 = arith.index_cast %78 : i32 to index
            %80 = ocl.load %77[%79] : !ocl.ptr<i16, global>
            %81 = arith.uitofp %80 : i16 to f32
            %82 = ocl.concat %66, %71, %76, %81 : f32, f32, f32, f32 -> vector<4xf32>
            %cst_5 = arith.constant dense<6.553500e+04> : vector<4xf32>
            %result_7 = arith.divf %82, %cst_5 : vector<4xf32>
            scf.yield %result_7 : vector<4xf32>
          } else {
            %c4317_i32 = arith.constant 4317 : i32
            %83 = arith.cmpi eq, %selector, %c4317_i32 : i32
            %result_8 = scf.if %83 -> (vector<4xf32>) {
              %84 = vector.extract %c[0] : i32 from vector<4xi32>
              %85 = arith.index_cast %84 : i32 to index
              %86 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
              %87 = ocl.load %86[%85] : !ocl.ptr<f16, global>
              %88 = arith.extf %87 : f16 to f32
              %89 = vector.extract %c[1] : i32 from vector<4xi32>
              %90 = arith.index_cast %89 : i32 to index
              %91 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
              %92 = ocl.load %91[%90] : !ocl.ptr<f16, global>
              %93 = arith.extf %92 : f16 to f32
              %94 = vector.extract %c[2] : i32 from vector<4xi32>
              %95 = arith.index_cast %94 : i32 to index
              %96 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
              %97 = ocl.load %96[%95] : !ocl.ptr<f16, global>
              %98 = arith.extf %97 : f16 to f32
              %99 = vector.extract %c[3] : i32 from vector<4xi32>
              %100 = arith.index_cast %99 : i32 to index
              %101 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
              %102 = ocl.load %101[%100] : !ocl.ptr<f16, global>
              %103 = arith.extf %102 : f16 to f32
              %result_9 = ocl.concat %88, %93, %98, %103 : f32, f32, f32, f32 -> vector<4xf32>
              scf.yield %result_9 : vector<4xf32>
            } else {
              %c4318_i32 = arith.constant 4318 : i32
              %104 = arith.cmpi eq, %selector, %c4318_i32 : i32
              %result_10 = scf.if %104 -> (vector<4xf32>) {
                %105 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                %106 = vector.extract %c[0] : i32 from vector<4xi32>
                %107 = arith.index_cast %106 : i32 to index
                %108 = ocl.load %105[%107] : !ocl.ptr<f32, global>
                %109 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                %110 = vector.extract %c[1] : i32 from vector<4xi32>
                %111 = arith.index_cast %110 : i32 to index
                %112 = ocl.load %109[%111] : !ocl.ptr<f32, global>
                %113 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                %114 = vector.extract %c[2] : i32 from vector<4xi32>
                %115 = arith.index_cast %114 : i32 to index
                %116 = ocl.load %113[%115] : !ocl.ptr<f32, global>
                %117 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                %118 = vector.extract %c[3] : i32 from vector<4xi32>
                %119 = arith.index_cast %118 : i32 to index
                %120 = ocl.load %117[%119] : !ocl.ptr<f32, global>
                %result_11 = ocl.concat %108, %112, %116, %120 : f32, f32, f32, f32 -> vector<4xf32>
                scf.yield %result_11 : vector<4xf32>
              } else {
                %121 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
                %122 = ocl.load %121 : !ocl.ptr<i32, global>
                %123 = func.call @is_packed(%122) : (i32) -> i1
                %result_12 = scf.if %123 -> (vector<4xf32>) {
                  %124 = func.call @packed_channels(%h, %p) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>, !ocl.ptr<i8, global>) -> vector<4xf32>
                  scf.yield %124 : vector<4xf32>
                } else {
                  %cst_6 = arith.constant dense<0.000000e+00> : vector<4xf32>
                  scf.yield %cst_6 : vector<4xf32>
                }
                scf.yield %result_12 : vector<4xf32>
              }
              scf.yield %result_10 : vector<4xf32>
            }
            scf.yield %result_8 : vector<4xf32>
          }
          scf.yield %result_6 : vector<4xf32>
        }
        scf.yield %result_4 : vector<4xf32>
      }
      scf.yield %result_2 : vector<4xf32>
    }
    func.return %result : vector<4xf32>
  }
  func.func private @channels_i(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
    %c = func.call @channels_of(%h) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>) -> vector<4xi32>
    %0 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %selector = ocl.load %0 : !ocl.ptr<i32, global>
    %c4311_i32 = arith.constant 4311 : i32
    %1 = arith.cmpi eq, %selector, %c4311_i32 : i32
    %result = scf.if %1 -> (vector<4xi32>) {
      %2 = vector.extract %c[0] : i32 from vector<4xi32>
      %3 = arith.index_cast %2 : i32 to index
      %4 = ocl.load %p[%3] : !ocl.ptr<i8, global>
      %5 = arith.extsi %4 : i8 to i32
      %6 = vector.extract %c[1] : i32 from vector<4xi32>
      %7 = arith.index_cast %6 : i32 to index
      %8 = ocl.load %p[%7] : !ocl.ptr<i8, global>
      %9 = arith.extsi %8 : i8 to i32
      %10 = vector.extract %c[2] : i32 from vector<4xi32>
      %11 = arith.index_cast %10 : i32 to index
      %12 = ocl.load %p[%11] : !ocl.ptr<i8, global>
      %13 = arith.extsi %12 : i8 to i32
      %14 = vector.extract %c[3] : i32 from vector<4xi32>
      %15 = arith.index_cast %14 : i32 to index
      %16 = ocl.load %p[%15] : !ocl.ptr<i8, global>
      %17 = arith.extsi %16 : i8 to i32
      %result_1 = ocl.concat %5, %9, %13, %17 : i32, i32, i32, i32 -> vector<4xi32>
      scf.yield %result_1 : vector<4xi32>
    } else {
      %c4314_i32 = arith.constant 4314 : i32
      %18 = arith.cmpi eq, %selector, %c4314_i32 : i32
      %result_2 = scf.if %18 -> (vector<4xi32>) {
        %19 = vector.extract %c[0] : i32 from vector<4xi32>
        %20 = arith.index_cast %19 : i32 to index
        %21 = ocl.load %p[%20] : !ocl.ptr<i8, global>
        %22 = arith.extui %21 : i8 to i32
        %23 = vector.extract %c[1] : i32 from vector<4xi32>
        %24 = arith.index_cast %23 : i32 to index
        %25 = ocl.load %p[%24] : !ocl.ptr<i8, global>
        %26 = arith.extui %25 : i8 to i32
        %27 = vector.extract %c[2] : i32 from vector<4xi32>
        %28 = arith.index_cast %27 : i32 to index
        %29 = ocl.load %p[%28] : !ocl.ptr<i8, global>
        %30 = arith.extui %29 : i8 to i32
        %31 = vector.extract %c[3] : i32 from vector<4xi32>
        %32 = arith.index_cast %31 : i32 to index
        %33 = ocl.load %p[%32] : !ocl.ptr<i8, global>
        %34 = arith.extui %33 : i8 to i32
        %result_3 = ocl.concat %22, %26, %30, %34 : i32, i32, i32, i32 -> vector<4xi32>
        scf.yield %result_3 : vector<4xi32>
      } else {
        %c4312_i32 = arith.constant 4312 : i32
        %35 = arith.cmpi eq, %selector, %c4312_i32 : i32
        %result_4 = scf.if %35 -> (vector<4xi32>) {
          %36 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %37 = vector.extract %c[0] : i32 from vector<4xi32>
          %38 = arith.index_cast %37 : i32 to index
          %39 = ocl.load %36[%38] : !ocl.ptr<i16, global>
          %40 = arith.extsi %39 : i16 to i32
          %41 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %42 = vector.extract %c[1] : i32 from vector<4xi32>
          %43 = arith.index_cast %42 : i32 to index
          %44 = ocl.load %41[%43] : !ocl.ptr<i16, global>
          %45 = arith.extsi %44 : i16 to i32
          %46 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %47 = vector.extract %c[2] : i32 from vector<4xi32>
          %48 = arith.index_cast %47 : i32 to index
          %49 = ocl.load %46[%48] : !ocl.ptr<i16, global>
          %50 = arith.extsi %49 : i16 to i32
          %51 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %52 = vector.extract %c[3] : i32 from vector<4xi32>
          %53 = arith.index_cast %52 : i32 to index
          %54 = ocl.load %51[%53] : !ocl.ptr<i16, global>
          %55 = arith.extsi %54 : i16 to i32
          %result_5 = ocl.concat %40, %45, %50, %55 : i32, i32, i32, i32 -> vector<4xi32>
          scf.yield %result_5 : vector<4xi32>
        } else {
          %c4315_i32 = arith.constant 4315 : i32
          %56 = arith.cmpi eq, %selector, %c4315_i32 : i32
          %result_6 = scf.if %56 -> (vector<4xi32>) {
            %57 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %58 = vector.extract %c[0] : i32 from vector<4xi32>
            %59 = arith.index_cast %58 : i32 to index
            %60 = ocl.load %57[%59] : !ocl.ptr<i16, global>
            %61 = arith.extui %60 : i16 to i32
            %62 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %63 = vector.extract %c[1] : i32 from vector<4xi32>
            %64 = arith.index_cast %63 : i32 to index
            %65 = ocl.load %62[%64] : !ocl.ptr<i16, global>
            %66 = arith.extui %65 : i16 to i32
            %67 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %68 = vector.extract %c[2] : i32 from vector<4xi32>
            %69 = arith.index_cast %68 : i32 to index
            %70 = ocl.load %67[%69] : !ocl.ptr<i16, global>
            %71 = arith.extui %70 : i16 to i32
            %72 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %73 = vector.extract %c[3] : i32 from vector<4xi32>
            %74 = arith.index_cast %73 : i32 to index
            %75 = ocl.load %72[%74] : !ocl.ptr<i16, global>
            %76 = arith.extui %75 : i16 to i32
            %result_7 = ocl.concat %61, %66, %71, %76 : i32, i32, i32, i32 -> vector<4xi32>
            scf.yield %result_7 : vector<4xi32>
          } else {
            %c4313_i32 = arith.constant 4313 : i32
            %77 = arith.cmpi eq, %selector, %c4313_i32 : i32
            %c4316_i32 = arith.constant 4316 : i32
            %78 = arith.cmpi eq, %selector, %c4316_i32 : i32
            %79 = arith.ori %77, %78 : i1
            %result_8 = scf.if %79 -> (vector<4xi32>) {
              %80 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
              %81 = vector.extract %c[0] : i32 from vector<4xi32>
              %82 = arith.index_cast %81 : i32 to index
              %83 = ocl.load %80[%82] : !ocl.ptr<i32, global>
              %84 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
              %85 = vector.extract %c[1] : i32 from vector<4xi32>
              %86 = arith.index_cast %85 : i32 to index
              %87 = ocl.load %84[%86] : !ocl.ptr<i32, global>
              %88 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
              %89 = vector.extract %c[2] : i32 from vector<4xi32>
              %90 = arith.index_cast %89 : i32 to index
              %91 = ocl.load %88[%90] : !ocl.ptr<i32, global>
              %92 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
              %93 = vector.extract %c[3] : i32 from vector<4xi32>
              %94 = arith.index_cast %93 : i32 to index
              %95 = ocl.load %92[%94] : !ocl.ptr<i32, global>
              %result_9 = ocl.concat %83, %87, %91, %95 : i32, i32, i32, i32 -> vector<4xi32>
              scf.yield %result_9 : vector<4xi32>
            } else {
              %cst = arith.constant dense<0> : vector<4xi32>
              scf.yield %cst : vector<4xi32>
            }
            scf.yield %result_8 : vector<4xi32>
          }
          scf.yield %result_6 : vector<4xi32>
        }
        scf.yield %result_4 : vector<4xi32>
      }
      scf.yield %result_2 : vector<4xi32>
    }
    func.return %result : vector<4xi32>
  }
  func.func private @texel_f(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %0 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %1 = ocl.member %0["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %order = ocl.load %1 : !ocl.ptr<i32, global>
    %2 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    %channels = scf.if %2 -> (vector<4xf32>) {
      %3 = func.call @channels_f(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xf32>
      scf.yield %3 : vector<4xf32>
    } else {
      %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
      scf.yield %cst : vector<4xf32>
    }
    %c12816_i32 = arith.constant 12816 : i32
    %4 = arith.cmpi eq, %order, %c12816_i32 : i32
    %result = scf.if %4 -> (vector<4xf32>) {
      scf.yield %channels : vector<4xf32>
    } else {
      %cst_1 = arith.constant 0.000000e+00 : f32
      %cst_2 = arith.constant 1.000000e+00 : f32
      %sources = ocl.concat %channels, %cst_1, %cst_2, %cst_1, %cst_1 : vector<4xf32>, f32, f32, f32, f32 -> vector<8xf32>
      %c15_i32 = arith.constant 15 : i32
      %5 = arith.andi %order, %c15_i32 : i32
      %6 = arith.index_cast %5 : i32 to index
      %7 = vector.extract %sources[%6] : f32 from vector<8xf32>
      %c4_i32 = arith.constant 4 : i32
      %8 = arith.shrsi %order, %c4_i32 : i32
      %9 = arith.andi %8, %c15_i32 : i32
      %10 = arith.index_cast %9 : i32 to index
      %11 = vector.extract %sources[%10] : f32 from vector<8xf32>
      %c8_i32 = arith.constant 8 : i32
      %12 = arith.shrsi %order, %c8_i32 : i32
      %13 = arith.andi %12, %c15_i32 : i32
      %14 = arith.index_cast %13 : i32 to index
      %15 = vector.extract %sources[%14] : f32 from vector<8xf32>
      %c12_i32 = arith.constant 12 : i32
      %16 = arith.shrsi %order, %c12_i32 : i32
      %17 = arith.andi %16, %c15_i32 : i32
      %18 = arith.index_cast %17 : i32 to index
      %19 = vector.extract %sources[%18] : f32 from vector<8xf32>
      %result_1 = ocl.concat %7, %11, %15, %19 : f32, f32, f32, f32 -> vector<4xf32>
      scf.yield %result_1 : vector<4xf32>
    }
    func.return %result : vector<4xf32>
  }
  func.func private @texel_i(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %0 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %1 = ocl.member %0["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %order = ocl.load %1 : !ocl.ptr<i32, global>
    %2 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    %channels = scf.if %2 -> (vector<4xi32>) {
      %3 = func.call @channels_i(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xi32>
      scf.yield %3 : vector<4xi32>
    } else {
      %cst = arith.constant dense<0> : vector<4xi32>
      scf.yield %cst : vector<4xi32>
    }
    %c12816_i32 = arith.constant 12816 : i32
    %4 = arith.cmpi eq, %order, %c12816_i32 : i32
    %result = scf.if %4 -> (vector<4xi32>) {
      scf.yield %channels : vector<4xi32>
    } else {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %sources = ocl.concat %channels, %c0_i32, %c1_i32, %c0_i32, %c0_i32 : vector<4xi32>, i32, i32, i32, i32 -> vector<8xi32>
      %c15_i32 = arith.constant 15 : i32
      %5 = arith.andi %order, %c15_i32 : i32
      %6 = arith.index_cast %5 : i32 to index
      %7 = vector.extract %sources[%6] : i32 from vector<8xi32>
      %c4_i32 = arith.constant 4 : i32
      %8 = arith.shrsi %order, %c4_i32 : i32
      %9 = arith.andi %8, %c15_i32 : i32
      %10 = arith.index_cast %9 : i32 to index
      %11 = vector.extract %sources[%10] : i32 from vector<8xi32>
      %c8_i32 = arith.constant 8 : i32
      %12 = arith.shrsi %order, %c8_i32 : i32
      %13 = arith.andi %12, %c15_i32 : i32
      %14 = arith.index_cast %13 : i32 to index
      %15 = vector.extract %sources[%14] : i32 from vector<8xi32>
      %c12_i32 = arith.constant 12 : i32
      %16 = arith.shrsi %order, %c12_i32 : i32
      %17 = arith.andi %16, %c15_i32 : i32
      %18 = arith.index_cast %17 : i32 to index
      %19 = vector.extract %sources[%18] : i32 from vector<8xi32>
      %result_1 = ocl.concat %7, %11, %15, %19 : i32, i32, i32, i32 -> vector<4xi32>
      scf.yield %result_1 : vector<4xi32>
    }
    func.return %result : vector<4xi32>
  }
  func.func private @address(%at: i32, %size: i32, %mode: i32) -> i32 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi eq, %mode, %c2_i32 : i32
    %result = scf.if %0 -> (i32) {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %1 = arith.subi %size, %c1_i32 : i32
      %result_1 = ocl.builtin "s_clamp"(%at, %c0_i32, %1) : (i32, i32, i32) -> i32
      scf.yield %result_1 : i32
    } else {
      %c4_i32 = arith.constant 4 : i32
      %2 = arith.cmpi eq, %mode, %c4_i32 : i32
      %result_2 = scf.if %2 -> (i32) {
        %cm1_i32 = arith.constant -1 : i32
        %result_3 = ocl.builtin "s_clamp"(%at, %cm1_i32, %size) : (i32, i32, i32) -> i32
        scf.yield %result_3 : i32
      } else {
        scf.yield %at : i32
      }
      scf.yield %result_2 : i32
    }
    func.return %result : i32
  }
  func.func private @unnormalized(%s: f32, %size: i32, %sampler: i32) -> f32 {
    %c14_i32 = arith.constant 14 : i32
    %mode = arith.andi %sampler, %c14_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.andi %sampler, %c1_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result = scf.if %1 -> (f32) {
      scf.yield %s : f32
    } else {
      %c6_i32 = arith.constant 6 : i32
      %2 = arith.cmpi eq, %mode, %c6_i32 : i32
      %result_1 = scf.if %2 -> (f32) {
        %3 = math.floor %s : f32
        %4 = arith.subf %s, %3 : f32
        %5 = arith.sitofp %size : i32 to f32
        %result_2 = arith.mulf %4, %5 : f32
        scf.yield %result_2 : f32
      } else {
        %c8_i32 = arith.constant 8 : i32
        %6 = arith.cmpi eq, %mode, %c8_i32 : i32
        %result_3 = scf.if %6 -> (f32) {
          %cst = arith.constant 2.000000e+00 : f32
          %cst_1 = arith.constant 5.000000e-01 : f32
          %7 = arith.mulf %cst_1, %s : f32
          %8 = math.roundeven %7 : f32
          %9 = arith.mulf %cst, %8 : f32
          %10 = arith.subf %s, %9 : f32
          %11 = math.absf %10 : f32
          %12 = arith.sitofp %size : i32 to f32
          %result_4 = arith.mulf %11, %12 : f32
          scf.yield %result_4 : f32
        } else {
          %13 = arith.sitofp %size : i32 to f32
          %result_5 = arith.mulf %s, %13 : f32
          scf.yield %result_5 : f32
        }
        scf.yield %result_3 : f32
      }
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func private @nearest(%s: f32, %size: i32, %sampler: i32) -> i32 {
    %c14_i32 = arith.constant 14 : i32
    %mode = arith.andi %sampler, %c14_i32 : i32
    %0 = func.call @unnormalized(%s, %size, %sampler) : (f32, i32, i32) -> f32
    %1 = math.floor %0 : f32
    %at = ocl.convert %1 sat : f32 to i32
    %c6_i32 = arith.constant 6 : i32
    %2 = arith.cmpi eq, %mode, %c6_i32 : i32
    %result = scf.if %2 -> (i32) {
      %c1_i32 = arith.constant 1 : i32
      %3 = arith.subi %size, %c1_i32 : i32
      %4 = arith.cmpi sgt, %at, %3 : i32
      %5 = arith.subi %at, %size : i32
      %result_1 = arith.select %4, %5, %at : i32
      scf.yield %result_1 : i32
    } else {
      %c8_i32 = arith.constant 8 : i32
      %6 = arith.cmpi eq, %mode, %c8_i32 : i32
      %result_2 = scf.if %6 -> (i32) {
        %c1_i32_1 = arith.constant 1 : i32
        %7 = arith.subi %size, %c1_i32_1 : i32
        %result_3 = arith.minsi %at, %7 : i32
        scf.yield %result_3 : i32
      } else {
        %result_4 = func.call @address(%at, %size, %mode) : (i32, i32, i32) -> i32
        scf.yield %result_4 : i32
      }
      scf.yield %result_2 : i32
    }
    func.return %result : i32
  }
  func.func private @neighbours(%u: f32, %size: i32, %sampler: i32) -> vector<2xi32> {
    %c14_i32 = arith.constant 14 : i32
    %mode = arith.andi %sampler, %c14_i32 : i32
    %cst = arith.constant 5.000000e-01 : f32
    %0 = arith.subf %u, %cst : f32
    %1 = math.floor %0 : f32
    %low = ocl.convert %1 sat : f32 to i32
    %c1_i32 = arith.constant 1 : i32
    %high = ocl.builtin "s_add_sat"(%low, %c1_i32) : (i32, i32) -> i32
    %c6_i32 = arith.constant 6 : i32
    %2 = arith.cmpi eq, %mode, %c6_i32 : i32
    %result = scf.if %2 -> (vector<2xi32>) {
      %c0_i32 = arith.constant 0 : i32
      %3 = arith.cmpi slt, %low, %c0_i32 : i32
      %4 = arith.addi %low, %size : i32
      %5 = arith.select %3, %4, %low : i32
      %c1_i32_1 = arith.constant 1 : i32
      %6 = arith.subi %size, %c1_i32_1 : i32
      %7 = arith.cmpi sgt, %high, %6 : i32
      %8 = arith.subi %high, %size : i32
      %9 = arith.select %7, %8, %high : i32
      %result_1 = ocl.concat %5, %9 : i32, i32 -> vector<2xi32>
      scf.yield %result_1 : vector<2xi32>
    } else {
      %c8_i32 = arith.constant 8 : i32
      %10 = arith.cmpi eq, %mode, %c8_i32 : i32
      %result_2 = scf.if %10 -> (vector<2xi32>) {
        %c0_i32_1 = arith.constant 0 : i32
        %11 = arith.maxsi %low, %c0_i32_1 : i32
        %c1_i32_2 = arith.constant 1 : i32
        %12 = arith.subi %size, %c1_i32_2 : i32
        %13 = arith.minsi %high, %12 : i32
        %result_3 = ocl.concat %11, %13 : i32, i32 -> vector<2xi32>
        scf.yield %result_3 : vector<2xi32>
      } else {
        %14 = func.call @address(%low, %size, %mode) : (i32, i32, i32) -> i32
        %15 = func.call @address(%high, %size, %mode) : (i32, i32, i32) -> i32
        %result_4 = ocl.concat %14, %15 : i32, i32 -> vector<2xi32>
        scf.yield %result_4 : vector<2xi32>
      }
      scf.yield %result_2 : vector<2xi32>
    }
    func.return %result : vector<2xi32>
  }
  func.func private @read_float(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<2xf32>, %layer: i32) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = vector.extract %at[0] : f32 from vector<2xf32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @nearest(%0, %2, %sampler) : (f32, i32, i32) -> i32
    %i = vector.broadcast %3 : i32 to vector<2xi32>
    %4 = vector.extract %at[1] : f32 from vector<2xf32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @nearest(%4, %6, %sampler) : (f32, i32, i32) -> i32
    %j = vector.broadcast %7 : i32 to vector<2xi32>
    %cst = arith.constant dense<1.000000e+00> : vector<4xf32>
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %8 = arith.andi %sampler, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %9 = arith.cmpi ne, %8, %c0_i32 : i32
    %i_1, %j_1, %weights, %count = scf.if %9 -> (vector<2xi32>, vector<2xi32>, vector<4xf32>, i32) {
      %10 = vector.extract %at[0] : f32 from vector<2xf32>
      %11 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %12 = ocl.load %11 : !ocl.ptr<i32, global>
      %u = func.call @unnormalized(%10, %12, %sampler) : (f32, i32, i32) -> f32
      %13 = vector.extract %at[1] : f32 from vector<2xf32>
      %14 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %15 = ocl.load %14 : !ocl.ptr<i32, global>
      %v = func.call @unnormalized(%13, %15, %sampler) : (f32, i32, i32) -> f32
      %16 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %17 = ocl.load %16 : !ocl.ptr<i32, global>
      %i_2 = func.call @neighbours(%u, %17, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %18 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %19 = ocl.load %18 : !ocl.ptr<i32, global>
      %j_2 = func.call @neighbours(%v, %19, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %cst_1 = arith.constant 5.000000e-01 : f32
      %20 = arith.subf %u, %cst_1 : f32
      %21 = arith.subf %u, %cst_1 : f32
      %22 = math.floor %21 : f32
      %a = arith.subf %20, %22 : f32
      %23 = arith.subf %v, %cst_1 : f32
      %24 = arith.subf %v, %cst_1 : f32
      %25 = math.floor %24 : f32
      %b = arith.subf %23, %25 : f32
      %cst_2 = arith.constant 1.000000e+00 : f32
      %26 = arith.subf %cst_2, %a : f32
      %27 = arith.subf %cst_2, %b : f32
      %28 = arith.mulf %26, %27 : f32
      %29 = arith.subf %cst_2, %b : f32
      %30 = arith.mulf %a, %29 : f32
      %31 = arith.subf %cst_2, %a : f32
      %32 = arith.mulf %31, %b : f32
      %33 = arith.mulf %a, %b : f32
      %weights_1 = ocl.concat %28, %30, %32, %33 : f32, f32, f32, f32 -> vector<4xf32>
      %c4_i32 = arith.constant 4 : i32
      scf.yield %i_2, %j_2, %weights_1, %c4_i32 : vector<2xi32>, vector<2xi32>, vector<4xf32>, i32
    } else {
      scf.yield %i, %j, %cst, %c1_i32 : vector<2xi32>, vector<2xi32>, vector<4xf32>, i32
    }
    %34 = vector.extract %weights[0] : f32 from vector<4xf32>
    %35 = vector.broadcast %34 : f32 to vector<4xf32>
    %36 = vector.extract %i_1[0] : i32 from vector<2xi32>
    %37 = vector.extract %j_1[0] : i32 from vector<2xi32>
    %38 = ocl.concat %36, %37, %layer, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    %39 = func.call @texel_f(%image, %38) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xf32>
    %sum = arith.mulf %35, %39 : vector<4xf32>
    %c1 = arith.constant 1 : index
    %40 = arith.index_cast %count : i32 to index
    %sum_1 = scf.for %k = %c1 to %40 step %c1 iter_args(%sum_2 = %sum) -> (vector<4xf32>) {
      %k_1 = arith.index_cast %k : index to i32
      %41 = vector.extract %weights[%k] : f32 from vector<4xf32>
      %42 = vector.broadcast %41 : f32 to vector<4xf32>
      %c1_i32_1 = arith.constant 1 : i32
      %43 = arith.andi %k_1, %c1_i32_1 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %44 = arith.cmpi ne, %43, %c0_i32_1 : i32
      %45 = vector.extract %i_1[1] : i32 from vector<2xi32>
      %46 = vector.extract %i_1[0] : i32 from vector<2xi32>
      %47 = arith.select %44, %45, %46 : i32
      %c2_i32 = arith.constant 2 : i32
      %48 = arith.andi %k_1, %c2_i32 : i32
      %49 = arith.cmpi ne, %48, %c0_i32_1 : i32
      %50 = vector.extract %j_1[1] : i32 from vector<2xi32>
      %51 = vector.extract %j_1[0] : i32 from vector<2xi32>
      %52 = arith.select %49, %50, %51 : i32
      %53 = ocl.concat %47, %52, %layer, %c0_i32_1 : i32, i32, i32, i32 -> vector<4xi32>
      %54 = func.call @texel_f(%image, %53) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xf32>
      %55 = arith.mulf %42, %54 : vector<4xf32>
      %sum_3 = arith.addf %sum_2, %55 : vector<4xf32>
      scf.yield %sum_3 : vector<4xf32>
    }
    func.return %sum_1 : vector<4xf32>
  }
  func.func private @read_int(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<2xf32>, %layer: i32) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = vector.extract %at[0] : f32 from vector<2xf32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @nearest(%0, %2, %sampler) : (f32, i32, i32) -> i32
    %4 = vector.extract %at[1] : f32 from vector<2xf32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @nearest(%4, %6, %sampler) : (f32, i32, i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %8 = ocl.concat %3, %7, %layer, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    %result = func.call @texel_i(%image, %8) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @nearest_in_space(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xf32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = vector.extract %at[0] : f32 from vector<4xf32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @nearest(%0, %2, %sampler) : (f32, i32, i32) -> i32
    %4 = vector.extract %at[1] : f32 from vector<4xf32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @nearest(%4, %6, %sampler) : (f32, i32, i32) -> i32
    %8 = vector.extract %at[2] : f32 from vector<4xf32>
    %9 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %10 = ocl.load %9 : !ocl.ptr<i32, global>
    %11 = func.call @nearest(%8, %10, %sampler) : (f32, i32, i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %result = ocl.concat %3, %7, %11, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @space_float(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xf32>) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %c32_i32 = arith.constant 32 : i32
    %0 = arith.andi %sampler, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result = scf.if %1 -> (vector<4xf32>) {
      %2 = func.call @nearest_in_space(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xf32>) -> vector<4xi32>
      %result_1 = func.call @texel_f(%image, %2) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xf32>
      scf.yield %result_1 : vector<4xf32>
    } else {
      %3 = vector.extract %at[0] : f32 from vector<4xf32>
      %4 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %5 = ocl.load %4 : !ocl.ptr<i32, global>
      %u = func.call @unnormalized(%3, %5, %sampler) : (f32, i32, i32) -> f32
      %6 = vector.extract %at[1] : f32 from vector<4xf32>
      %7 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %8 = ocl.load %7 : !ocl.ptr<i32, global>
      %v = func.call @unnormalized(%6, %8, %sampler) : (f32, i32, i32) -> f32
      %9 = vector.extract %at[2] : f32 from vector<4xf32>
      %10 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %11 = ocl.load %10 : !ocl.ptr<i32, global>
      %w = func.call @unnormalized(%9, %11, %sampler) : (f32, i32, i32) -> f32
      %12 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %13 = ocl.load %12 : !ocl.ptr<i32, global>
      %i = func.call @neighbours(%u, %13, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %14 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %15 = ocl.load %14 : !ocl.ptr<i32, global>
      %j = func.call @neighbours(%v, %15, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %16 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %17 = ocl.load %16 : !ocl.ptr<i32, global>
      %k = func.call @neighbours(%w, %17, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %cst = arith.constant 5.000000e-01 : f32
      %18 = arith.subf %u, %cst : f32
      %19 = arith.subf %u, %cst : f32
      %20 = math.floor %19 : f32
      %a = arith.subf %18, %20 : f32
      %21 = arith.subf %v, %cst : f32
      %22 = arith.subf %v, %cst : f32
      %23 = math.floor %22 : f32
      %b = arith.subf %21, %23 : f32
      %24 = arith.subf %w, %cst : f32
      %25 = arith.subf %w, %cst : f32
      %26 = math.floor %25 : f32
      %c = arith.subf %24, %26 : f32
      %cst_1 = arith.constant dense<0.000000e+00> : vector<4xf32>
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c1 = arith.constant 1 : index
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%sum_1 = %cst_1) -> (vector<4xf32>) {
        %n_1 = arith.index_cast %n : index to i32
        %c1_i32 = arith.constant 1 : i32
        %27 = arith.andi %n_1, %c1_i32 : i32
        %c0_i32_1 = arith.constant 0 : i32
        %28 = arith.cmpi ne, %27, %c0_i32_1 : i32
        %cst_2 = arith.constant 1.000000e+00 : f32
        %29 = arith.subf %cst_2, %a : f32
        %30 = arith.select %28, %a, %29 : f32
        %c2_i32 = arith.constant 2 : i32
        %31 = arith.andi %n_1, %c2_i32 : i32
        %32 = arith.cmpi ne, %31, %c0_i32_1 : i32
        %33 = arith.subf %cst_2, %b : f32
        %34 = arith.select %32, %b, %33 : f32
        %35 = arith.mulf %30, %34 : f32
        %c4_i32 = arith.constant 4 : i32
        %36 = arith.andi %n_1, %c4_i32 : i32
        %37 = arith.cmpi ne, %36, %c0_i32_1 : i32
        %38 = arith.subf %cst_2, %c : f32
        %39 = arith.select %37, %c, %38 : f32
        %weight = arith.mulf %35, %39 : f32
        %40 = arith.andi %n_1, %c1_i32 : i32
        %41 = arith.cmpi ne, %40, %c0_i32_1 : i32
        %42 = vector.extract %i[1] : i32 from vector<2xi32>
        %43 = vector.extract %i[0] : i32 from vector<2xi32>
        %44 = arith.select %41, %42, %43 : i32
        %45 = arith.andi %n_1, %c2_i32 : i32
        %46 = arith.cmpi ne, %45, %c0_i32_1 : i32
        %47 = vector.extract %j[1] : i32 from vector<2xi32>
        %48 = vector.extract %j[0] : i32 from vector<2xi32>
        %49 = arith.select %46, %47, %48 : i32
        %50 = arith.andi %n_1, %c4_i32 : i32
        %51 = arith.cmpi ne, %50, %c0_i32_1 : i32
        %52 = vector.extract %k[1] : i32 from vector<2xi32>
        %53 = vector.extract %k[0] : i32 from vector<2xi32>
        %54 = arith.select %51, %52, %53 : i32
        %place = ocl.concat %44, %49, %54, %c0_i32_1 : i32, i32, i32, i32 -> vector<4xi32>
        %55 = vector.broadcast %weight : f32 to vector<4xf32>
        %56 = func.call @texel_f(%image, %place) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xf32>
        %57 = arith.mulf %55, %56 : vector<4xf32>
        %sum_2 = arith.addf %sum_1, %57 : vector<4xf32>
        scf.yield %sum_2 : vector<4xf32>
      }
      scf.yield %sum : vector<4xf32>
    }
    func.return %result : vector<4xf32>
  }
  func.func private @space_int(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xf32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %0 = func.call @nearest_in_space(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xf32>) -> vector<4xi32>
    %result = func.call @texel_i(%image, %0) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @layer_float(%image: !ocl.ptr<i8, global>, %number: f32) -> i32 attributes {ocl.unsigned = ["image"]} {
    %0 = math.roundeven %number : f32
    %1 = ocl.convert %0 sat : f32 to i32
    %c0_i32 = arith.constant 0 : i32
    %2 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %3 = ocl.member %2["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %4 = ocl.load %3 : !ocl.ptr<i32, global>
    %c1_i32 = arith.constant 1 : i32
    %5 = arith.subi %4, %c1_i32 : i32
    %result = ocl.builtin "s_clamp"(%1, %c0_i32, %5) : (i32, i32, i32) -> i32
    func.return %result : i32
  }
  func.func private @layer_int(%image: !ocl.ptr<i8, global>, %number: i32) -> i32 attributes {ocl.unsigned = ["image"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %1 = ocl.member %0["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.subi %2, %c1_i32 : i32
    %result = ocl.builtin "s_clamp"(%number, %c0_i32, %3) : (i32, i32, i32) -> i32
    func.return %result : i32
  }
  func.func private @at_pixel(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %c14_i32 = arith.constant 14 : i32
    %mode = arith.andi %sampler, %c14_i32 : i32
    %0 = vector.extract %at[0] : i32 from vector<4xi32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @address(%0, %2, %mode) : (i32, i32, i32) -> i32
    %4 = vector.extract %at[1] : i32 from vector<4xi32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @address(%4, %6, %mode) : (i32, i32, i32) -> i32
    %8 = vector.extract %at[2] : i32 from vector<4xi32>
    %9 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %10 = ocl.load %9 : !ocl.ptr<i32, global>
    %11 = func.call @address(%8, %10, %mode) : (i32, i32, i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %result = ocl.concat %3, %7, %11, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @fetch_float(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %0 = func.call @at_pixel(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
    %result = func.call @texel_f(%image, %0) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xf32>
    func.return %result : vector<4xf32>
  }
  func.func private @fetch_int(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %0 = func.call @at_pixel(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
    %result = func.call @texel_i(%image, %0) : (!ocl.ptr<i8, global>, vector<4xi32>) -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @component_f(%color: vector<4xf32>, %place: i32) -> f32 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi slt, %place, %c2_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %place, %c0_i32 : i32
    %2 = vector.extract %color[0] : f32 from vector<4xf32>
    %3 = vector.extract %color[1] : f32 from vector<4xf32>
    %4 = arith.select %1, %2, %3 : f32
    %5 = arith.cmpi eq, %place, %c2_i32 : i32
    %6 = vector.extract %color[2] : f32 from vector<4xf32>
    %7 = vector.extract %color[3] : f32 from vector<4xf32>
    %8 = arith.select %5, %6, %7 : f32
    %result = arith.select %0, %4, %8 : f32
    func.return %result : f32
  }
  func.func private @component_i(%color: vector<4xi32>, %place: i32) -> i32 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi slt, %place, %c2_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %place, %c0_i32 : i32
    %2 = vector.extract %color[0] : i32 from vector<4xi32>
    %3 = vector.extract %color[1] : i32 from vector<4xi32>
    %4 = arith.select %1, %2, %3 : i32
    %5 = arith.cmpi eq, %place, %c2_i32 : i32
    %6 = vector.extract %color[2] : i32 from vector<4xi32>
    %7 = vector.extract %color[3] : i32 from vector<4xi32>
    %8 = arith.select %5, %6, %7 : i32
    %result = arith.select %0, %4, %8 : i32
    func.return %result : i32
  }
  func.func private @write_packed(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>, %p: !ocl.ptr<i8, global>, %color: vector<4xf32>) attributes {ocl.unsigned = ["p"]} {
    %0 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %1 = ocl.load %0 : !ocl.ptr<i32, global>
    %tops = func.call @packed_tops(%1) : (i32) -> vector<4xi32>
    %2 = vec.sitofp %tops : vector<4xi32> to vector<4xf32>
    %3 = arith.mulf %color, %2 : vector<4xf32>
    %4 = ocl.convert %3 rounding rte sat : vector<4xf32> to vector<4xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : vector<4xi32>
    %fields = ocl.builtin "s_clamp"(%4, %cst, %tops) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %5 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @packed_places(%6) : (i32) -> vector<4xi32>
    %cst_1 = arith.constant dense<31> : vector<4xi32>
    %8 = arith.andi %7, %cst_1 : vector<4xi32>
    %fields_1 = arith.shli %fields, %8 : vector<4xi32>
    %9 = vector.extract %fields_1[0] : i32 from vector<4xi32>
    %10 = vector.extract %fields_1[1] : i32 from vector<4xi32>
    %11 = arith.ori %9, %10 : i32
    %12 = vector.extract %fields_1[2] : i32 from vector<4xi32>
    %13 = arith.ori %11, %12 : i32
    %14 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
    %15 = ocl.load %14 : !ocl.ptr<i32, global>
    %c4_i32 = arith.constant 4 : i32
    %16 = arith.cmpi eq, %15, %c4_i32 : i32
    %17 = vector.extract %fields_1[3] : i32 from vector<4xi32>
    %18 = arith.select %16, %17, %c0_i32 : i32
    %word = arith.ori %13, %18 : i32
    %19 = ocl.member %h["pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i64, global>
    %20 = ocl.load %19 : !ocl.ptr<i64, global>
    %c2_i64 = arith.constant 2 : i64
    %21 = arith.cmpi eq, %20, %c2_i64 : i64
    scf.if %21 {
      %22 = arith.trunci %word : i32 to i16
      %23 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
      ocl.store %22, %23 : !ocl.ptr<i16, global>
    } else {
      %24 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
      ocl.store %word, %24 : !ocl.ptr<i32, global>
    }
    func.return
  }
  func.func private @write_float(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>, %color: vector<4xf32>) attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    scf.if %0 {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %1 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
      %2 = ocl.load %1 : !ocl.ptr<i32, global>
      %3 = func.call @is_packed(%2) : (i32) -> i1
      scf.if %3 {
        func.call @write_packed(%h, %p, %color) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>, !ocl.ptr<i8, global>, vector<4xf32>) -> ()
      } else {
        %c0_i32 = arith.constant 0 : i32
        %channel = scf.while (%channel_1 = %c0_i32) : (i32) -> i32 {
          %4 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
          %5 = ocl.load %4 : !ocl.ptr<i32, global>
          %6 = arith.cmpi slt, %channel_1, %5 : i32
          scf.condition(%6) %channel_1 : i32
        } do {
        ^bb0(%channel_2: i32):
          %7 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
          %8 = ocl.load %7 : !ocl.ptr<i32, global>
          %c4_i32 = arith.constant 4 : i32
          %9 = arith.muli %channel_2, %c4_i32 : i32
          %c31_i32 = arith.constant 31 : i32
          %10 = arith.andi %9, %c31_i32 : i32
          %11 = arith.shrsi %8, %10 : i32
          %c15_i32 = arith.constant 15 : i32
          %12 = arith.andi %11, %c15_i32 : i32
          %x = func.call @component_f(%color, %12) : (vector<4xf32>, i32) -> f32
          %13 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
          %selector = ocl.load %13 : !ocl.ptr<i32, global>
          %c4304_i32 = arith.constant 4304 : i32
          %14 = arith.cmpi eq, %selector, %c4304_i32 : i32
          scf.if %14 {
            %cst = arith.constant 1.270000e+02 : f32
            %15 = arith.mulf %x, %cst : f32
            %16 = ocl.convert %15 rounding rte sat : f32 to i8
            %17 = arith.index_cast %channel_2 : i32 to index
            ocl.store %16, %p[%17] : !ocl.ptr<i8, global>
          } else {
            %c4306_i32 = arith.constant 4306 : i32
            %18 = arith.cmpi eq, %selector, %c4306_i32 : i32
            scf.if %18 {
              %cst_1 = arith.constant 2.550000e+02 : f32
              %19 = arith.mulf %x, %cst_1 : f32
              %20 = ocl.convert %19 rounding rte sat : f32 to unsigned i8
              %21 = arith.index_cast %channel_2 : i32 to index
              ocl.store %20, %p[%21] : !ocl.ptr<i8, global>
            } else {
              %c4305_i32 = arith.constant 4305 : i32
              %22 = arith.cmpi eq, %selector, %c4305_i32 : i32
              scf.if %22 {
                %cst_2 = arith.constant 3.276700e+04 : f32
                %23 = arith.mulf %x, %cst_2 : f32
                %24 = ocl.convert %23 rounding rte sat : f32 to i16
                %25 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
                %26 = arith.index_cast %channel_2 : i32 to index
                ocl.store %24, %25[%26] : !ocl.ptr<i16, global>
              } else {
                %c4307_i32 = arith.constant 4307 : i32
                %27 = arith.cmpi eq, %selector, %c4307_i32 : i32
                scf.if %27 {
                  %cst_3 = arith.constant 6.553500e+04 : f32
                  %28 = arith.mulf %x, %cst_3 : f32
                  %29 = ocl.convert %28 rounding rte sat : f32 to unsigned i16
                  %30 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
                  %31 = arith.index_cast %channel_2 : i32 to index
                  ocl.store %29, %30[%31] : !ocl.ptr<i16, global>
                } else {
                  %c4317_i32 = arith.constant 4317 : i32
                  %32 = arith.cmpi eq, %selector, %c4317_i32 : i32
                  scf.if %32 {
                    %33 = ocl.convert %x rounding rte : f32 to f16
                    %34 = arith.index_cast %channel_2 : i32 to index
                    %35 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
                    ocl.store %33, %35[%34] : !ocl.ptr<f16, global>
                  } else {
                    %c4318_i32 = arith.constant 4318 : i32
                    %36 = arith.cmpi eq, %selector, %c4318_i32 : i32
                    scf.if %36 {
                      %37 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                      %38 = arith.index_cast %channel_2 : i32 to index
                      ocl.store %x, %37[%38] : !ocl.ptr<f32, global>
                    }
                  }
                }
              }
            }
          }
          %c1_i32 = arith.constant 1 : i32
          %channel_3 = arith.addi %channel_2, %c1_i32 : i32
          scf.yield %channel_3 : i32
        }
      }
    }
    func.return
  }
  func.func private @write_int(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>, %color: vector<4xi32>) attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    scf.if %0 {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %channel = scf.while (%channel_1 = %c0_i32) : (i32) -> i32 {
        %1 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
        %2 = ocl.load %1 : !ocl.ptr<i32, global>
        %3 = arith.cmpi slt, %channel_1, %2 : i32
        scf.condition(%3) %channel_1 : i32
      } do {
      ^bb0(%channel_2: i32):
        %4 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
        %5 = ocl.load %4 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %6 = arith.muli %channel_2, %c4_i32 : i32
        %c31_i32 = arith.constant 31 : i32
        %7 = arith.andi %6, %c31_i32 : i32
        %8 = arith.shrsi %5, %7 : i32
        %c15_i32 = arith.constant 15 : i32
        %9 = arith.andi %8, %c15_i32 : i32
        %x = func.call @component_i(%color, %9) : (vector<4xi32>, i32) -> i32
        %10 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i64}>, global> -> !ocl.ptr<i32, global>
        %selector = ocl.load %10 : !ocl.ptr<i32, global>
        %c4311_i32 = arith.constant 4311 : i32
        %11 = arith.cmpi eq, %selector, %c4311_i32 : i32
        scf.if %11 {
          %12 = ocl.convert %x sat : i32 to i8
          %13 = arith.index_cast %channel_2 : i32 to index
          ocl.store %12, %p[%13] : !ocl.ptr<i8, global>
        } else {
          %c4314_i32 = arith.constant 4314 : i32
          %14 = arith.cmpi eq, %selector, %c4314_i32 : i32
          scf.if %14 {
            %15 = ocl.convert %x sat : unsigned i32 to unsigned i8
            %16 = arith.index_cast %channel_2 : i32 to index
            ocl.store %15, %p[%16] : !ocl.ptr<i8, global>
          } else {
            %c4312_i32 = arith.constant 4312 : i32
            %17 = arith.cmpi eq, %selector, %c4312_i32 : i32
            scf.if %17 {
              %18 = ocl.convert %x sat : i32 to i16
              %19 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
              %20 = arith.index_cast %channel_2 : i32 to index
              ocl.store %18, %19[%20] : !ocl.ptr<i16, global>
            } else {
              %c4315_i32 = arith.constant 4315 : i32
              %21 = arith.cmpi eq, %selector, %c4315_i32 : i32
              scf.if %21 {
                %22 = ocl.convert %x sat : unsigned i32 to unsigned i16
                %23 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
                %24 = arith.index_cast %channel_2 : i32 to index
                ocl.store %22, %23[%24] : !ocl.ptr<i16, global>
              } else {
                %c4313_i32 = arith.constant 4313 : i32
                %25 = arith.cmpi eq, %selector, %c4313_i32 : i32
                %c4316_i32 = arith.constant 4316 : i32
                %26 = arith.cmpi eq, %selector, %c4316_i32 : i32
                %27 = arith.ori %25, %26 : i1
                scf.if %27 {
                  %28 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
                  %29 = arith.index_cast %channel_2 : i32 to index
                  ocl.store %x, %28[%29] : !ocl.ptr<i32, global>
                }
              }
            }
          }
        }
        %c1_i32 = arith.constant 1 : i32
        %channel_3 = arith.addi %channel_2, %c1_i32 : i32
        scf.yield %channel_3 : i32
      }
    }
    func.return
  }
  func.func private @query(%image: !ocl.ptr<i8, global>, %field: i32) -> i32 attributes {ocl.unsigned = ["image"]} {
    %0 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
    %1 = arith.index_cast %field : i32 to index
    %result = ocl.load %0[%1] : !ocl.ptr<i32, global>
    func.return %result : i32
  }
}

