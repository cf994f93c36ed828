"""So that the contract's assertions tell what they found."""

import pytest

pytest.register_assert_rewrite(
    "tests.contract.replay_contract", "tests.contract.json_contract", "tests.contract.engine_contract"
)
