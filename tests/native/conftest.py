"""Tests of the native interpreter use the programs that the other tests wrote by hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
