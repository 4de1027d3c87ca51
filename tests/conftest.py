"""Plain ``pytest`` leaves out the tests that start whole runs; ``pytest -m slow`` runs those, naming them does too."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: starts whole runs in processes of their own; run with -m slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    option = config.option
    if option.markexpr or option.keyword or option.file_or_dir:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]
