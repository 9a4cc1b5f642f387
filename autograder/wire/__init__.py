"""Values cross a process boundary as one JSON tree plus raw buffers, and are read back as hostile input.

`null`, `true`, a small integer, a finite float, a string and a list stand for themselves; everything else is an object
whose key `t` names its form:

| `t` | other keys | read as |
|---|---|---|
| `int`, `float` | `v`: hexadecimal digits; `nan`, `inf`, `-inf` | a Python number |
| `complex` | `items`: two floats | a Python number |
| `bytes` | `buffer` | bytes |
| `tuple` | `items` | tuple |
| `named` | `name`, `fields`, `items`: a named tuple, a dataclass, an attrs object | tuple |
| `dict` | `items`: pairs; keys are plain | dict |
| `array` | `dtype`, `shape`, `weak`, `kind`, `buffer` (C order, little endian) | see `decode` |
| `aval` | `dtype`, `shape` | `Aval` |
| `opaque` | `type`, `repr` | `Opaque` |

No form names a class to import or code to run, so reading one is only arithmetic.
"""

from autograder.wire.faultform import check_fault, fault_form
from autograder.wire.forms import CAPS, DTYPES, AsNumpy, Aval, Caps, Kind, Opaque, Tree, as_numpy
from autograder.wire.reading import decode
from autograder.wire.sentences import REASONS, raised
from autograder.wire.writing import bounded, clean, encode, fields_of

__all__ = [
    "CAPS",
    "DTYPES",
    "REASONS",
    "AsNumpy",
    "Aval",
    "Caps",
    "Kind",
    "Opaque",
    "Tree",
    "as_numpy",
    "bounded",
    "check_fault",
    "clean",
    "decode",
    "encode",
    "fault_form",
    "fields_of",
    "raised",
]
