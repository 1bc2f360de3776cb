"""The wireless network of Bardou et al. 2024, Section I.2, simulated by ns-3: twelve transmit powers.

Twelve access points stream to three stations each, all at the same time and on one channel of 20 MHz. More
power helps an access point's own stations and disturbs those of its neighbours. The objective (Eqs. 68 and
69) is the sum over the 36 stations of W log2(1 + SINR), in Mb/s, to be maximised; its twelve factors are the
sums of the access points, and each depends on at most five of the powers (`layout.factors`).

Deviations: the paper prints no positions; ours are in `layout.py`. How ns-3 is set up is ours as well: a
log-distance loss of exponent 3.5 that ends at 30 m, access points that do not hear one another, and the SINR
of each frame as the station's receiver saw it.
"""

from evaluators.wlan.network import network

__all__ = ["network"]
