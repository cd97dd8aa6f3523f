// Structures in buffers, as arguments, in local memory and in private arrays; nested structures,
// arrays and vectors as members; assignment of whole structures; padding.
// LAUNCH: global=8 local=4 args: cells=rand:{tag:i8,pos:f32x4,n:i16[3],in:{a:i32,b:f64}}:8 delta={scale:f32,by:i32[2],kind:u8}(0.5,(3,-4),7) out=zeros:{tag:i8,pos:f32x4,n:i16[3],in:{a:i32,b:f64}}:8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct { int a; double b; } Inner;
typedef struct { char tag; float4 pos; short n[3]; Inner in; } Cell;
typedef struct { float scale; int by[2]; uchar kind; } Delta;

kernel void update(global const Cell *cells, Delta delta, global Cell *out) {
  local Cell tile[4];
  size_t g = get_global_id(0), l = get_local_id(0);
  Cell own[2];
  own[0] = cells[g];
  tile[l] = own[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  own[1] = tile[3 - l];
  own[1].pos.xy += own[0].pos.zw * delta.scale;
  own[1].n[g % 3] += (short)delta.by[g & 1];
  own[1].in.b = own[1].in.b * 2.0 + own[0].in.a;
  own[1].tag = (char)(delta.kind + sizeof(Cell));
  Inner in = own[0].in;
  in.a -= delta.by[0];
  own[1].in.a = in.a;
  out[g] = own[l & 1];
  out[g].n[0] = own[1].n[0];
}
