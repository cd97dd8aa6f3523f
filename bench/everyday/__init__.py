"""Kernels as strangers write them, beside other runtimes; see `python -m bench.everyday --help`.

Each file of `kernels/` is one launch. Lines that begin with `//:` say which:

    //: global 65536
    //: local 64
    //: arg np.zeros(65536, np.float32)
    //: arg r.random(65536, np.float32)
    //: arg np.int32(65536)

An argument is an expression of Python with numpy as `np`, a new `r = np.random.default_rng(0)`
and `LocalBytes(n)` for local memory. Further lines, which may be left out: `kernel NAME` where the
file has several, `options -D N=4`, and `data NAME = EXPRESSION` for what several arguments need.
"""
