from xdsl.ir import Dialect
WG = Dialect("wg", [], [])
