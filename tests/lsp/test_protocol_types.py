"""Classes of the protocol that are completed when they are used are what they are when completed at once."""

import subprocess
import sys

_DESCRIBE = """
import attrs
from lsprotocol import types
for name, cls in sorted(types.ALL_TYPES_MAP.items()):
    if isinstance(cls, type) and attrs.has(cls):
        print(name, [(f.name, str(f.type), repr(f.default), f.alias) for f in attrs.fields(cls)])
        print([name for name in ("__eq__", "__repr__", "__hash__", "__lt__") if name in vars(cls)])
"""
_AT_ONCE = "from lsprotocol import converters\nconverters.get_converter()\n"
_LATER = """
from mindport.lsp.protocol_types import load_protocol_types
load_protocol_types()
load_protocol_types()
"""
_IN_THREADS = """
import sys, threading
from lsprotocol import converters, types
sys.setswitchinterval(1e-6)
converter = converters.get_converter()
diagnostic = {"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}}, "message": "m"}
made = []
threads = [
    threading.Thread(target=lambda: made.append(converter.structure(diagnostic, types.Diagnostic)))
    for _ in range(8)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(made) == 8 and all(each == made[0] for each in made), made
assert converter.unstructure(made[0]) == diagnostic, converter.unstructure(made[0])
"""
_AS_CLASSES = """
from lsprotocol import types
first = types.Position(1, 2)
assert first == types.Position(line=1, character=2) and first < types.Position(2, 0)
assert repr(first) == "1:2"
try:
    types.Position(-1, 0)
except ValueError:
    pass
else:
    raise AssertionError("validators are not called")
class Own(types.Location):
    pass
own = Own("file:///a", types.Range(first, first))
assert isinstance(own, types.Location) and own.uri == "file:///a"
"""
_HOW_MANY = """
from lsprotocol import types
classes = [cls for cls in types.ALL_TYPES_MAP.values() if isinstance(cls, type)]
print(sum("__repr__" in vars(cls) for cls in classes))
"""


def _run(*programs: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "".join(programs)], check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_fields_and_methods_are_the_same():
    described = _run(_LATER, _DESCRIBE)
    assert described == _run(_AT_ONCE, _DESCRIBE)
    assert described.count("\n") > 1_000


def test_several_threads_may_use_a_class_first():
    _run(_LATER, _IN_THREADS)


def test_objects_behave_as_always():
    _run(_AT_ONCE, _AS_CLASSES)
    _run(_LATER, _AS_CLASSES)


def test_a_converter_completes_few():
    assert int(_run(_LATER, _AT_ONCE, _HOW_MANY)) < int(_run(_AT_ONCE, _HOW_MANY)) / 5
