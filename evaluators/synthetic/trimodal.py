"""The additive trimodal functions of Add-GP-UCB.

Notation, as in Kandasamy et al. 2015: D parameters, groups of size d', M' groups, f_d' the function of one
group, v_1 to v_3 its modes, h its width.
"""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import EVERYWHERE, Box, FloatArray, Optimum, SyntheticFunction

_WEIGHTS = np.array([0.1, 0.1, 0.8])
_LEVELS = np.array([-0.6, 0.0, 0.6])


def trimodal(dimension: int, group_size: int, groups: int) -> SyntheticFunction:
    """The sum over M' random groups of f_d'(x) = log sum_k w_k N(x; v_k, h I), on [-1, 1]^D.

    Eq. 7 of Kandasamy et al. 2015, with the minus sign its exponents lack. The box, which the paper does
    not name, is the one of the authors' program, and h = 0.01 d'^0.1 is, as there, the *variance* of the
    Gaussian bumps (a standard deviation of about 0.1): as a standard deviation it would leave three
    needles in a plain. The constant of the density makes no difference to regrets.

    The paper's fixed modes are not printed. Here each coordinate has the levels -0.6, 0 and 0.6 in a
    random order, moved by up to 0.2, from a stream that depends on (D, d', M') alone. Parameters that no
    group holds, where D > d' M', form a last factor whose value is always zero.
    """
    if min(dimension, group_size, groups) < 1 or group_size * groups > dimension:
        raise ValueError(f"expected D >= d' M' >= 1, got D = {dimension}, d' = {group_size}, M' = {groups}")
    # Only uniform doubles are drawn: of numpy's streams they are the ones that do not change.
    rng = np.random.default_rng(np.random.SeedSequence([dimension, group_size, groups]))
    order = np.argsort(rng.random(dimension), kind="stable")
    members = order[: group_size * groups].reshape(groups, group_size)
    idle = np.sort(order[group_size * groups :])
    modes = _LEVELS[np.argsort(rng.random((group_size, 3)), axis=1)].T
    modes = modes + 0.4 * (rng.random((3, group_size)) - 0.5)
    variance = 0.01 * group_size**0.1
    constant = -0.5 * group_size * np.log(2.0 * np.pi * variance)

    def log_bumps(group_points: FloatArray) -> FloatArray:
        distances = ((group_points[..., np.newaxis, :] - modes) ** 2).sum(axis=-1)
        bumps: FloatArray = np.log(_WEIGHTS) - distances / (2.0 * variance)
        return bumps

    def terms(points: FloatArray) -> FloatArray:
        bumps = log_bumps(points[:, members])
        values: FloatArray = np.logaddexp.reduce(bumps, axis=-1) + constant
        return np.hstack([values, np.zeros((len(points), 1))]) if len(idle) else values

    # The highest mode is the fixed point of the mean of the centres, weighted by responsibility.
    best = modes[2]
    for _ in range(200):
        bumps = log_bumps(best)
        best = np.exp(bumps - np.logaddexp.reduce(bumps)) @ modes
    point = np.zeros(dimension)
    point[members] = best
    factors = tuple(tuple(sorted(int(i) for i in group)) for group in members)
    return SyntheticFunction(
        name=f"trimodal-{dimension}-{group_size}-{groups}",
        box=Box.cube(-1.0, 1.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(float(terms(point[np.newaxis]).sum()), point),
        terms=terms,
        factors=(*factors, tuple(int(i) for i in idle)) if len(idle) else factors,
    )
