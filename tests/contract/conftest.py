"""So that the contract's assertions tell what they found."""

import pytest

pytest.register_assert_rewrite("tests.contract.json_contract")
