// Convolution2D ([split16], Figure 2), one work-group, split along both dimensions; without the
// bodies of the codelets. vs and hs are the half width and height of the mask.
func.func @Convolution2D(%L0: index, %L1: index, %G0: index, %G1: index, %width: index, %height: index, %vs: index, %hs: index, %input: !ocl.ptr<i32, global>, %output: !ocl.ptr<i32, global>) {
  poly.kernel @conv(%L0, %L1, %G0, %G1, %width, %height, %vs, %hs) params ["L0", "L1", "G0", "G1", "width", "height", "vs", "hs"] work_items ["y", "x"]
      context #poly.set<"[L0, L1, G0, G1, width, height, vs, hs] -> { : L0 > 0 and L1 > 0 and G0 >= 0 and G1 >= 0 and G0 + L0 <= width and G1 + L1 <= height and vs >= 0 and hs >= 0 }"> {
  ^bb0(%y: index, %x: index):
    poly.subkernel @conv_x along 0 width 8 score #poly.score<"6*[L0]*[L1] + 4*[L1]*[min(L0, G0 + L0 - vs)]"> domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0, L1, G0, width, vs] -> { interior[y, t] : 0 <= y < L1 and 0 <= t and 8t + 7 < L0 and G0 + 8t >= vs and G0 + 8t + 7 + vs < width }"> {
      ^bb1(%y0: index, %x0: index):
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[L0, L1, G0, width, vs] -> { mixed[y, t] : 0 <= y < L1 and 0 <= t and 8t + 7 < L0 and G0 + 8t >= vs and G0 + 8t + 7 + vs >= width }"> {
      ^bb1(%y0: index, %x0: index):
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[L0, L1, G0, vs] -> { divergent[y, t] : 0 <= y < L1 and 0 <= t and 8t + 7 < L0 and G0 + 8t < vs }"> {
      ^bb1(%y0: index, %x0: index):
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, L1] -> { partial[y, x] : 0 <= y < L1 and 8*floor(L0/8) <= x < L0 }"> {
      ^bb1(%y0: index, %x0: index):
      }
    }
    poly.subkernel @conv_y along 1 width 8 score #poly.score<"6*[L0]*[L1]"> domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      poly.codelet lanes 8 along 1 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0, L1, G1, height, hs] -> { interior[t, x] : 0 <= x < L0 and 0 <= t and 8t + 7 < L1 and G1 + 8t >= hs and G1 + 8t + 7 + hs < height }"> {
      ^bb1(%y0: index, %x0: index):
      }
      poly.codelet lanes 8 along 1 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[L0, L1, G1, height, hs] -> { mixed[t, x] : 0 <= x < L0 and 0 <= t and 8t + 7 < L1 and (G1 + 8t < hs or G1 + 8t + 7 + hs >= height) }"> {
      ^bb1(%y0: index, %x0: index):
      }
      poly.codelet lanes 1 along 1 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, L1] -> { partial[y, x] : 0 <= x < L0 and 8*floor(L1/8) <= y < L1 }"> {
      ^bb1(%y0: index, %x0: index):
      }
    }
    poly.subkernel @conv_scalar along 0 width 1 score #poly.score<"1"> domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, L1] -> { scalar[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      ^bb1(%y0: index, %x0: index):
      }
    }
    poly.dispatch [@conv_x, @conv_y, @conv_scalar]
  }
  func.return
}
