"""What a test of CUDA-only code on fake tensors needs."""

import pytest

from bench.fake import can_fake_cuda

needs_fake_cuda = pytest.mark.skipif(
    not can_fake_cuda(),
    reason="this PyTorch needs a GPU even for fake CUDA tensors; newer ones do not",
)
