"""``dataclass`` and ``replace`` without the imports of the standard module.

Those imports would take a quarter of the start of an engine. All objects are immutable.
The functions of ``dataclasses`` take them as those of the standard decorator.
"""

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
    from typing import Any, ClassVar, Self

__all__ = ["dataclass", "replace"]


class _Standard:
    """Attribute that the functions of ``dataclasses`` read, made at the first use."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, record: object, cls: "type[_Record]") -> object:
        import dataclasses

        fields = [
            (name, kind, dataclasses.field(**dict(zip(("default",), default))))  # noqa: B905  none or one
            for name, (kind, *default) in cls._fields.items()
        ]
        twin = dataclasses.make_dataclass(
            cls.__name__, fields, frozen=True, kw_only=not cls.__match_args__
        )
        setattr(cls, self._name, getattr(twin, self._name))
        return getattr(twin, self._name)


class _Record:
    """Base of the classes: equal by their values, which never change."""

    __slots__ = ()
    _fields: "ClassVar[dict[str, tuple[Any, ...]]]"  # type, and a default if any
    __match_args__: "ClassVar[tuple[str, ...]]" = ()

    def __repr__(self) -> str:
        shown = ", ".join([f"{k}={value!r}" for k, value in self._values().items()])
        return f"{type(self).__qualname__}({shown})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Record) or type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(tuple(self._values().values()))

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse("assign to", name)

    def __delattr__(self, name: str) -> None:
        self._refuse("delete", name)

    def __setstate__(self, state: "Any") -> None:  # noqa: ANN401  of copy and pickle
        for part in state if isinstance(state, tuple) else (state,):
            for name, value in (part or {}).items():
                object.__setattr__(self, name, value)

    def __replace__(self, /, **changes: object) -> "Self":
        return type(self)(**self._values() | changes)

    def _values(self) -> "dict[str, Any]":
        return {name: getattr(self, name) for name in self._fields}

    def _refuse(self, action: str, name: str) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot {action} field {name!r}")


if not TYPE_CHECKING:
    replace = _Record.__replace__

    def dataclass(
        *, frozen: bool, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> object:
        """Return a decorator, as ``dataclasses.dataclass``; ``frozen`` is true."""

        def decorate(cls: type) -> type:
            own, base = cls.__annotations__, getattr(cls, "_fields", {})
            given = dict(vars(cls))
            fields = base | {
                n: (own[n], *([given[n]] if n in given else [])) for n in own
            }
            made = {
                "_fields": fields,
                "__init__": _initializer(cls, fields, kw_only),
                "__match_args__": () if kw_only else tuple(fields),
                "__dataclass_fields__": _Standard(),
                "__dataclass_params__": _Standard(),
            }
            if not eq:
                made |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
            if slots:
                made["__slots__"] = tuple([name for name in own if name not in base])
                given = {
                    name: value for name, value in given.items() if name not in own
                }
            for name in ("__dict__", "__weakref__"):
                given.pop(name, None)
            bases = cls.__bases__ if base else (_Record,)
            return type(cls.__name__, bases, given | made)

        return decorate


def _initializer(
    cls: type, fields: dict[str, tuple[object, ...]], kw_only: bool
) -> object:
    """Return the ``__init__`` of a class with these fields."""
    space: dict[str, Any] = {"_set": object.__setattr__}
    words = ["self", "*"] if kw_only else ["self"]
    lines = []
    for name, (_, *default) in fields.items():
        words.append(f"{name}=_{name}" if default else name)
        space |= {f"_{name}": value for value in default}
        lines.append(f"\n _set(self, {name!r}, {name})")
    if hasattr(cls, "__post_init__"):
        lines.append("\n self.__post_init__()")
    exec(f"def __init__({', '.join(words)}):{''.join(lines)}", space)
    initializer = space["__init__"]
    initializer.__qualname__ = f"{cls.__qualname__}.__init__"
    initializer.__annotations__ = {n: kind for n, (kind, *_) in fields.items()}
    initializer.__annotations__["return"] = None
    return initializer
