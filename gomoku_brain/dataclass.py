"""``dataclass`` and ``replace`` without the imports of the standard module.

Those imports would take a quarter of the start of an engine. All objects are immutable.
The functions of ``dataclasses`` take them as those of the standard decorator.
"""

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
    from typing import Any, Self

__all__ = ["dataclass", "replace"]


class _Standard:
    """Attribute that the functions of ``dataclasses`` read, made at the first use."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, record: object, cls: "type[_Record]") -> object:
        if self._name != "__signature__":
            return getattr(_twin(cls), self._name)
        if cls.__init__ is not _Record.__init__:
            raise AttributeError(self._name)  # a subclass has its own
        import inspect

        return inspect.signature(_twin(cls))


class _Record:
    """Base of the classes: equal by their values, which never change."""

    __slots__ = ()
    _types = dict[str, object]()  # noqa: RUF012  of the fields, in their order
    _defaults = dict[str, object]()  # noqa: RUF012
    __match_args__ = ()
    __dataclass_fields__ = _Standard()
    __dataclass_params__ = _Standard()
    __signature__ = _Standard()

    def __init__(self, *args: object, **given: object) -> None:
        named = dict(zip(self.__match_args__, args, strict=False)) | given
        values = self._defaults | named
        if len(named) < len(args) + len(given) or values.keys() != self._types.keys():
            _twin(type(self))(*args, **given)  # raises TypeError
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check the values, and convert them to one form."""

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
        return {name: getattr(self, name) for name in self._types}

    def _refuse(self, action: str, name: str) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot {action} field {name!r}")


_twins = dict[type, "Any"]()


def _twin(cls: type[_Record]) -> "Any":  # noqa: ANN401
    """Return the same class as the standard module makes it."""
    if cls not in _twins:
        import dataclasses

        fields = [
            (name, kind, dataclasses.field(default=cls._defaults[name]))
            if name in cls._defaults
            else (name, kind)
            for name, kind in cls._types.items()
        ]
        _twins[cls] = dataclasses.make_dataclass(
            cls.__qualname__, fields, frozen=True, kw_only=not cls.__match_args__
        )
    return _twins[cls]


if not TYPE_CHECKING:
    replace = _Record.__replace__

    def dataclass(
        *, frozen: bool, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> object:
        """Return a decorator, as ``dataclasses.dataclass``; ``frozen`` is true."""

        def decorate(cls: type) -> type:
            own, given = cls.__annotations__, dict(vars(cls))
            bases = cls.__bases__ if issubclass(cls, _Record) else (_Record,)
            (base,) = bases
            given["_types"] = base._types | own
            given["_defaults"] = base._defaults | {
                name: given[name] for name in own if name in given
            }
            given["__match_args__"] = () if kw_only else tuple(given["_types"])
            if not eq:
                given |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
            if slots:
                given["__slots__"] = tuple([n for n in own if n not in base._types])
            for name in ("__dict__", "__weakref__", *(own if slots else ())):
                given.pop(name, None)
            return type(cls.__name__, bases, given)

        return decorate
