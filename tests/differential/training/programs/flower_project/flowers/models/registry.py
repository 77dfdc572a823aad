_MODELS = {}


def register(fn):
    _MODELS[fn.__name__] = fn
    return fn


def list_models():
    return sorted(_MODELS)


def build_model(name, **kwargs):
    if name not in _MODELS:
        raise KeyError(f"unknown model {name}: choose from {list_models()}")
    return _MODELS[name](**kwargs)
