"""Saving a model's state_dict is said to be better than saving the model, whose file fails once its class changes.

The anti-pattern saves the whole module, the recommended arm its state_dict; both load the file again and run the model.
Between saving and loading the class has moved to another module, or stayed.

Theory: a pickled module holds only the name of its class, so it needs the class to be where it was. Loaded as the
document writes it, with torch.load's defaults, it fails on today's PyTorch wherever the class is: only tensors are
accepted. That is the point ``todays-default``; the others allow everything, as the document's PyTorch did.
"""

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Step, exactly, outcome, size, time
from suites.workloads.moving import Saving, class_today, saving
from suites.workloads.snippets import save_and_load_the_weights


def whole_module(s: Saving) -> Step:
    torch.save(s.model, s.path)
    class_today(s)
    return lambda: torch.load(s.path, weights_only=s.weights_only)(s.x)


def state_dict(s: Saving) -> Step:
    torch.save(s.model.state_dict(), s.path)
    kind = class_today(s)

    def step() -> Tensor:
        model = kind(s.x.shape[1]).to(s.x.device)
        model.load_state_dict(torch.load(s.path, weights_only=s.weights_only))
        found: Tensor = model(s.x)
        return found

    return step


PAIR = Pair(
    claims=("state-dict",),
    inputs=saving,
    anti_pattern=whole_module,
    recommended=state_dict,
    same=exactly,
    metrics=(outcome, size, time),
    axis=Axis("class", full=("moved",), outside=("stayed", "todays-default")),
    inputs_read="at set-up",
)
AS_WRITTEN = AsWritten(claim="state-dict", where="G 6.1", usage=save_and_load_the_weights)
