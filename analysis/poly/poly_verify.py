"""The pass `poly-verify`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from random import Random

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.poly.brute_force import (
    BruteForce,
    Checked,
    ClaimViolated,
    consecutive_somewhere,
    group_size,
)
from polycl.analysis.poly.brute_force_model import BruteForceModel, Claims
from polycl.analysis.poly.concrete import CannotExecute
from polycl.analysis.poly.model import all_items
from polycl.analysis.poly.samples import sample
from polycl.dialects.poly import CodeletOp, KernelOp, SubkernelOp
from polycl.dialects.poly.kernel import names_of
from polycl.errors import error_at
from polycl.remarks import emit_remark

_MAX_ITEMS = 4096
"""The most work-items of a group that is checked."""

_MODEL_SCALE = 8
"""The approximate size of a dimension of a group if no width is given."""

_MAX_STEPS = 5_000
"""The most operations that are executed for one choice of parameters, about 10 ms."""


@dataclass(frozen=True)
class PolyVerifyPass(ModulePass):
    """Check the claims of subkernels by brute force, for random groups of work-items.

    The module is not changed. For each subkernel, `samples` times, values are chosen for the
    parameters within the context and the assumptions: small values and values at the border, every
    other time such that some codelets have work-items and some are empty. The checks are:

    - each work-item of the domain is in one codelet, and codelets have no other work-items;
    - all lanes of a tile exist;
    - `mem = cons`: each access that is consecutive anywhere accesses neighbouring elements on
      neighbouring lanes;
    - `ctl = uniform`: all lanes of a tile take the same branches and run the same iterations;
    - a work-item that is not in the domain writes nothing.

    For each kernel, split or not, the model is checked, too: the work-items and iterations for
    which an access runs, its index, and the dimensions along which the next work-item accesses the
    next element or the same one.

    The behaviour of a work-item is found by executing it on numbers, without isl. The content of
    memory is invented. For each group, tiles are checked in random order until 5000 operations were
    executed; a remark has the amount of checks.

    Raises:
        PolyclError: with its location: the first claim that does not hold, with the work-item and
            the parameters.
    """

    name = "poly-verify"

    samples: int = 100
    seed: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [kernel for kernel in op.walk() if isinstance(kernel, KernelOp)]:
            all_items(kernel)  # raises an error if the size of a group is not an operand
            for subkernel in kernel.body.block.ops:
                if isinstance(subkernel, SubkernelOp):
                    self._verify(kernel, subkernel)
            self._verify_model(kernel)

    def _verify_model(self, kernel: KernelOp) -> None:
        """Check the model of the accesses, along all dimensions."""
        random = Random(f"{self.seed} {kernel.sym_name.data}")
        codelets = [op for op in kernel.walk() if isinstance(op, CodeletOp)]
        claims = Claims(kernel, codelets[0].body if codelets else kernel.body)

        def check(number: int, checked: Checked) -> None:
            parameters = _parameters(kernel, kernel.known, _MODEL_SCALE, random)
            if parameters is not None:
                BruteForceModel(claims, parameters, checked).check(random, _MAX_STEPS)

        checked = self._sampled(check)
        self._tell(kernel, kernel.sym_name.data, checked, f"{checked.accesses} accesses")

    def _verify(self, kernel: KernelOp, subkernel: SubkernelOp) -> None:
        random = Random(f"{self.seed} {kernel.sym_name.data} {subkernel.sym_name.data}")
        claims = {
            codelet: consecutive_somewhere(kernel, codelet)
            for codelet in subkernel.codelets
            if codelet.class_.mem.data == "cons" and codelet.lanes.value.data > 1
        }
        present = [codelet.domain.isl.params() for codelet in subkernel.codelets]

        def check(number: int, checked: Checked) -> None:
            known = kernel.known if number % 2 else _chosen(kernel.known, present, random)
            parameters = _parameters(kernel, known, subkernel.width.value.data, random)
            if parameters is not None:
                brute = BruteForce(kernel, subkernel, parameters, claims, checked)
                brute.check(random, _MAX_STEPS)

        checked = self._sampled(check)
        found = f"{checked.tiles} tiles, {checked.accesses} pairs of accesses"
        self._tell(subkernel, subkernel.sym_name.data, checked, found)

    def _sampled(self, check: Callable[[int, Checked], None]) -> Checked:
        checked = Checked()
        for number in range(self.samples):
            try:
                check(number, checked)
            except ClaimViolated as violation:
                raise error_at(violation.op, str(violation)) from None
            except CannotExecute as reason:
                # Other parameters may be executable, for example if a loop ends earlier.
                checked.left_out = str(reason)
        return checked

    def _tell(self, op: Operation, name: str, checked: Checked, found: str) -> None:
        left_out = f"; some could not be executed: {checked.left_out}" if checked.left_out else ""
        emit_remark(
            op,
            self.name,
            f"@{name}: checked {checked.samples} groups, {checked.items} work-items, {found}"
            + left_out,
        )


def _chosen(known: isl.Set, present: Sequence[isl.Set], random: Random) -> isl.Set:
    """Requires that random codelets have work-items and others are empty, as far as possible.

    `present` has the parameters for which each codelet is not empty.
    """
    for where in present:
        choice = random.choice(("some", "none", "any"))
        if choice == "any":
            continue
        rest = known.intersect(where) if choice == "some" else known.subtract(where)
        known = known if rest.is_empty() else rest
    return known


def _parameters(
    kernel: KernelOp, known: isl.Set, width: int, random: Random
) -> dict[str, int] | None:
    """The parameters of a group that is not too large; None if none were found."""
    names = names_of(kernel.params)
    fixed: dict[str, int] = {}
    roots: dict[SSAValue, str] = {}
    for name, operand in zip(names, kernel.arguments, strict=True):
        constant = constant_value(operand)
        if constant is not None:
            fixed[name] = constant
        first = roots.setdefault(_root(operand), name)
        if first != name:
            # A number that is read as signed and as unsigned is two parameters.
            same = f"[{first}, {name}] -> {{ : {first} = {name} }}"
            known = known.intersect(isl.Set.read_from_str(known.get_ctx(), same))
    for scales in ((2, width, max(3 * width, *fixed.values(), 0)), (1,)):
        found = sample(known, names, fixed, scales, random)
        if found is not None and 0 < prod(group_size(kernel, found)) <= _MAX_ITEMS:
            return found
    return None


def _root(value: SSAValue) -> SSAValue:
    """The value that a value extends."""
    while isinstance(value.owner, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
        value = value.owner.input
    return value
