"""Checks the model's claims about accesses work-item by work-item, for given parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from random import Random

import islpy as isl
import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Region

from polycl.analysis.poly.brute_force import Checked, ClaimViolated, Item, group_size, moved
from polycl.analysis.poly.concrete import Access as Accessed
from polycl.analysis.poly.concrete import Launch, execute
from polycl.analysis.poly.model import Access, model_of
from polycl.analysis.poly.points import contains, evaluate
from polycl.analysis.poly.predicates import consecutive, uniform
from polycl.dialects.poly import KernelOp

Point = tuple[int, ...]
"""The ids of a work-item and the iterations of the loops around an access."""


@dataclass
class Claims:
    """The model's claims about the accesses of a body."""

    kernel: KernelOp
    body: Region

    @cached_property
    def of_accesses(self) -> list[tuple[Access, list[tuple[str, int, isl.Set, bool]]]]:
        """For each access: along each dimension, where it grows by 1 and by 0 elements."""
        model = model_of(self.kernel, self.body)
        found: list[tuple[Access, list[tuple[str, int, isl.Set, bool]]]] = []
        for access in model.accesses:
            steps: list[tuple[str, int, isl.Set, bool]] = []
            for place, name in enumerate(model.names):
                dimension = model.place_of(place)
                for by, predicate in ((1, consecutive), (0, uniform)):
                    where, is_exact = predicate(model, access, dimension)
                    steps.append((name, by, where, is_exact))
            found.append((access, steps))
        return found


@dataclass
class BruteForceModel:
    """The check of the model's claims for given parameters."""

    claims: Claims
    parameters: Mapping[str, int]
    checked: Checked

    def check(self, random: Random, max_steps: int) -> None:
        """Execute work-items in random order, up to `max_steps` operations, and compare.

        Raises:
            ClaimViolated: for the first claim that does not hold.
            CannotExecute: the code of a work-item has an unsupported operation.
        """
        kernel = self.claims.kernel
        launch = Launch(kernel, self.parameters, self.checked.samples)
        items: list[Item] = list(product(*map(range, group_size(kernel, self.parameters))))
        random.shuffle(items)
        executed: list[Item] = []
        accesses: dict[object, dict[Point, Accessed]] = {}
        last = self.checked.steps + max_steps
        for item in items:
            if self.checked.steps > last:
                break
            trace = execute(launch, self.claims.body, item)
            self.checked.steps += trace.steps
            executed.append(item)
            for (op, iterations), accessed in trace.accesses.items():
                accesses.setdefault(op, {})[*item, *iterations] = accessed
        self.checked.samples += 1
        self.checked.items += len(executed)
        for access, steps in self.claims.of_accesses:
            found = accesses.get(access.op, {})
            names = _names(access.domain)
            if any(len(point) != len(names) for point in found):
                # In a `scf.while`, whose iterations the model does not count.
                continue
            self.checked.accesses += len(found)
            self._check_domain(access, executed, found)
            if found:
                self._check_index(access, found)
                for place, claim in enumerate(steps):
                    self._check_step(access, place // 2, claim, found)

    def _contained(self, found: isl.Set, points: NDArray[np.int64]) -> NDArray[np.bool_]:
        at = {**self.parameters, **dict(zip(_names(found), points.T, strict=True))}
        return np.array(np.broadcast_to(contains(found, at), len(points)))

    def _check_domain(
        self, access: Access, items: list[Item], found: Mapping[Point, Accessed]
    ) -> None:
        points = _array(access, found)
        inside = self._contained(access.domain, points)
        self._refuse(access, ~inside, points, f"executes, but is not in {access.domain}")
        if not access.is_exact:
            return
        counters = points.shape[1] - len(items[0])
        most = points.max(axis=0)[-counters:] if len(points) and counters else [0] * counters
        counts = [range(-1, int(count) + 3) for count in most]
        all_points = np.array([(*item, *count) for item in items for count in product(*counts)])
        claimed = self._contained(access.domain, all_points)
        missing = np.array([tuple(point) not in found for point in all_points.tolist()])
        self._refuse(
            access, claimed & missing, all_points, f"does not execute, but is in {access.domain}"
        )

    def _check_index(self, access: Access, found: Mapping[Point, Accessed]) -> None:
        if access.index is None:
            return
        points = _array(access, found)
        at = {**self.parameters, **dict(zip(_names(access.domain), points.T, strict=True))}
        claimed = np.zeros(len(points), np.int64)
        known = np.ones(len(points), bool)  # an index may be known for some work-items only
        for monomial, coefficient in access.index.terms.items():
            value, where = evaluate(coefficient, at)
            claimed = claimed + value * prod(self.parameters[name] for name in monomial)
            known &= where
        true = np.array([place.offset // size for place, size in found.values()])
        wrong = known & (claimed != true)
        if wrong.any():
            first = int(np.argmax(wrong))
            message = f"accesses element {true[first]}, but the model claims {claimed[first]}"
            self._refuse(access, wrong, points, message)

    def _check_step(
        self,
        access: Access,
        position: int,
        claim: tuple[str, int, isl.Set, bool],
        found: Mapping[Point, Accessed],
    ) -> None:
        """Checks where the next work-item accesses the next element or the same one."""
        name, by, where, is_exact = claim
        pairs = [
            (point, found[point], found[other])
            for point in found
            if (other := moved(point, position, 1)) in found
        ]
        if not pairs:
            return
        points = np.array([point for point, _, _ in pairs])
        claimed = self._contained(where, points)
        true = np.array(
            [
                b.place.array == a.place.array and b.place.offset - a.place.offset == by * a.size
                for _, a, b in pairs
            ]
        )
        what = "the next element" if by else "the same element"
        next_item = f"the next work-item along {name} accesses"
        self._refuse(
            access,
            claimed & ~true,
            points,
            f"{next_item} another element than {what}, which {where} has",
        )
        if is_exact:
            self._refuse(
                access, true & ~claimed, points, f"{next_item} {what}, but {where} lacks it"
            )

    def _refuse(
        self, access: Access, wrong: NDArray[np.bool_], points: NDArray[np.int64], message: str
    ) -> None:
        if not wrong.any():
            return
        point = points[int(np.argmax(wrong))].tolist()
        where = zip(_names(access.domain), point, strict=True)
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        raise ClaimViolated(
            access.op,
            f"kernel @{self.claims.kernel.sym_name.data}: the {access.direction} of "
            f"@{access.array} at ({', '.join(f'{n} = {i}' for n, i in where)}): {message}; "
            f"with {values}",
        )


def _names(found: isl.Set) -> list[str]:
    count = found.dim(isl.dim_type.set)
    return [found.get_dim_name(isl.dim_type.set, place) or "" for place in range(count)]


def _array(access: Access, found: Mapping[Point, Accessed]) -> NDArray[np.int64]:
    count = access.domain.dim(isl.dim_type.set)
    return np.array(list(found), np.int64).reshape(len(found), count)
