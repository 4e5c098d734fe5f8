"""Programs of the user's own find the environment that the user has."""

from __future__ import annotations

import pytest

from core.host.installed_programs import OUTER_PYTHONPATH, users_environment


@pytest.mark.parametrize(
    ("ours", "users"),
    [
        ({"A": "b", "PYTHONPATH": "/x"}, {"A": "b", "PYTHONPATH": "/x"}),
        ({"PYTHONPATH": "/sluice", OUTER_PYTHONPATH: "/x"}, {"PYTHONPATH": "/x"}),
        ({"PYTHONPATH": "/sluice", OUTER_PYTHONPATH: ""}, {}),
        ({"LD_LIBRARY_PATH": "/p", "LD_LIBRARY_PATH_ORIG": "/x"}, {"LD_LIBRARY_PATH": "/x"}),
        ({"LD_LIBRARY_PATH": "/p", "LD_LIBRARY_PATH_ORIG": ""}, {}),
    ],
)
def test_that_what_sluice_has_changed_is_put_back(
    ours: dict[str, str], users: dict[str, str]
) -> None:
    assert users_environment(ours) == users
