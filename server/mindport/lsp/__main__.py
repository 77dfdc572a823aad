"""`python -m mindport.lsp`: the server over standard streams."""

from __future__ import annotations

import sys

from mindport.lsp.server import serve_stdio

sys.exit(serve_stdio())
