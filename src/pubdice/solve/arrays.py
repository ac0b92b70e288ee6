"""The type of the arrays that solvers hand on."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
