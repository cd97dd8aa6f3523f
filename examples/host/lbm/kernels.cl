// A time step of a lattice Boltzmann method, D3Q19 with one relaxation time: each cell relaxes
// what flows through it and hands it to its neighbours. The twenty numbers of a cell lie together:
// one for each direction, the last one is not 0 in obstacles, which throw everything back.
enum { C, N, S, E, W, T, B, NE, NW, SE, SW, NT, NB, ST, SB, ET, EB, WT, WB, OBSTACLE, VALUES };

#define OWN(e) in[at * VALUES + e]
#define NEXT(dx, dy, dz, e) out[(at + (dx) + nx * ((dy) + ny * (dz))) * VALUES + e]
#define RELAX(f, weight, cu) \
    ((1.0f - omega) * f + omega * weight * rho * (still + (cu) * (3.0f + 4.5f * (cu))))

kernel void collide_and_stream(global const float *in, global float *out, int nx, int ny, int nz,
                               float omega)
{
    int i = get_global_id(0) + 1, j = get_global_id(1) + 1, k = get_global_id(2) + 1;
    if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1)
        return;
    int at = i + nx * (j + ny * k);
    float c = OWN(C), n = OWN(N), s = OWN(S), e = OWN(E), w = OWN(W), t = OWN(T), b = OWN(B);
    float ne = OWN(NE), nw = OWN(NW), se = OWN(SE), sw = OWN(SW), nt = OWN(NT), nb = OWN(NB);
    float st = OWN(ST), sb = OWN(SB), et = OWN(ET), eb = OWN(EB), wt = OWN(WT), wb = OWN(WB);
    if (OWN(OBSTACLE) != 0.0f) {
        NEXT(0, 0, 0, C) = c;
        NEXT(0, 1, 0, N) = s;
        NEXT(0, -1, 0, S) = n;
        NEXT(1, 0, 0, E) = w;
        NEXT(-1, 0, 0, W) = e;
        NEXT(0, 0, 1, T) = b;
        NEXT(0, 0, -1, B) = t;
        NEXT(1, 1, 0, NE) = sw;
        NEXT(-1, 1, 0, NW) = se;
        NEXT(1, -1, 0, SE) = nw;
        NEXT(-1, -1, 0, SW) = ne;
        NEXT(0, 1, 1, NT) = sb;
        NEXT(0, 1, -1, NB) = st;
        NEXT(0, -1, 1, ST) = nb;
        NEXT(0, -1, -1, SB) = nt;
        NEXT(1, 0, 1, ET) = wb;
        NEXT(1, 0, -1, EB) = wt;
        NEXT(-1, 0, 1, WT) = eb;
        NEXT(-1, 0, -1, WB) = et;
        return;
    }
    float rho = c + n + s + e + w + t + b + ne + nw + se + sw + nt + nb + st + sb + et + eb + wt + wb;
    float ux = (e - w + ne - nw + se - sw + et + eb - wt - wb) / rho;
    float uy = (n - s + ne + nw - se - sw + nt + nb - st - sb) / rho;
    float uz = (t - b + nt - nb + st - sb + et - eb + wt - wb) / rho;
    float still = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
    float w0 = 1.0f / 3.0f, w1 = 1.0f / 18.0f, w2 = 1.0f / 36.0f;
    NEXT(0, 0, 0, C) = RELAX(c, w0, 0.0f);
    NEXT(0, 1, 0, N) = RELAX(n, w1, uy);
    NEXT(0, -1, 0, S) = RELAX(s, w1, -uy);
    NEXT(1, 0, 0, E) = RELAX(e, w1, ux);
    NEXT(-1, 0, 0, W) = RELAX(w, w1, -ux);
    NEXT(0, 0, 1, T) = RELAX(t, w1, uz);
    NEXT(0, 0, -1, B) = RELAX(b, w1, -uz);
    NEXT(1, 1, 0, NE) = RELAX(ne, w2, ux + uy);
    NEXT(-1, 1, 0, NW) = RELAX(nw, w2, uy - ux);
    NEXT(1, -1, 0, SE) = RELAX(se, w2, ux - uy);
    NEXT(-1, -1, 0, SW) = RELAX(sw, w2, -ux - uy);
    NEXT(0, 1, 1, NT) = RELAX(nt, w2, uy + uz);
    NEXT(0, 1, -1, NB) = RELAX(nb, w2, uy - uz);
    NEXT(0, -1, 1, ST) = RELAX(st, w2, uz - uy);
    NEXT(0, -1, -1, SB) = RELAX(sb, w2, -uy - uz);
    NEXT(1, 0, 1, ET) = RELAX(et, w2, ux + uz);
    NEXT(1, 0, -1, EB) = RELAX(eb, w2, ux - uz);
    NEXT(-1, 0, 1, WT) = RELAX(wt, w2, uz - ux);
    NEXT(-1, 0, -1, WB) = RELAX(wb, w2, -ux - uz);
}
