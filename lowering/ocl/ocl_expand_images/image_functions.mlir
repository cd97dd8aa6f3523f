builtin.module {
  func.func private @pixel(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> !ocl.ptr<i8, global> attributes {ocl.unsigned = ["image", "result"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = ocl.member %h["first_pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i64, global>
    %1 = ocl.load %0 : !ocl.ptr<i64, global>
    %2 = vector.extract %at[2] : i32 from vector<4xi32>
    %3 = arith.extsi %2 : i32 to i64
    %4 = ocl.member %h["slice"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i64, global>
    %5 = ocl.load %4 : !ocl.ptr<i64, global>
    %6 = arith.muli %3, %5 : i64
    %7 = arith.addi %1, %6 : i64
    %8 = vector.extract %at[1] : i32 from vector<4xi32>
    %9 = arith.extsi %8 : i32 to i64
    %10 = ocl.member %h["pitch"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i64, global>
    %11 = ocl.load %10 : !ocl.ptr<i64, global>
    %12 = arith.muli %9, %11 : i64
    %13 = arith.addi %7, %12 : i64
    %14 = vector.extract %at[0] : i32 from vector<4xi32>
    %15 = ocl.member %h["pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %16 = ocl.load %15 : !ocl.ptr<i32, global>
    %17 = arith.muli %14, %16 : i32
    %18 = arith.extsi %17 : i32 to i64
    %19 = arith.addi %13, %18 : i64
    %20 = arith.index_cast %19 : i64 to index
    %result = ocl.offset %image[%20] : !ocl.ptr<i8, global>
    func.return %result : !ocl.ptr<i8, global>
  }
  func.func private @inside(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>) -> i1 attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = vector.extract %at[0] : i32 from vector<4xi32>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sge, %0, %c0_i32 : i32
    %2 = scf.if %1 -> (i1) {
      %3 = vector.extract %at[0] : i32 from vector<4xi32>
      %4 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
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
      %12 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
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
      %19 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %20 = ocl.load %19 : !ocl.ptr<i32, global>
      %21 = arith.cmpi slt, %18, %20 : i32
      scf.yield %21 : i1
    } else {
      %false_2 = arith.constant false
      scf.yield %false_2 : i1
    }
    func.return %result : i1
  }
  func.func private @packed_channel(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, %p: !ocl.ptr<i8, global>, %channel: i32) -> f32 attributes {ocl.unsigned = ["p"]} {
    %0 = ocl.member %h["pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %1 = ocl.load %0 : !ocl.ptr<i32, global>
    %c2_i32 = arith.constant 2 : i32
    %2 = arith.cmpi eq, %1, %c2_i32 : i32
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
    %8 = ocl.member %h["place"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<!ocl.array<4 x i32>, global>
    %9 = ocl.cast %8 : !ocl.ptr<!ocl.array<4 x i32>, global> to !ocl.ptr<i32, global>
    %10 = arith.index_cast %channel : i32 to index
    %11 = ocl.load %9[%10] : !ocl.ptr<i32, global>
    %c31_i32 = arith.constant 31 : i32
    %12 = arith.andi %11, %c31_i32 : i32
    %13 = arith.shrsi %word, %12 : i32
    %14 = ocl.member %h["top"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<!ocl.array<4 x i32>, global>
    %15 = ocl.cast %14 : !ocl.ptr<!ocl.array<4 x i32>, global> to !ocl.ptr<i32, global>
    %16 = arith.index_cast %channel : i32 to index
    %17 = ocl.load %15[%16] : !ocl.ptr<i32, global>
    %18 = arith.andi %13, %17 : i32
    %19 = arith.sitofp %18 : i32 to f32
    %20 = ocl.member %h["top"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<!ocl.array<4 x i32>, global>
    %21 = ocl.cast %20 : !ocl.ptr<!ocl.array<4 x i32>, global> to !ocl.ptr<i32, global>
    %22 = arith.index_cast %channel : i32 to index
    %23 = ocl.load %21[%22] : !ocl.ptr<i32, global>
    %24 = arith.sitofp %23 : i32 to f32
    %result = arith.divf %19, %24 : f32
    func.return %result : f32
  }
  func.func private @channel_as_float(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, %p: !ocl.ptr<i8, global>, %channel: i32) -> f32 attributes {ocl.unsigned = ["p"]} {
    %0 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %selector = ocl.load %0 : !ocl.ptr<i32, global>
    %c4304_i32 = arith.constant 4304 : i32
    %1 = arith.cmpi eq, %selector, %c4304_i32 : i32
    %result = scf.if %1 -> (f32) {
      %2 = arith.index_cast %channel : i32 to index
      %3 = ocl.load %p[%2] : !ocl.ptr<i8, global>
      %4 = arith.extsi %3 : i8 to i32
      %5 = arith.sitofp %4 : i32 to f32
      %cst = arith.constant 1.270000e+02 : f32
      %6 = arith.divf %5, %cst : f32
      %cst_1 = arith.constant -1.000000e+00 : f32
      %result_1 = arith.maxnumf %6, %cst_1 : f32
      scf.yield %result_1 : f32
    } else {
      %c4306_i32 = arith.constant 4306 : i32
      %7 = arith.cmpi eq, %selector, %c4306_i32 : i32
      %result_2 = scf.if %7 -> (f32) {
        %8 = ocl.member %h["linear"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i64, global>
        %9 = ocl.load %8 : !ocl.ptr<i64, global>
        %c0_i64 = arith.constant 0 : i64
        %10 = arith.cmpi ne, %9, %c0_i64 : i64
        %c3_i32 = arith.constant 3 : i32
        %11 = arith.cmpi slt, %channel, %c3_i32 : i32
        %12 = arith.andi %10, %11 : i1
        %result_3 = scf.if %12 -> (f32) {
          %13 = ocl.cast %h : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> to !ocl.ptr<i8, global>
          %14 = ocl.member %h["linear"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i64, global>
          %15 = ocl.load %14 : !ocl.ptr<i64, global>
          %16 = arith.index_cast %15 : i64 to index
          %17 = ocl.offset %13[%16] : !ocl.ptr<i8, global>
          %18 = ocl.cast %17 : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
          %19 = arith.index_cast %channel : i32 to index
          %20 = ocl.load %p[%19] : !ocl.ptr<i8, global>
          %21 = arith.extui %20 : i8 to i64
          %22 = arith.index_cast %21 : i64 to index
          %result_4 = ocl.load %18[%22] : !ocl.ptr<f32, global>
          scf.yield %result_4 : f32
        } else {
          %23 = arith.index_cast %channel : i32 to index
          %24 = ocl.load %p[%23] : !ocl.ptr<i8, global>
          %25 = arith.extui %24 : i8 to i32
          %26 = arith.sitofp %25 : i32 to f32
          %cst_2 = arith.constant 2.550000e+02 : f32
          %result_5 = arith.divf %26, %cst_2 : f32
          scf.yield %result_5 : f32
        }
        scf.yield %result_3 : f32
      } else {
        %c4305_i32 = arith.constant 4305 : i32
        %27 = arith.cmpi eq, %selector, %c4305_i32 : i32
        %result_6 = scf.if %27 -> (f32) {
          %28 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %29 = arith.index_cast %channel : i32 to index
          %30 = ocl.load %28[%29] : !ocl.ptr<i16, global>
          %31 = arith.extsi %30 : i16 to i32
          %32 = arith.sitofp %31 : i32 to f32
          %cst_3 = arith.constant 3.276700e+04 : f32
          %33 = arith.divf %32, %cst_3 : f32
          %cst_4 = arith.constant -1.000000e+00 : f32
          %result_7 = arith.maxnumf %33, %cst_4 : f32
          scf.yield %result_7 : f32
        } else {
          %c4307_i32 = arith.constant 4307 : i32
          %34 = arith.cmpi eq, %selector, %c4307_i32 : i32
          %result_8 = scf.if %34 -> (f32) {
            %35 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %36 = arith.index_cast %channel : i32 to index
            %37 = ocl.load %35[%36] : !ocl.ptr<i16, global>
            %38 = arith.extui %37 : i16 to i32
            %39 = arith.sitofp %38 : i32 to f32
            %cst_5 = arith.constant 6.553500e+04 : f32
            %result_9 = arith.divf %39, %cst_5 : f32
            scf.yield %result_9 : f32
          } else {
            %c4317_i32 = arith.constant 4317 : i32
            %40 = arith.cmpi eq, %selector, %c4317_i32 : i32
            %result_10 = scf.if %40 -> (f32) {
              %41 = arith.index_cast %channel : i32 to index
              %42 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
              %43 = ocl.load %42[%41] : !ocl.ptr<f16, global>
              %result_11 = arith.extf %43 : f16 to f32
              scf.yield %result_11 : f32
            } else {
              %c4318_i32 = arith.constant 4318 : i32
              %44 = arith.cmpi eq, %selector, %c4318_i32 : i32
              %result_12 = scf.if %44 -> (f32) {
                %45 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                %46 = arith.index_cast %channel : i32 to index
                %result_13 = ocl.load %45[%46] : !ocl.ptr<f32, global>
                scf.yield %result_13 : f32
              } else {
                %47 = ocl.member %h["packed"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
                %48 = ocl.load %47 : !ocl.ptr<i32, global>
                %c0_i32 = arith.constant 0 : i32
                %49 = arith.cmpi ne, %48, %c0_i32 : i32
                %result_14 = scf.if %49 -> (f32) {
                  %50 = func.call @packed_channel(%h, %p, %channel) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32) -> f32
                  scf.yield %50 : f32
                } else {
                  %cst_6 = arith.constant 0.000000e+00 : f32
                  scf.yield %cst_6 : f32
                }
                scf.yield %result_14 : f32
              }
              scf.yield %result_12 : f32
            }
            scf.yield %result_10 : f32
          }
          scf.yield %result_8 : f32
        }
        scf.yield %result_6 : f32
      }
      scf.yield %result_2 : f32
    }
    func.return %result : f32
  }
  func.func private @channel_as_int(%p: !ocl.ptr<i8, global>, %type: i32, %channel: i32) -> i32 attributes {ocl.unsigned = ["p"]} {
    %c4311_i32 = arith.constant 4311 : i32
    %0 = arith.cmpi eq, %type, %c4311_i32 : i32
    %result = scf.if %0 -> (i32) {
      %1 = arith.index_cast %channel : i32 to index
      %2 = ocl.load %p[%1] : !ocl.ptr<i8, global>
      %result_1 = arith.extsi %2 : i8 to i32
      scf.yield %result_1 : i32
    } else {
      %c4314_i32 = arith.constant 4314 : i32
      %3 = arith.cmpi eq, %type, %c4314_i32 : i32
      %result_2 = scf.if %3 -> (i32) {
        %4 = arith.index_cast %channel : i32 to index
        %5 = ocl.load %p[%4] : !ocl.ptr<i8, global>
        %result_3 = arith.extui %5 : i8 to i32
        scf.yield %result_3 : i32
      } else {
        %c4312_i32 = arith.constant 4312 : i32
        %6 = arith.cmpi eq, %type, %c4312_i32 : i32
        %result_4 = scf.if %6 -> (i32) {
          %7 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %8 = arith.index_cast %channel : i32 to index
          %9 = ocl.load %7[%8] : !ocl.ptr<i16, global>
          %result_5 = arith.extsi %9 : i16 to i32
          scf.yield %result_5 : i32
        } else {
          %c4315_i32 = arith.constant 4315 : i32
          %10 = arith.cmpi eq, %type, %c4315_i32 : i32
          %result_6 = scf.if %10 -> (i32) {
            %11 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %12 = arith.index_cast %channel : i32 to index
            %13 = ocl.load %11[%12] : !ocl.ptr<i16, global>
            %result_7 = arith.extui %13 : i16 to i32
            scf.yield %result_7 : i32
          } else {
            %c4313_i32 = arith.constant 4313 : i32
            %14 = arith.cmpi eq, %type, %c4313_i32 : i32
            %c4316_i32 = arith.constant 4316 : i32
            %15 = arith.cmpi eq, %type, %c4316_i32 : i32
            %16 = arith.ori %14, %15 : i1
            %c4318_i32 = arith.constant 4318 : i32
            %17 = arith.cmpi eq, %type, %c4318_i32 : i32
            %18 = arith.ori %16, %17 : i1
            %result_8 = scf.if %18 -> (i32) {
              %19 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
              %20 = arith.index_cast %channel : i32 to index
              %result_9 = ocl.load %19[%20] : !ocl.ptr<i32, global>
              scf.yield %result_9 : i32
            } else {
              %c0_i32 = arith.constant 0 : i32
              scf.yield %c0_i32 : i32
            }
            scf.yield %result_8 : i32
          }
          scf.yield %result_6 : i32
        }
        scf.yield %result_4 : i32
      }
      scf.yield %result_2 : i32
    }
    func.return %result : i32
  }
  func.func private @texel_f(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xf32> attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %cst = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %sources = ocl.concat %cst, %cst, %cst, %cst, %cst, %cst_1, %cst, %cst : f32, f32, f32, f32, f32, f32, f32, f32 -> vector<8xf32>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    %sources_1 = scf.if %0 -> (vector<8xf32>) {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %sources_2, %channel = scf.while (%sources_3 = %sources, %channel_1 = %c0_i32) : (vector<8xf32>, i32) -> (vector<8xf32>, i32) {
        %1 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %2 = ocl.load %1 : !ocl.ptr<i32, global>
        %3 = arith.cmpi slt, %channel_1, %2 : i32
        scf.condition(%3) %sources_3, %channel_1 : vector<8xf32>, i32
      } do {
      ^bb0(%sources_4: vector<8xf32>, %channel_2: i32):
        %4 = func.call @channel_as_float(%h, %p, %channel_2) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32) -> f32
        %5 = arith.index_cast %channel_2 : i32 to index
        %sources_5 = vector.insert %4, %sources_4 [%5] : f32 into vector<8xf32>
        %c1_i32 = arith.constant 1 : i32
        %channel_3 = arith.addi %channel_2, %c1_i32 : i32
        scf.yield %sources_5, %channel_3 : vector<8xf32>, i32
      }
      scf.yield %sources_2 : vector<8xf32>
    } else {
      scf.yield %sources : vector<8xf32>
    }
    %6 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %7 = ocl.load %6 : !ocl.ptr<i32, global>
    %c12816_i32 = arith.constant 12816 : i32
    %8 = arith.cmpi eq, %7, %c12816_i32 : i32
    %result = scf.if %8 -> (vector<4xf32>) {
      %result_1 = vector.shuffle %sources_1, %sources_1 [0, 1, 2, 3] : vector<8xf32>, vector<8xf32>
      scf.yield %result_1 : vector<4xf32>
    } else {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %9 = ub.poison : vector<4xf32>
      %color = scf.for %place = %c0 to %c4 step %c1 iter_args(%color_1 = %9) -> (vector<4xf32>) {
        %place_1 = arith.index_cast %place : index to i32
        %10 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %11 = ocl.load %10 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %12 = arith.muli %place_1, %c4_i32 : i32
        %c31_i32 = arith.constant 31 : i32
        %13 = arith.andi %12, %c31_i32 : i32
        %14 = arith.shrsi %11, %13 : i32
        %c15_i32 = arith.constant 15 : i32
        %15 = arith.andi %14, %c15_i32 : i32
        %16 = arith.index_cast %15 : i32 to index
        %17 = vector.extract %sources_1[%16] : f32 from vector<8xf32>
        %color_2 = vector.insert %17, %color_1 [%place] : f32 into vector<4xf32>
        scf.yield %color_2 : vector<4xf32>
      }
      scf.yield %color : vector<4xf32>
    }
    func.return %result : vector<4xf32>
  }
  func.func private @texel_i(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %sources = ocl.concat %c0_i32, %c0_i32, %c0_i32, %c0_i32, %c0_i32, %c1_i32, %c0_i32, %c0_i32 : i32, i32, i32, i32, i32, i32, i32, i32 -> vector<8xi32>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    %sources_1 = scf.if %0 -> (vector<8xi32>) {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32_1 = arith.constant 0 : i32
      %sources_2, %channel = scf.while (%sources_3 = %sources, %channel_1 = %c0_i32_1) : (vector<8xi32>, i32) -> (vector<8xi32>, i32) {
        %1 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %2 = ocl.load %1 : !ocl.ptr<i32, global>
        %3 = arith.cmpi slt, %channel_1, %2 : i32
        scf.condition(%3) %sources_3, %channel_1 : vector<8xi32>, i32
      } do {
      ^bb0(%sources_4: vector<8xi32>, %channel_2: i32):
        %4 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %5 = ocl.load %4 : !ocl.ptr<i32, global>
        %6 = func.call @channel_as_int(%p, %5, %channel_2) : (!ocl.ptr<i8, global>, i32, i32) -> i32
        %7 = arith.index_cast %channel_2 : i32 to index
        %sources_5 = vector.insert %6, %sources_4 [%7] : i32 into vector<8xi32>
        %c1_i32_1 = arith.constant 1 : i32
        %channel_3 = arith.addi %channel_2, %c1_i32_1 : i32
        scf.yield %sources_5, %channel_3 : vector<8xi32>, i32
      }
      scf.yield %sources_2 : vector<8xi32>
    } else {
      scf.yield %sources : vector<8xi32>
    }
    %8 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %9 = ocl.load %8 : !ocl.ptr<i32, global>
    %c12816_i32 = arith.constant 12816 : i32
    %10 = arith.cmpi eq, %9, %c12816_i32 : i32
    %result = scf.if %10 -> (vector<4xi32>) {
      %result_1 = vector.shuffle %sources_1, %sources_1 [0, 1, 2, 3] : vector<8xi32>, vector<8xi32>
      scf.yield %result_1 : vector<4xi32>
    } else {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %11 = ub.poison : vector<4xi32>
      %color = scf.for %place = %c0 to %c4 step %c1 iter_args(%color_1 = %11) -> (vector<4xi32>) {
        %place_1 = arith.index_cast %place : index to i32
        %12 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %13 = ocl.load %12 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %14 = arith.muli %place_1, %c4_i32 : i32
        %c31_i32 = arith.constant 31 : i32
        %15 = arith.andi %14, %c31_i32 : i32
        %16 = arith.shrsi %13, %15 : i32
        %c15_i32 = arith.constant 15 : i32
        %17 = arith.andi %16, %c15_i32 : i32
        %18 = arith.index_cast %17 : i32 to index
        %19 = vector.extract %sources_1[%18] : i32 from vector<8xi32>
        %color_2 = vector.insert %19, %color_1 [%place] : i32 into vector<4xi32>
        scf.yield %color_2 : vector<4xi32>
      }
      scf.yield %color : vector<4xi32>
    }
    func.return %result : vector<4xi32>
  }
  func.func private @chosen_f(%source: i32, %c0: f32, %c1: f32, %c2: f32, %c3: f32) -> f32 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi slt, %source, %c2_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %source, %c0_i32 : i32
    %2 = arith.select %1, %c0, %c1 : f32
    %c4_i32 = arith.constant 4 : i32
    %3 = arith.cmpi slt, %source, %c4_i32 : i32
    %4 = arith.cmpi eq, %source, %c2_i32 : i32
    %5 = arith.select %4, %c2, %c3 : f32
    %c5_i32 = arith.constant 5 : i32
    %6 = arith.cmpi eq, %source, %c5_i32 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %7 = arith.select %6, %cst, %cst_1 : f32
    %8 = arith.select %3, %5, %7 : f32
    %result = arith.select %0, %2, %8 : f32
    func.return %result : f32
  }
  func.func private @chosen_i(%source: i32, %c0: i32, %c1: i32, %c2: i32, %c3: i32) -> i32 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi slt, %source, %c2_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %source, %c0_i32 : i32
    %2 = arith.select %1, %c0, %c1 : i32
    %c4_i32 = arith.constant 4 : i32
    %3 = arith.cmpi slt, %source, %c4_i32 : i32
    %4 = arith.cmpi eq, %source, %c2_i32 : i32
    %5 = arith.select %4, %c2, %c3 : i32
    %c5_i32 = arith.constant 5 : i32
    %6 = arith.cmpi eq, %source, %c5_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %7 = arith.select %6, %c1_i32, %c0_i32 : i32
    %8 = arith.select %3, %5, %7 : i32
    %result = arith.select %0, %2, %8 : i32
    func.return %result : i32
  }
  func.func private @leads_inside(%mode: i32) -> i1 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.cmpi eq, %mode, %c2_i32 : i32
    %c6_i32 = arith.constant 6 : i32
    %1 = arith.cmpi eq, %mode, %c6_i32 : i32
    %2 = arith.ori %0, %1 : i1
    %c8_i32 = arith.constant 8 : i32
    %3 = arith.cmpi eq, %mode, %c8_i32 : i32
    %result = arith.ori %2, %3 : i1
    func.return %result : i1
  }
  func.func private @known_texel_f(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xf32> attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %cst = arith.constant 0.000000e+00 : f32
    %c14_i32 = arith.constant 14 : i32
    %0 = arith.andi %sampler, %c14_i32 : i32
    %1 = func.call @leads_inside(%0) : (i32) -> i1
    %2 = scf.if %1 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %3 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
      scf.yield %3 : i1
    }
    %c0, %c1, %c2, %c3 = scf.if %2 -> (f32, f32, f32, f32) {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %c0_1 = func.call @channel_as_float(%h, %p, %c0_i32) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32) -> f32
      %4 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %5 = ocl.load %4 : !ocl.ptr<i32, global>
      %c1_i32 = arith.constant 1 : i32
      %6 = arith.cmpi sgt, %5, %c1_i32 : i32
      %c1_1 = scf.if %6 -> (f32) {
        %c1_i32_1 = arith.constant 1 : i32
        %c1_2 = func.call @channel_as_float(%h, %p, %c1_i32_1) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32) -> f32
        scf.yield %c1_2 : f32
      } else {
        scf.yield %cst : f32
      }
      %7 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %8 = ocl.load %7 : !ocl.ptr<i32, global>
      %c2_i32 = arith.constant 2 : i32
      %9 = arith.cmpi sgt, %8, %c2_i32 : i32
      %c2_1 = scf.if %9 -> (f32) {
        %c2_i32_1 = arith.constant 2 : i32
        %c2_2 = func.call @channel_as_float(%h, %p, %c2_i32_1) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32) -> f32
        scf.yield %c2_2 : f32
      } else {
        scf.yield %cst : f32
      }
      %10 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %11 = ocl.load %10 : !ocl.ptr<i32, global>
      %c3_i32 = arith.constant 3 : i32
      %12 = arith.cmpi sgt, %11, %c3_i32 : i32
      %c3_1 = scf.if %12 -> (f32) {
        %c3_i32_1 = arith.constant 3 : i32
        %c3_2 = func.call @channel_as_float(%h, %p, %c3_i32_1) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32) -> f32
        scf.yield %c3_2 : f32
      } else {
        scf.yield %cst : f32
      }
      scf.yield %c0_1, %c1_1, %c2_1, %c3_1 : f32, f32, f32, f32
    } else {
      scf.yield %cst, %cst, %cst, %cst : f32, f32, f32, f32
    }
    %13 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %14 = ocl.load %13 : !ocl.ptr<i32, global>
    %c15_i32 = arith.constant 15 : i32
    %15 = arith.andi %14, %c15_i32 : i32
    %16 = func.call @chosen_f(%15, %c0, %c1, %c2, %c3) : (i32, f32, f32, f32, f32) -> f32
    %17 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %18 = ocl.load %17 : !ocl.ptr<i32, global>
    %c4_i32 = arith.constant 4 : i32
    %19 = arith.shrsi %18, %c4_i32 : i32
    %20 = arith.andi %19, %c15_i32 : i32
    %21 = func.call @chosen_f(%20, %c0, %c1, %c2, %c3) : (i32, f32, f32, f32, f32) -> f32
    %22 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %23 = ocl.load %22 : !ocl.ptr<i32, global>
    %c8_i32 = arith.constant 8 : i32
    %24 = arith.shrsi %23, %c8_i32 : i32
    %25 = arith.andi %24, %c15_i32 : i32
    %26 = func.call @chosen_f(%25, %c0, %c1, %c2, %c3) : (i32, f32, f32, f32, f32) -> f32
    %27 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %28 = ocl.load %27 : !ocl.ptr<i32, global>
    %c12_i32 = arith.constant 12 : i32
    %29 = arith.shrsi %28, %c12_i32 : i32
    %30 = arith.andi %29, %c15_i32 : i32
    %31 = func.call @chosen_f(%30, %c0, %c1, %c2, %c3) : (i32, f32, f32, f32, f32) -> f32
    %result = ocl.concat %16, %21, %26, %31 : f32, f32, f32, f32 -> vector<4xf32>
    func.return %result : vector<4xf32>
  }
  func.func private @known_texel_i(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %c0_i32 = arith.constant 0 : i32
    %c14_i32 = arith.constant 14 : i32
    %0 = arith.andi %sampler, %c14_i32 : i32
    %1 = func.call @leads_inside(%0) : (i32) -> i1
    %2 = scf.if %1 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %3 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
      scf.yield %3 : i1
    }
    %c0, %c1, %c2, %c3 = scf.if %2 -> (i32, i32, i32, i32) {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %4 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %5 = ocl.load %4 : !ocl.ptr<i32, global>
      %c0_i32_1 = arith.constant 0 : i32
      %c0_1 = func.call @channel_as_int(%p, %5, %c0_i32_1) : (!ocl.ptr<i8, global>, i32, i32) -> i32
      %6 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %7 = ocl.load %6 : !ocl.ptr<i32, global>
      %c1_i32 = arith.constant 1 : i32
      %8 = arith.cmpi sgt, %7, %c1_i32 : i32
      %c1_1 = scf.if %8 -> (i32) {
        %9 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %10 = ocl.load %9 : !ocl.ptr<i32, global>
        %c1_i32_1 = arith.constant 1 : i32
        %c1_2 = func.call @channel_as_int(%p, %10, %c1_i32_1) : (!ocl.ptr<i8, global>, i32, i32) -> i32
        scf.yield %c1_2 : i32
      } else {
        scf.yield %c0_i32 : i32
      }
      %11 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %12 = ocl.load %11 : !ocl.ptr<i32, global>
      %c2_i32 = arith.constant 2 : i32
      %13 = arith.cmpi sgt, %12, %c2_i32 : i32
      %c2_1 = scf.if %13 -> (i32) {
        %14 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %15 = ocl.load %14 : !ocl.ptr<i32, global>
        %c2_i32_1 = arith.constant 2 : i32
        %c2_2 = func.call @channel_as_int(%p, %15, %c2_i32_1) : (!ocl.ptr<i8, global>, i32, i32) -> i32
        scf.yield %c2_2 : i32
      } else {
        scf.yield %c0_i32 : i32
      }
      %16 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %17 = ocl.load %16 : !ocl.ptr<i32, global>
      %c3_i32 = arith.constant 3 : i32
      %18 = arith.cmpi sgt, %17, %c3_i32 : i32
      %c3_1 = scf.if %18 -> (i32) {
        %19 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %20 = ocl.load %19 : !ocl.ptr<i32, global>
        %c3_i32_1 = arith.constant 3 : i32
        %c3_2 = func.call @channel_as_int(%p, %20, %c3_i32_1) : (!ocl.ptr<i8, global>, i32, i32) -> i32
        scf.yield %c3_2 : i32
      } else {
        scf.yield %c0_i32 : i32
      }
      scf.yield %c0_1, %c1_1, %c2_1, %c3_1 : i32, i32, i32, i32
    } else {
      scf.yield %c0_i32, %c0_i32, %c0_i32, %c0_i32 : i32, i32, i32, i32
    }
    %21 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %22 = ocl.load %21 : !ocl.ptr<i32, global>
    %c15_i32 = arith.constant 15 : i32
    %23 = arith.andi %22, %c15_i32 : i32
    %24 = func.call @chosen_i(%23, %c0, %c1, %c2, %c3) : (i32, i32, i32, i32, i32) -> i32
    %25 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %26 = ocl.load %25 : !ocl.ptr<i32, global>
    %c4_i32 = arith.constant 4 : i32
    %27 = arith.shrsi %26, %c4_i32 : i32
    %28 = arith.andi %27, %c15_i32 : i32
    %29 = func.call @chosen_i(%28, %c0, %c1, %c2, %c3) : (i32, i32, i32, i32, i32) -> i32
    %30 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %31 = ocl.load %30 : !ocl.ptr<i32, global>
    %c8_i32 = arith.constant 8 : i32
    %32 = arith.shrsi %31, %c8_i32 : i32
    %33 = arith.andi %32, %c15_i32 : i32
    %34 = func.call @chosen_i(%33, %c0, %c1, %c2, %c3) : (i32, i32, i32, i32, i32) -> i32
    %35 = ocl.member %h["to_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %36 = ocl.load %35 : !ocl.ptr<i32, global>
    %c12_i32 = arith.constant 12 : i32
    %37 = arith.shrsi %36, %c12_i32 : i32
    %38 = arith.andi %37, %c15_i32 : i32
    %39 = func.call @chosen_i(%38, %c0, %c1, %c2, %c3) : (i32, i32, i32, i32, i32) -> i32
    %result = ocl.concat %24, %29, %34, %39 : i32, i32, i32, i32 -> vector<4xi32>
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
        %result_2 = arith.mulf %4, %5 {ocl.no_contract} : f32
        scf.yield %result_2 : f32
      } else {
        %c8_i32 = arith.constant 8 : i32
        %6 = arith.cmpi eq, %mode, %c8_i32 : i32
        %result_3 = scf.if %6 -> (f32) {
          %cst = arith.constant 2.000000e+00 : f32
          %cst_1 = arith.constant 5.000000e-01 : f32
          %7 = arith.mulf %cst_1, %s {ocl.no_contract} : f32
          %8 = math.roundeven %7 : f32
          %9 = arith.mulf %cst, %8 : f32
          %10 = arith.subf %s, %9 : f32
          %11 = math.absf %10 : f32
          %12 = arith.sitofp %size : i32 to f32
          %result_4 = arith.mulf %11, %12 {ocl.no_contract} : f32
          scf.yield %result_4 : f32
        } else {
          %13 = arith.sitofp %size : i32 to f32
          %result_5 = arith.mulf %s, %13 {ocl.no_contract} : f32
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
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = vector.extract %at[0] : f32 from vector<2xf32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @nearest(%0, %2, %sampler) : (f32, i32, i32) -> i32
    %i = vector.broadcast %3 : i32 to vector<2xi32>
    %4 = vector.extract %at[1] : f32 from vector<2xf32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
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
      %11 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %12 = ocl.load %11 : !ocl.ptr<i32, global>
      %u = func.call @unnormalized(%10, %12, %sampler) : (f32, i32, i32) -> f32
      %13 = vector.extract %at[1] : f32 from vector<2xf32>
      %14 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %15 = ocl.load %14 : !ocl.ptr<i32, global>
      %v = func.call @unnormalized(%13, %15, %sampler) : (f32, i32, i32) -> f32
      %16 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %17 = ocl.load %16 : !ocl.ptr<i32, global>
      %i_2 = func.call @neighbours(%u, %17, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %18 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
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
      %28 = arith.mulf %26, %27 {ocl.no_contract} : f32
      %29 = arith.subf %cst_2, %b : f32
      %30 = arith.mulf %a, %29 {ocl.no_contract} : f32
      %31 = arith.subf %cst_2, %a : f32
      %32 = arith.mulf %31, %b {ocl.no_contract} : f32
      %33 = arith.mulf %a, %b {ocl.no_contract} : f32
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
    %39 = func.call @texel_f(%image, %sampler, %38) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
    %sum = arith.mulf %35, %39 {ocl.no_contract} : vector<4xf32>
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
      %54 = func.call @texel_f(%image, %sampler, %53) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      %55 = arith.mulf %42, %54 : vector<4xf32>
      %sum_3 = arith.addf %sum_2, %55 : vector<4xf32>
      scf.yield %sum_3 : vector<4xf32>
    }
    func.return %sum_1 : vector<4xf32>
  }
  func.func private @known_read_float(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<2xf32>, %layer: i32) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %c32_i32 = arith.constant 32 : i32
    %0 = arith.andi %sampler, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result = scf.if %1 -> (vector<4xf32>) {
      %2 = vector.extract %at[0] : f32 from vector<2xf32>
      %3 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %4 = ocl.load %3 : !ocl.ptr<i32, global>
      %5 = func.call @nearest(%2, %4, %sampler) : (f32, i32, i32) -> i32
      %6 = vector.extract %at[1] : f32 from vector<2xf32>
      %7 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %8 = ocl.load %7 : !ocl.ptr<i32, global>
      %9 = func.call @nearest(%6, %8, %sampler) : (f32, i32, i32) -> i32
      %c0_i32_1 = arith.constant 0 : i32
      %10 = ocl.concat %5, %9, %layer, %c0_i32_1 : i32, i32, i32, i32 -> vector<4xi32>
      %result_1 = func.call @texel_f(%image, %sampler, %10) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      scf.yield %result_1 : vector<4xf32>
    } else {
      %11 = vector.extract %at[0] : f32 from vector<2xf32>
      %12 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %13 = ocl.load %12 : !ocl.ptr<i32, global>
      %u = func.call @unnormalized(%11, %13, %sampler) : (f32, i32, i32) -> f32
      %14 = vector.extract %at[1] : f32 from vector<2xf32>
      %15 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %16 = ocl.load %15 : !ocl.ptr<i32, global>
      %v = func.call @unnormalized(%14, %16, %sampler) : (f32, i32, i32) -> f32
      %17 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %18 = ocl.load %17 : !ocl.ptr<i32, global>
      %i = func.call @neighbours(%u, %18, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %19 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %20 = ocl.load %19 : !ocl.ptr<i32, global>
      %j = func.call @neighbours(%v, %20, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %cst = arith.constant 5.000000e-01 : f32
      %21 = arith.subf %u, %cst : f32
      %22 = arith.subf %u, %cst : f32
      %23 = math.floor %22 : f32
      %a = arith.subf %21, %23 : f32
      %24 = arith.subf %v, %cst : f32
      %25 = arith.subf %v, %cst : f32
      %26 = math.floor %25 : f32
      %b = arith.subf %24, %26 : f32
      %cst_1 = arith.constant 1.000000e+00 : f32
      %27 = arith.subf %cst_1, %a : f32
      %28 = arith.subf %cst_1, %b : f32
      %29 = arith.mulf %27, %28 {ocl.no_contract} : f32
      %30 = vector.broadcast %29 : f32 to vector<4xf32>
      %31 = vector.extract %i[0] : i32 from vector<2xi32>
      %32 = vector.extract %j[0] : i32 from vector<2xi32>
      %c0_i32_2 = arith.constant 0 : i32
      %33 = ocl.concat %31, %32, %layer, %c0_i32_2 : i32, i32, i32, i32 -> vector<4xi32>
      %34 = func.call @texel_f(%image, %sampler, %33) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      %sum = arith.mulf %30, %34 {ocl.no_contract} : vector<4xf32>
      %35 = arith.subf %cst_1, %b : f32
      %36 = arith.mulf %a, %35 {ocl.no_contract} : f32
      %37 = vector.broadcast %36 : f32 to vector<4xf32>
      %38 = vector.extract %i[1] : i32 from vector<2xi32>
      %39 = vector.extract %j[0] : i32 from vector<2xi32>
      %40 = ocl.concat %38, %39, %layer, %c0_i32_2 : i32, i32, i32, i32 -> vector<4xi32>
      %41 = func.call @texel_f(%image, %sampler, %40) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      %42 = arith.mulf %37, %41 : vector<4xf32>
      %sum_1 = arith.addf %sum, %42 : vector<4xf32>
      %43 = arith.subf %cst_1, %a : f32
      %44 = arith.mulf %43, %b {ocl.no_contract} : f32
      %45 = vector.broadcast %44 : f32 to vector<4xf32>
      %46 = vector.extract %i[0] : i32 from vector<2xi32>
      %47 = vector.extract %j[1] : i32 from vector<2xi32>
      %48 = ocl.concat %46, %47, %layer, %c0_i32_2 : i32, i32, i32, i32 -> vector<4xi32>
      %49 = func.call @texel_f(%image, %sampler, %48) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      %50 = arith.mulf %45, %49 : vector<4xf32>
      %sum_2 = arith.addf %sum_1, %50 : vector<4xf32>
      %51 = arith.mulf %a, %b {ocl.no_contract} : f32
      %52 = vector.broadcast %51 : f32 to vector<4xf32>
      %53 = vector.extract %i[1] : i32 from vector<2xi32>
      %54 = vector.extract %j[1] : i32 from vector<2xi32>
      %55 = ocl.concat %53, %54, %layer, %c0_i32_2 : i32, i32, i32, i32 -> vector<4xi32>
      %56 = func.call @texel_f(%image, %sampler, %55) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      %57 = arith.mulf %52, %56 : vector<4xf32>
      %sum_3 = arith.addf %sum_2, %57 : vector<4xf32>
      scf.yield %sum_3 : vector<4xf32>
    }
    func.return %result : vector<4xf32>
  }
  func.func private @read_int(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<2xf32>, %layer: i32) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = vector.extract %at[0] : f32 from vector<2xf32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @nearest(%0, %2, %sampler) : (f32, i32, i32) -> i32
    %4 = vector.extract %at[1] : f32 from vector<2xf32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @nearest(%4, %6, %sampler) : (f32, i32, i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %8 = ocl.concat %3, %7, %layer, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    %result = func.call @texel_i(%image, %sampler, %8) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @nearest_in_space(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xf32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = vector.extract %at[0] : f32 from vector<4xf32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @nearest(%0, %2, %sampler) : (f32, i32, i32) -> i32
    %4 = vector.extract %at[1] : f32 from vector<4xf32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @nearest(%4, %6, %sampler) : (f32, i32, i32) -> i32
    %8 = vector.extract %at[2] : f32 from vector<4xf32>
    %9 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %10 = ocl.load %9 : !ocl.ptr<i32, global>
    %11 = func.call @nearest(%8, %10, %sampler) : (f32, i32, i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %result = ocl.concat %3, %7, %11, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @space_float(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xf32>) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %c32_i32 = arith.constant 32 : i32
    %0 = arith.andi %sampler, %c32_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result = scf.if %1 -> (vector<4xf32>) {
      %2 = func.call @nearest_in_space(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xf32>) -> vector<4xi32>
      %result_1 = func.call @texel_f(%image, %sampler, %2) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
      scf.yield %result_1 : vector<4xf32>
    } else {
      %3 = vector.extract %at[0] : f32 from vector<4xf32>
      %4 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %5 = ocl.load %4 : !ocl.ptr<i32, global>
      %u = func.call @unnormalized(%3, %5, %sampler) : (f32, i32, i32) -> f32
      %6 = vector.extract %at[1] : f32 from vector<4xf32>
      %7 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %8 = ocl.load %7 : !ocl.ptr<i32, global>
      %v = func.call @unnormalized(%6, %8, %sampler) : (f32, i32, i32) -> f32
      %9 = vector.extract %at[2] : f32 from vector<4xf32>
      %10 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %11 = ocl.load %10 : !ocl.ptr<i32, global>
      %w = func.call @unnormalized(%9, %11, %sampler) : (f32, i32, i32) -> f32
      %12 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %13 = ocl.load %12 : !ocl.ptr<i32, global>
      %i = func.call @neighbours(%u, %13, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %14 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %15 = ocl.load %14 : !ocl.ptr<i32, global>
      %j = func.call @neighbours(%v, %15, %sampler) : (f32, i32, i32) -> vector<2xi32>
      %16 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
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
        %weight = arith.mulf %35, %39 {ocl.no_contract} : f32
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
        %56 = func.call @texel_f(%image, %sampler, %place) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
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
    %result = func.call @texel_i(%image, %sampler, %0) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @layer_float(%image: !ocl.ptr<i8, global>, %number: f32) -> i32 attributes {ocl.unsigned = ["image"]} {
    %0 = math.roundeven %number : f32
    %1 = ocl.convert %0 sat : f32 to i32
    %c0_i32 = arith.constant 0 : i32
    %2 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %3 = ocl.member %2["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %4 = ocl.load %3 : !ocl.ptr<i32, global>
    %c1_i32 = arith.constant 1 : i32
    %5 = arith.subi %4, %c1_i32 : i32
    %result = ocl.builtin "s_clamp"(%1, %c0_i32, %5) : (i32, i32, i32) -> i32
    func.return %result : i32
  }
  func.func private @layer_int(%image: !ocl.ptr<i8, global>, %number: i32) -> i32 attributes {ocl.unsigned = ["image"]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %1 = ocl.member %0["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.subi %2, %c1_i32 : i32
    %result = ocl.builtin "s_clamp"(%number, %c0_i32, %3) : (i32, i32, i32) -> i32
    func.return %result : i32
  }
  func.func private @at_pixel(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %c14_i32 = arith.constant 14 : i32
    %mode = arith.andi %sampler, %c14_i32 : i32
    %0 = vector.extract %at[0] : i32 from vector<4xi32>
    %1 = ocl.member %h["width"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %2 = ocl.load %1 : !ocl.ptr<i32, global>
    %3 = func.call @address(%0, %2, %mode) : (i32, i32, i32) -> i32
    %4 = vector.extract %at[1] : i32 from vector<4xi32>
    %5 = ocl.member %h["height"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %6 = ocl.load %5 : !ocl.ptr<i32, global>
    %7 = func.call @address(%4, %6, %mode) : (i32, i32, i32) -> i32
    %8 = vector.extract %at[2] : i32 from vector<4xi32>
    %9 = ocl.member %h["depth"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %10 = ocl.load %9 : !ocl.ptr<i32, global>
    %11 = func.call @address(%8, %10, %mode) : (i32, i32, i32) -> i32
    %c0_i32 = arith.constant 0 : i32
    %result = ocl.concat %3, %7, %11, %c0_i32 : i32, i32, i32, i32 -> vector<4xi32>
    func.return %result : vector<4xi32>
  }
  func.func private @fetch_float(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xf32> attributes {ocl.unsigned = ["image"]} {
    %0 = func.call @at_pixel(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
    %result = func.call @texel_f(%image, %sampler, %0) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xf32>
    func.return %result : vector<4xf32>
  }
  func.func private @fetch_int(%image: !ocl.ptr<i8, global>, %sampler: i32, %at: vector<4xi32>) -> vector<4xi32> attributes {ocl.unsigned = ["image"]} {
    %0 = func.call @at_pixel(%image, %sampler, %at) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
    %result = func.call @texel_i(%image, %sampler, %0) : (!ocl.ptr<i8, global>, i32, vector<4xi32>) -> vector<4xi32>
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
  func.func private @put_float(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, %p: !ocl.ptr<i8, global>, %channel: i32, %x: f32) attributes {ocl.unsigned = ["p"]} {
    %0 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %selector = ocl.load %0 : !ocl.ptr<i32, global>
    %c4304_i32 = arith.constant 4304 : i32
    %1 = arith.cmpi eq, %selector, %c4304_i32 : i32
    scf.if %1 {
      %cst = arith.constant 1.270000e+02 : f32
      %2 = arith.mulf %x, %cst {ocl.no_contract} : f32
      %3 = ocl.convert %2 rounding rte sat : f32 to i8
      %4 = arith.index_cast %channel : i32 to index
      ocl.store %3, %p[%4] : !ocl.ptr<i8, global>
    } else {
      %c4306_i32 = arith.constant 4306 : i32
      %5 = arith.cmpi eq, %selector, %c4306_i32 : i32
      scf.if %5 {
        %cst_1 = arith.constant 2.550000e+02 : f32
        %6 = arith.mulf %x, %cst_1 {ocl.no_contract} : f32
        %7 = ocl.convert %6 rounding rte sat : f32 to unsigned i8
        %8 = arith.index_cast %channel : i32 to index
        ocl.store %7, %p[%8] : !ocl.ptr<i8, global>
      } else {
        %c4305_i32 = arith.constant 4305 : i32
        %9 = arith.cmpi eq, %selector, %c4305_i32 : i32
        scf.if %9 {
          %cst_2 = arith.constant 3.276700e+04 : f32
          %10 = arith.mulf %x, %cst_2 {ocl.no_contract} : f32
          %11 = ocl.convert %10 rounding rte sat : f32 to i16
          %12 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %13 = arith.index_cast %channel : i32 to index
          ocl.store %11, %12[%13] : !ocl.ptr<i16, global>
        } else {
          %c4307_i32 = arith.constant 4307 : i32
          %14 = arith.cmpi eq, %selector, %c4307_i32 : i32
          scf.if %14 {
            %cst_3 = arith.constant 6.553500e+04 : f32
            %15 = arith.mulf %x, %cst_3 {ocl.no_contract} : f32
            %16 = ocl.convert %15 rounding rte sat : f32 to unsigned i16
            %17 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %18 = arith.index_cast %channel : i32 to index
            ocl.store %16, %17[%18] : !ocl.ptr<i16, global>
          } else {
            %c4317_i32 = arith.constant 4317 : i32
            %19 = arith.cmpi eq, %selector, %c4317_i32 : i32
            scf.if %19 {
              %20 = ocl.convert %x rounding rte : f32 to f16
              %21 = arith.index_cast %channel : i32 to index
              %22 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f16, global>
              ocl.store %20, %22[%21] : !ocl.ptr<f16, global>
            } else {
              %c4318_i32 = arith.constant 4318 : i32
              %23 = arith.cmpi eq, %selector, %c4318_i32 : i32
              scf.if %23 {
                %24 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
                %25 = arith.index_cast %channel : i32 to index
                ocl.store %x, %24[%25] : !ocl.ptr<f32, global>
              }
            }
          }
        }
      }
    }
    func.return
  }
  func.func private @write_float(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>, %color: vector<4xf32>) attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    scf.if %0 {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %word, %channel = scf.while (%word_1 = %c0_i32, %channel_1 = %c0_i32) : (i32, i32) -> (i32, i32) {
        %1 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %2 = ocl.load %1 : !ocl.ptr<i32, global>
        %3 = arith.cmpi slt, %channel_1, %2 : i32
        scf.condition(%3) %word_1, %channel_1 : i32, i32
      } do {
      ^bb0(%word_2: i32, %channel_2: i32):
        %4 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %5 = ocl.load %4 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %6 = arith.muli %channel_2, %c4_i32 : i32
        %c31_i32 = arith.constant 31 : i32
        %7 = arith.andi %6, %c31_i32 : i32
        %8 = arith.shrsi %5, %7 : i32
        %c15_i32 = arith.constant 15 : i32
        %9 = arith.andi %8, %c15_i32 : i32
        %x = func.call @component_f(%color, %9) : (vector<4xf32>, i32) -> f32
        %10 = ocl.member %h["packed"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %11 = ocl.load %10 : !ocl.ptr<i32, global>
        %c0_i32_1 = arith.constant 0 : i32
        %12 = arith.cmpi ne, %11, %c0_i32_1 : i32
        %word_3 = scf.if %12 -> (i32) {
          %13 = ocl.member %h["top"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<!ocl.array<4 x i32>, global>
          %14 = ocl.cast %13 : !ocl.ptr<!ocl.array<4 x i32>, global> to !ocl.ptr<i32, global>
          %15 = arith.index_cast %channel_2 : i32 to index
          %16 = ocl.load %14[%15] : !ocl.ptr<i32, global>
          %17 = arith.sitofp %16 : i32 to f32
          %18 = arith.mulf %x, %17 {ocl.no_contract} : f32
          %cst = arith.constant 0.000000e+00 : f32
          %19 = ocl.member %h["top"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<!ocl.array<4 x i32>, global>
          %20 = ocl.cast %19 : !ocl.ptr<!ocl.array<4 x i32>, global> to !ocl.ptr<i32, global>
          %21 = arith.index_cast %channel_2 : i32 to index
          %22 = ocl.load %20[%21] : !ocl.ptr<i32, global>
          %23 = arith.sitofp %22 : i32 to f32
          %x_1 = ocl.builtin "clamp"(%18, %cst, %23) : (f32, f32, f32) -> f32
          %24 = ocl.convert %x_1 rounding rte : f32 to i32
          %25 = ocl.member %h["place"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<!ocl.array<4 x i32>, global>
          %26 = ocl.cast %25 : !ocl.ptr<!ocl.array<4 x i32>, global> to !ocl.ptr<i32, global>
          %27 = arith.index_cast %channel_2 : i32 to index
          %28 = ocl.load %26[%27] : !ocl.ptr<i32, global>
          %c31_i32_1 = arith.constant 31 : i32
          %29 = arith.andi %28, %c31_i32_1 : i32
          %30 = arith.shli %24, %29 : i32
          %word_4 = arith.ori %word_2, %30 : i32
          scf.yield %word_4 : i32
        } else {
          func.call @put_float(%h, %p, %channel_2, %x) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, f32) -> ()
          scf.yield %word_2 : i32
        }
        %c1_i32 = arith.constant 1 : i32
        %channel_3 = arith.addi %channel_2, %c1_i32 : i32
        scf.yield %word_3, %channel_3 : i32, i32
      }
      %31 = ocl.member %h["packed"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %32 = ocl.load %31 : !ocl.ptr<i32, global>
      %33 = arith.cmpi ne, %32, %c0_i32 : i32
      %34 = scf.if %33 -> (i1) {
        %35 = ocl.member %h["pixel"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %36 = ocl.load %35 : !ocl.ptr<i32, global>
        %c2_i32 = arith.constant 2 : i32
        %37 = arith.cmpi eq, %36, %c2_i32 : i32
        scf.yield %37 : i1
      } else {
        %false = arith.constant false
        scf.yield %false : i1
      }
      scf.if %34 {
        %38 = arith.trunci %word : i32 to i16
        %39 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
        ocl.store %38, %39 : !ocl.ptr<i16, global>
      } else {
        %40 = ocl.member %h["packed"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %41 = ocl.load %40 : !ocl.ptr<i32, global>
        %c0_i32_2 = arith.constant 0 : i32
        %42 = arith.cmpi ne, %41, %c0_i32_2 : i32
        scf.if %42 {
          %43 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
          ocl.store %word, %43 : !ocl.ptr<i32, global>
        }
      }
    }
    func.return
  }
  func.func private @put_int(%h: !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, %p: !ocl.ptr<i8, global>, %channel: i32, %x: i32) attributes {ocl.unsigned = ["p"]} {
    %0 = ocl.member %h["type"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
    %selector = ocl.load %0 : !ocl.ptr<i32, global>
    %c4311_i32 = arith.constant 4311 : i32
    %1 = arith.cmpi eq, %selector, %c4311_i32 : i32
    scf.if %1 {
      %2 = ocl.convert %x sat : i32 to i8
      %3 = arith.index_cast %channel : i32 to index
      ocl.store %2, %p[%3] : !ocl.ptr<i8, global>
    } else {
      %c4314_i32 = arith.constant 4314 : i32
      %4 = arith.cmpi eq, %selector, %c4314_i32 : i32
      scf.if %4 {
        %5 = ocl.convert %x sat : unsigned i32 to unsigned i8
        %6 = arith.index_cast %channel : i32 to index
        ocl.store %5, %p[%6] : !ocl.ptr<i8, global>
      } else {
        %c4312_i32 = arith.constant 4312 : i32
        %7 = arith.cmpi eq, %selector, %c4312_i32 : i32
        scf.if %7 {
          %8 = ocl.convert %x sat : i32 to i16
          %9 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
          %10 = arith.index_cast %channel : i32 to index
          ocl.store %8, %9[%10] : !ocl.ptr<i16, global>
        } else {
          %c4315_i32 = arith.constant 4315 : i32
          %11 = arith.cmpi eq, %selector, %c4315_i32 : i32
          scf.if %11 {
            %12 = ocl.convert %x sat : unsigned i32 to unsigned i16
            %13 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i16, global>
            %14 = arith.index_cast %channel : i32 to index
            ocl.store %12, %13[%14] : !ocl.ptr<i16, global>
          } else {
            %c4313_i32 = arith.constant 4313 : i32
            %15 = arith.cmpi eq, %selector, %c4313_i32 : i32
            %c4316_i32 = arith.constant 4316 : i32
            %16 = arith.cmpi eq, %selector, %c4316_i32 : i32
            %17 = arith.ori %15, %16 : i1
            scf.if %17 {
              %18 = ocl.cast %p : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
              %19 = arith.index_cast %channel : i32 to index
              ocl.store %x, %18[%19] : !ocl.ptr<i32, global>
            }
          }
        }
      }
    }
    func.return
  }
  func.func private @write_int(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>, %color: vector<4xi32>) attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    scf.if %0 {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %channel = scf.while (%channel_1 = %c0_i32) : (i32) -> i32 {
        %1 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %2 = ocl.load %1 : !ocl.ptr<i32, global>
        %3 = arith.cmpi slt, %channel_1, %2 : i32
        scf.condition(%3) %channel_1 : i32
      } do {
      ^bb0(%channel_2: i32):
        %4 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %5 = ocl.load %4 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %6 = arith.muli %channel_2, %c4_i32 : i32
        %c31_i32 = arith.constant 31 : i32
        %7 = arith.andi %6, %c31_i32 : i32
        %8 = arith.shrsi %5, %7 : i32
        %c15_i32 = arith.constant 15 : i32
        %9 = arith.andi %8, %c15_i32 : i32
        %10 = func.call @component_i(%color, %9) : (vector<4xi32>, i32) -> i32
        func.call @put_int(%h, %p, %channel_2, %10) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, i32) -> ()
        %c1_i32 = arith.constant 1 : i32
        %channel_3 = arith.addi %channel_2, %c1_i32 : i32
        scf.yield %channel_3 : i32
      }
    }
    func.return
  }
  func.func private @known_write_float(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>, %color: vector<4xf32>) attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    scf.if %0 {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %1 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %2 = ocl.load %1 : !ocl.ptr<i32, global>
      %c15_i32 = arith.constant 15 : i32
      %3 = arith.andi %2, %c15_i32 : i32
      %4 = func.call @component_f(%color, %3) : (vector<4xf32>, i32) -> f32
      func.call @put_float(%h, %p, %c0_i32, %4) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, f32) -> ()
      %5 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %6 = ocl.load %5 : !ocl.ptr<i32, global>
      %c1_i32 = arith.constant 1 : i32
      %7 = arith.cmpi sgt, %6, %c1_i32 : i32
      scf.if %7 {
        %c1_i32_1 = arith.constant 1 : i32
        %8 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %9 = ocl.load %8 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %10 = arith.shrsi %9, %c4_i32 : i32
        %c15_i32_1 = arith.constant 15 : i32
        %11 = arith.andi %10, %c15_i32_1 : i32
        %12 = func.call @component_f(%color, %11) : (vector<4xf32>, i32) -> f32
        func.call @put_float(%h, %p, %c1_i32_1, %12) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, f32) -> ()
      }
      %13 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %14 = ocl.load %13 : !ocl.ptr<i32, global>
      %c2_i32 = arith.constant 2 : i32
      %15 = arith.cmpi sgt, %14, %c2_i32 : i32
      scf.if %15 {
        %c2_i32_1 = arith.constant 2 : i32
        %16 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %17 = ocl.load %16 : !ocl.ptr<i32, global>
        %c8_i32 = arith.constant 8 : i32
        %18 = arith.shrsi %17, %c8_i32 : i32
        %c15_i32_2 = arith.constant 15 : i32
        %19 = arith.andi %18, %c15_i32_2 : i32
        %20 = func.call @component_f(%color, %19) : (vector<4xf32>, i32) -> f32
        func.call @put_float(%h, %p, %c2_i32_1, %20) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, f32) -> ()
      }
      %21 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %22 = ocl.load %21 : !ocl.ptr<i32, global>
      %c3_i32 = arith.constant 3 : i32
      %23 = arith.cmpi sgt, %22, %c3_i32 : i32
      scf.if %23 {
        %c3_i32_1 = arith.constant 3 : i32
        %24 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %25 = ocl.load %24 : !ocl.ptr<i32, global>
        %c12_i32 = arith.constant 12 : i32
        %26 = arith.shrsi %25, %c12_i32 : i32
        %c15_i32_3 = arith.constant 15 : i32
        %27 = arith.andi %26, %c15_i32_3 : i32
        %28 = func.call @component_f(%color, %27) : (vector<4xf32>, i32) -> f32
        func.call @put_float(%h, %p, %c3_i32_1, %28) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, f32) -> ()
      }
    }
    func.return
  }
  func.func private @known_write_int(%image: !ocl.ptr<i8, global>, %at: vector<4xi32>, %color: vector<4xi32>) attributes {ocl.unsigned = ["image", "p"]} {
    %h = ocl.cast %image : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>
    %0 = func.call @inside(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> i1
    scf.if %0 {
      %p = func.call @pixel(%image, %at) : (!ocl.ptr<i8, global>, vector<4xi32>) -> !ocl.ptr<i8, global>
      %c0_i32 = arith.constant 0 : i32
      %1 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %2 = ocl.load %1 : !ocl.ptr<i32, global>
      %c15_i32 = arith.constant 15 : i32
      %3 = arith.andi %2, %c15_i32 : i32
      %4 = func.call @component_i(%color, %3) : (vector<4xi32>, i32) -> i32
      func.call @put_int(%h, %p, %c0_i32, %4) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, i32) -> ()
      %5 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %6 = ocl.load %5 : !ocl.ptr<i32, global>
      %c1_i32 = arith.constant 1 : i32
      %7 = arith.cmpi sgt, %6, %c1_i32 : i32
      scf.if %7 {
        %c1_i32_1 = arith.constant 1 : i32
        %8 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %9 = ocl.load %8 : !ocl.ptr<i32, global>
        %c4_i32 = arith.constant 4 : i32
        %10 = arith.shrsi %9, %c4_i32 : i32
        %c15_i32_1 = arith.constant 15 : i32
        %11 = arith.andi %10, %c15_i32_1 : i32
        %12 = func.call @component_i(%color, %11) : (vector<4xi32>, i32) -> i32
        func.call @put_int(%h, %p, %c1_i32_1, %12) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, i32) -> ()
      }
      %13 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %14 = ocl.load %13 : !ocl.ptr<i32, global>
      %c2_i32 = arith.constant 2 : i32
      %15 = arith.cmpi sgt, %14, %c2_i32 : i32
      scf.if %15 {
        %c2_i32_1 = arith.constant 2 : i32
        %16 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %17 = ocl.load %16 : !ocl.ptr<i32, global>
        %c8_i32 = arith.constant 8 : i32
        %18 = arith.shrsi %17, %c8_i32 : i32
        %c15_i32_2 = arith.constant 15 : i32
        %19 = arith.andi %18, %c15_i32_2 : i32
        %20 = func.call @component_i(%color, %19) : (vector<4xi32>, i32) -> i32
        func.call @put_int(%h, %p, %c2_i32_1, %20) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, i32) -> ()
      }
      %21 = ocl.member %h["channels"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
      %22 = ocl.load %21 : !ocl.ptr<i32, global>
      %c3_i32 = arith.constant 3 : i32
      %23 = arith.cmpi sgt, %22, %c3_i32 : i32
      scf.if %23 {
        %c3_i32_1 = arith.constant 3 : i32
        %24 = ocl.member %h["from_color"] : !ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global> -> !ocl.ptr<i32, global>
        %25 = ocl.load %24 : !ocl.ptr<i32, global>
        %c12_i32 = arith.constant 12 : i32
        %26 = arith.shrsi %25, %c12_i32 : i32
        %c15_i32_3 = arith.constant 15 : i32
        %27 = arith.andi %26, %c15_i32_3 : i32
        %28 = func.call @component_i(%color, %27) : (vector<4xi32>, i32) -> i32
        func.call @put_int(%h, %p, %c3_i32_1, %28) : (!ocl.ptr<!ocl.struct<"Header", {width: i32, height: i32, order: i32, type: i32, depth: i32, channels: i32, to_color: i32, from_color: i32, first_pixel: i64, pitch: i64, slice: i64, pixel: i32, packed: i32, place: !ocl.array<4 x i32>, top: !ocl.array<4 x i32>, linear: i64}>, global>, !ocl.ptr<i8, global>, i32, i32) -> ()
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

