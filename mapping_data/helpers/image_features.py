"""torchvision.models.feature_extraction: what the layers of a network give on the way."""

from collections import OrderedDict

import mindspore


def names_of_nodes(nodes):
    """Nodes with the names that they are given back by."""
    return {str(node): str(node) for node in nodes} if isinstance(nodes, list) else nodes


class FeatureExtractor(Module):
    """A network that gives what some of its layers give. It has the layers of another by the same names, also
    those behind the last that is asked for; these are computed in vain."""

    def __init__(self, model, nodes_by_mode):
        super().__init__()
        for name, layer in model.named_children():
            self.add_module(name, layer)
        self.__dict__["network"] = model
        self.nodes_by_mode = nodes_by_mode
        self.train(model.training)

    def train(self, mode=True):
        self.network.training = mode
        return super().train(mode)

    def construct(self, *args, **kwargs):
        nodes, given, calls, handles, last = self.nodes_by_mode[self.training], {}, {}, [], []

        def keep(name):
            def hook(layer, inputs, output):
                count = calls[name] = calls.get(name, 0) + 1
                # PyTorch calls what a layer gives when it is used again by its name and a number
                node = f"{name}_{count - 1}" if count > 1 and not list(layer.children()) else name
                if node in nodes:
                    given.pop(nodes[node], None)
                    given[nodes[node]] = output
                    if len(given) == len(nodes):
                        last[:] = as_they_are(given), default_generator.get_state()

            return hook

        wanted = {layer_of_node(self.network, node) for node in nodes}
        try:
            for name in wanted:
                handles.append(self.network.get_submodule(name).register_forward_hook(keep(name)))
            self.network(*args, **kwargs)
        finally:
            for handle in handles:
                handle.remove()
        found, state = last
        default_generator.set_state(state)  # what is computed in vain draws no random numbers
        return found


def as_they_are(given):
    """Copies of Tensors, which layers behind them may still change in place."""
    return OrderedDict(
        (name, value.copy() if isinstance(value, mindspore.Tensor) else value)
        for name, value in given.items()
    )


def layer_of_node(model, node):
    """The name of the layer that gives what a node is called by."""
    names = {name for name, _ in model.named_modules() if name}
    name = node if node in names else node.rpartition("_")[0]
    if name not in names:
        raise NotImplementedError(f"node: '{node}' is no layer of the model")
    return name


def create_feature_extractor(
    model,
    return_nodes=None,
    train_return_nodes=None,
    eval_return_nodes=None,
    tracer_kwargs=None,
    suppress_diff_warning=False,
    concrete_args=None,
):
    """torchvision.models.feature_extraction.create_feature_extractor: what is returned are layers; results of
    functions between them have no names here."""
    if return_nodes is None and train_return_nodes is None and eval_return_nodes is None:
        raise ValueError(
            "Either `return_nodes` or `train_return_nodes` and `eval_return_nodes` together, "
            "should be specified"
        )
    if (train_return_nodes is None) != (eval_return_nodes is None):
        raise ValueError(
            "If any of `train_return_nodes` and `eval_return_nodes` are specified, "
            "then both should be specified"
        )
    if return_nodes is not None and train_return_nodes is not None:
        raise ValueError(
            "If `train_return_nodes` and `eval_return_nodes` are specified, then both should be specified"
        )
    chosen = [return_nodes] * 2 if train_return_nodes is None else [eval_return_nodes, train_return_nodes]
    nodes_by_mode = dict(zip((False, True), map(names_of_nodes, chosen)))
    for nodes in nodes_by_mode.values():
        for node in nodes:
            layer_of_node(model, node)
    return FeatureExtractor(model, nodes_by_mode)
