"""The LLVM printer: a flat program as LLVM text, compiled by llvmlite, which plays whole games by itself."""
