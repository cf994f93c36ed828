from ipaddress import ip_network

import pytest

from terminal.web.addresses import Rates, source_of

PROXIES = (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "source"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),  # anybody can say that
        ("127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("127.0.0.1", ["6.6.6.6, 203.0.113.9", "10.1.2.3"], "203.0.113.9"),
        ("127.0.0.1", ["203.0.113.9, unknown"], "127.0.0.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("::ffff:127.0.0.1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::"),
        ("", ["203.0.113.9"], ""),
    ],
)
def test_who_asks_is_believed_of_our_own_web_servers_alone(peer: str, forwarded: list[str], source: str) -> None:
    assert source_of(peer, forwarded, PROXIES) == source


def test_each_source_has_its_own_rate() -> None:
    rates = Rates(rate=0.0, burst=2)
    assert [rates.allow("a"), rates.allow("a"), rates.allow("a"), rates.allow("b")] == [True, True, False, True]


def test_who_was_not_seen_for_longest_is_forgotten_when_there_are_too_many() -> None:
    rates = Rates(rate=0.0, burst=1)
    assert rates.allow("first")
    assert rates.allow("second")
    assert not rates.allow("first")
    others = [f"one of {number}" for number in range(9_999)]
    assert all(map(rates.allow, others))
    assert [rates.allow(others[-1]), rates.allow("first"), rates.allow("second")] == [False, False, True]
