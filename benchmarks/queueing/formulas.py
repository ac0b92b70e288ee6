"""Waiting times in closed form, for queues that are simple enough. The simulation is tested against them."""

from math import factorial, log


def utilisation(rate: float, service_s: float, servers: int = 1) -> float:
    """The share of the servers' time that is used. rate: arrivals a second.

    >>> utilisation(1_000, 0.0006)
    0.6
    """
    return rate * service_s / servers


def pollaczek_khinchine(rate: float, service_s: float, variation: float) -> float:
    """The mean wait in M/G/1. variation: the standard deviation of the service time by its mean: M/D/1 0, M/M/1 1.

    >>> round(pollaczek_khinchine(1_000, 0.0008, 0), 6), round(pollaczek_khinchine(1_000, 0.0008, 1), 6)
    (0.0016, 0.0032)
    """
    used = utilisation(rate, service_s)
    return used * service_s * (1 + variation**2) / (2 * (1 - used))


def mm1_quantile(rate: float, service_s: float, share: float) -> float:
    """The time in M/M/1, wait and service, that this share of the arrivals stays below.

    >>> round(mm1_quantile(900, 0.001, 0.99), 4)
    0.0461
    """
    return -log(1 - share) * service_s / (1 - utilisation(rate, service_s))


def erlang_c(rate: float, service_s: float, servers: int) -> float:
    """The mean wait in M/M/c (A. K. Erlang, 1917).

    >>> round(erlang_c(1_000, 0.0008, 1), 6), round(erlang_c(2_000, 0.0008, 2), 6)
    (0.0032, 0.001422)
    """
    load, used = rate * service_s, utilisation(rate, service_s, servers)
    full = load**servers / factorial(servers) / (1 - used)
    waits = full / (full + sum(load**some / factorial(some) for some in range(servers)))
    return waits * service_s / (servers * (1 - used))
