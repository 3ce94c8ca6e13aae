"""Our data classes against those of the standard module."""

import copy
import dataclasses
import inspect
import pickle

import pytest

from gomoku_brain.dataclass import dataclass, replace


def classes(dataclass):
    """A base class, a class without slots, and one whose objects differ."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Base:
        """Figures."""

        depth: int
        time: float = 0.5

        def __post_init__(self):
            object.__setattr__(self, "depth", abs(self.depth))

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Line(Base):
        depth: int = 3
        moves: tuple[str, ...]

    @dataclass(frozen=True)
    class Plain:
        x: int
        y: "int | None" = None

    @dataclass(frozen=True, slots=True, eq=False)
    class Tree:
        move: str

    return Base, Line, Plain, Tree


OURS, STANDARD = classes(dataclass), classes(dataclasses.dataclass)
VALUES = [{"depth": -2}, {"moves": ("a", "b")}, {"x": 1}, {"move": "h8"}]
Base, Line, Plain, Tree = OURS  # where pickle finds them
for kind in OURS:
    kind.__qualname__ = kind.__name__


@pytest.mark.parametrize("number", range(4))
def test_a_class_is_that_of_the_standard_module(number):
    ours, other, values = OURS[number], STANDARD[number], VALUES[number]
    assert inspect.signature(ours) == inspect.signature(other)
    assert ours.__doc__ is None or ours.__doc__ == other.__doc__
    assert ours.__match_args__ == other.__match_args__
    assert dataclasses.fields(ours) == dataclasses.fields(ours), "made once"
    assert str(dataclasses.fields(ours)) == str(dataclasses.fields(other))
    record, twin = ours(**values), other(**values)
    assert repr(record) == repr(twin).rpartition("<locals>.")[2]
    assert dataclasses.asdict(record) == dataclasses.asdict(twin)
    assert hasattr(record, "__dict__") == hasattr(twin, "__dict__")
    assert (record == ours(**values)) == (twin == other(**values))
    assert record != twin
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        ours(**values, z=1)


@pytest.mark.parametrize("number", range(3))
def test_a_record_is_copied_with_its_values_and_never_changed(number):
    record = OURS[number](**VALUES[number])
    name = next(iter(VALUES[number]))
    for again in (copy.copy(record), copy.deepcopy(record), replace(record)):
        assert again == record
        assert hash(again) == hash(record)
    assert pickle.loads(pickle.dumps(record)) == record
    assert getattr(replace(record, **{name: 7 if name != "moves" else ()}), name) in (
        7,
        (),
    )
    assert dataclasses.replace(record) == record
    for change in (lambda: setattr(record, name, 1), lambda: delattr(record, name)):
        with pytest.raises(dataclasses.FrozenInstanceError, match=name):
            change()
