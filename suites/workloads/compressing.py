"""Making a trained model smaller by pruning and by int8 weights, and how much of the model that reached."""

from __future__ import annotations

import copy

import torch
from torch import nn
from torch.nn.utils import prune


def pruned(model: nn.Module, percent: int, layers: tuple[type[nn.Module], ...], for_good: bool = True) -> nn.Module:
    """A copy without the ``percent`` % smallest weights of such layers; the masks stay on it unless ``for_good``."""
    model = copy.deepcopy(model)
    weights = [(m, "weight") for m in model.modules() if isinstance(m, layers)]
    prune.global_unstructured(weights, pruning_method=prune.L1Unstructured, amount=percent / 100)
    for module, name in weights if for_good else []:
        prune.remove(module, name)
    return model


def share_of_zeros(model: nn.Module, layers: tuple[type[nn.Module], ...]) -> float:
    """How many of such layers' weights are 0 in use, masked or for good."""
    weights = [m.weight.detach().reshape(-1) for m in model.modules() if isinstance(m, layers)]
    return float((torch.cat(weights) == 0).float().mean()) if weights else 0.0


def quantized(model: nn.Module) -> nn.Module:
    """A copy whose Linear layers have int8 weights, as the field guide quantizes them."""
    return torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)


def quantized_today(model: nn.Module) -> nn.Module:
    """A copy whose Linear layers have int8 weights, in the way that PyTorch points to now; not compiled."""
    from torchao.quantization import Int8DynamicActivationInt8WeightConfig, quantize_  # an extra: Needs("torchao")

    model = copy.deepcopy(model)
    quantize_(model, Int8DynamicActivationInt8WeightConfig(set_inductor_config=False))
    return model


def share_in_int8(before: nn.Module, after: nn.Module) -> float:
    """How many of a model's numbers its quantized copy holds in int8: all that are no parameters in float any more."""
    floats = sum(p.numel() for p in after.parameters() if type(p.data) is torch.Tensor)
    return 1 - floats / sum(p.numel() for p in before.parameters())
