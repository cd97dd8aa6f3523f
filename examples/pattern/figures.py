"""The programs of [lift15, Figures 5 to 7] in Python, composed of named functions."""

from operator import add

from polycl.pattern import (
    Array,
    J,
    K,
    M,
    N,
    Vector,
    abs,
    erf,
    exp,
    f32,
    function,
    gather,
    i32,
    join,
    log,
    map,
    program,
    reduce,
    sqrt,
    vector_of,
    where,
    zip,
)

# ---- Figure 5: linear algebra ----


@function
def mult(a: f32, x: f32) -> f32:
    return a * x


@program
def scal(a: f32, x: Array[f32, N]):
    return map(lambda e: mult(a, e)) @ x


@program
def asum(x: Array[f32, N]):
    return reduce(add, 0.0) @ map(abs) @ x


@program
def dot(x: Array[f32, N], y: Array[f32, N]):
    return reduce(add, 0.0) @ map(mult) @ zip(x, y)


@program
def gemv(A: Array[f32, M, K], x: Array[f32, K], y: Array[f32, M], a: f32, b: f32):
    z = join @ map(lambda row: scal(a, dot(x, row))) @ A
    return map(add) @ zip(z, scal(b, y))


# ---- Figure 6: Black-Scholes ----


@function
def normal(d: f32) -> f32:
    """The normal distribution."""
    return 0.5 * (1.0 + erf(d * 0.7071067811865476))


@program
def black_scholes(s: Array[f32, N], strike: f32, years: f32, rate: f32, volatility: f32):
    """The prices of call and put options, for each price of the stock."""
    deviation = volatility * sqrt(years)
    growth = (rate + volatility * volatility * 0.5) * years
    present_strike = strike * exp(-rate * years)

    @function
    def BSComputation(price: f32):
        d1 = (log(price / strike) + growth) / deviation
        d2 = d1 - deviation
        call = price * normal(d1) - present_strike * normal(d2)
        put = present_strike * normal(-d2) - price * normal(-d1)
        return call, put

    return map(BSComputation) @ s


# ---- Figure 7: molecular dynamics ----


@program
def md(
    p: Array[Vector[f32, 4], N],
    neighbours: Array[i32, N, J],
    cutoff2: f32,
    lj1: f32,
    lj2: f32,
):
    """The Lennard-Jones forces on each particle from those of its neighbours that are near."""

    @function
    def force(own: Vector[f32, 4], other: Vector[f32, 4]):
        d = own - other
        squares = d * d
        r2 = squares[0] + squares[1] + squares[2]
        r2inv = 1.0 / r2
        r6inv = r2inv * r2inv * r2inv
        scale = r2inv * r6inv * (lj1 * r6inv - lj2)
        return d * vector_of(where(r2 < cutoff2, scale, 0.0), 4)

    @function
    def updateF(own: Vector[f32, 4], ids: Array[i32, J]):
        return reduce(add, 0.0) @ map(lambda other: force(own, other)) @ gather(p, ids)

    return join @ map(updateF) @ zip(p, neighbours)
