"""Values that stand in for what a branch or loop computed, so that its influence on the outputs shows.

There are two for every type: whatever the undisturbed value was, it differs from at least one of them. They are
finite, since NaN times 0 is NaN and proves nothing. One is large and one negative (or zero), so that clipping, clamping
an index or taking a maximum cannot hide both. No choice keeps a loop that waits for such a value from running on:
`disturb` does.
"""

from __future__ import annotations

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from autograder.program.module import Value
from autograder.wire import raised

_FLOATS = (12345.5, -77.25)
_NARROW_FLOATS = (5.0, -3.0)
_INTEGERS = (101, -77)
_UNSIGNED = (101, 0)
_NARROW_INTEGERS = (1, 0)


def sentinel(kind: ir.Type, variant: int) -> Value:
    """Makes the constant that stands in for any value of a type, at the current insertion point.

    Args:
        kind: Type of an array.
        variant: 0 or 1.
    """
    if not isinstance(kind, ir.RankedTensorType):
        raise raised("refused", detail=f"{kind} is no array.")
    element = kind.element_type
    if isinstance(element, ir.ComplexType):
        part = ir.RankedTensorType.get(kind.shape, element.element_type)
        return stablehlo.complex(_splat(part, variant), _splat(part, 1 - variant))
    return _splat(kind, variant)


def _splat(kind: ir.RankedTensorType, variant: int) -> Value:
    return stablehlo.constant(ir.DenseElementsAttr.get_splat(kind, _scalar(kind.element_type, variant)))


def _scalar(element: ir.Type, variant: int) -> ir.Attribute:
    if isinstance(element, ir.IntegerType):
        if element.width < 8:
            return ir.IntegerAttr.get(element, _NARROW_INTEGERS[variant])
        return ir.IntegerAttr.get(element, (_UNSIGNED if element.is_unsigned else _INTEGERS)[variant])
    if isinstance(element, ir.FloatType):
        return ir.FloatAttr.get(element, (_FLOATS if element.width >= 16 else _NARROW_FLOATS)[variant])
    raise raised("refused", detail=f"{element} cannot be disturbed.")
