"""Checkpoints, several processes (one here), what programs measure and log."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
FILES = "import io, os, tempfile\nimport torch as original\nfolder = tempfile.mkdtemp()\n"
C = "torch.cuda."
D = "torch.distributed."


def scripts(apis: str, *sources: str, **options: object) -> None:
    CASES.extend(script(apis, FILES + source, **options) for source in sources)


STATE = "{'model': {'w': x, 'i': y}, 'same': [x, x], 'epoch': 3, 'best': 0.5, 'names': ['a', ('b', None, True)], 'set': {1}, 'array': np.arange(3), 'number': np.float64(2), 'empty': x[:0]}"
scripts(
    "torch.save torch.load",
    f"f = io.BytesIO()\nsave({STATE}, f)\nf.seek(0)\nfound = load(f, weights_only=False)\nf.seek(0)\nresult = [found, original.load(f, weights_only=False)]",
    "path = os.path.join(folder, 'a.pt')\nsave({'x': x, 'half': x.astype(float16) if hasattr(x, 'astype') else x.half(), 'sizes': tuple(x.shape), 'dtype': float32}, path)\nfound = load(path, map_location='cpu')\nresult = [found, original.load(path)['x'], original.load(path)['half']]",
    "f = io.BytesIO()\noriginal.manual_seed(0)\nmodel = original.nn.Sequential(original.nn.Linear(2, 3), original.nn.BatchNorm1d(3))\noptimizer = original.optim.Adam(model.parameters())\nmodel(original.ones(4, 2)).sum().backward()\noptimizer.step()\n"
    "original.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict(), 'turned': original.arange(6).reshape(2, 3).t(), 'part': original.arange(9.)[2:5], 'kinds': [original.ones(2, dtype=d) for d in (original.bfloat16, original.half, original.double, original.int8, original.uint8, original.bool, original.int16, original.int32, original.complex64)], 'size': tuple(original.Size([1, 2])), 'scalar': original.tensor(2.5)}, f)\n"
    "f.seek(0)\nresult = load(f, map_location=lambda storage, place: storage)",
    "f = io.BytesIO()\noriginal.save({'w': original.arange(6.).reshape(2, 3).t(), 'other': [original.ones(3, dtype=original.int64), 'text']}, f, _use_new_zipfile_serialization=False)\nf.seek(0)\nresult = load(f)",
    "f = io.BytesIO()\noriginal.save({'p': original.nn.Parameter(original.ones(2))}, f)\nf.seek(0)\np = load(f)['p']\nresult = [type(p).__name__, p.detach() if hasattr(p, 'detach') else p]",
    "import argparse\nimport os\nf = io.BytesIO()\nsave({'args': argparse.Namespace(lr=0.1), 'x': x}, f)\nresult = []\nfor value in ('1', '0'):\n    os.environ['TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD'] = value\n    for options in ({}, {'weights_only': True}):\n        f.seek(0)\n        try:\n            result.append(load(f, **options)['args'].lr)\n        except Exception as error:\n            result.append(type(error).__name__)\ndel os.environ['TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD']",
    "import argparse\nf = io.BytesIO()\nsave({'args': argparse.Namespace(lr=0.1), 'x': x}, f)\nresult = []\nfor options in ({}, {'weights_only': True}, {'weights_only': False}):\n    f.seek(0)\n    try:\n        result.append(load(f, **options)['args'].lr)\n    except Exception as error:\n        result.append(type(error).__name__)",
    "class Evil:\n    def __reduce__(self):\n        return os.system, ('touch ' + os.path.join(folder, 'ran'),)\nf = io.BytesIO()\noriginal.save({'x': Evil()}, f)\nf.seek(0)\ntry:\n    load(f)\nexcept Exception as error:\n    result = [type(error).__name__, os.path.exists(os.path.join(folder, 'ran'))]",
    inputs={"x": "normal(3, 4)", "y": "integers((2, 2), 9)"},
)
scripts(
    "torch.save torch.load torch.nn.Linear torch.nn.Parameter",
    "net = Linear(3, 2)\nnet.bias.requires_grad = False\nf = io.BytesIO()\nsave({'layers': [net.weight, net.weight], 'bias': net.bias}, f)\n"
    "f.seek(0)\nfound = load(f, weights_only=False)\nf.seek(0)\ntheirs = original.load(f)\nfirst, second = found['layers']\n"
    "result = [first is second, type(first).__name__, first.requires_grad, found['bias'].requires_grad, [type(each).__name__ for each in theirs['layers']], theirs['bias'].requires_grad]",
    gradients=False,
)
scripts(
    "torch.save torch.load",
    "import copy, pickle\nx.requires_grad_(True)\nf = io.BytesIO()\nsave([x, x.detach()], f)\nf.seek(0)\n"
    "found = [*load(f), pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(x.detach())), copy.copy(x)]\n"
    "f.seek(0)\nresult = [each.requires_grad for each in [*found, *original.load(f)]]",
    inputs={"x": "normal(3)"},
    gradients=False,
)
G = "torch.serialization."
scripts(
    f"torch.save torch.load torch.nn.Linear {G}safe_globals {G}add_safe_globals {G}get_safe_globals {G}clear_safe_globals",
    "import argparse\nf = io.BytesIO()\nsave({'args': argparse.Namespace(lr=0.1), 'set': {1, 2}}, f)\nresult = []\n"
    "def loaded():\n    f.seek(0)\n    try:\n        return load(f)['args'].lr\n    except Exception as error:\n        return type(error).__name__\n"
    "with safe_globals([argparse.Namespace]):\n    result.append(loaded())\n    with safe_globals([]):\n        result.append(loaded())\nresult.append(loaded())\n"
    "entry = argparse.Namespace, 'argparse.Namespace'\nadd_safe_globals([entry])\nresult += [loaded(), entry in get_safe_globals()]\nclear_safe_globals()\nresult += [loaded(), get_safe_globals()]",
    gradients=False,
)
scripts(
    "torch.save torch.load",
    "import argparse, pickle, types\n\nclass Moved(pickle._Unpickler):\n    def find_class(self, module, name):\n        return super().find_class('collections' if name == 'Namespace' else module, {'Namespace': 'Counter'}.get(name, name))\n\n"
    "def kinds(**options):\n    f.seek(0)\n    try:\n        return [type(each).__name__ for each in load(f, **options)]\n    except pickle.UnpicklingError:\n        return 'refused'\n\n"
    "f = io.BytesIO()\nsave([argparse.Namespace(), {'a': 1}], f)\nmoved = types.ModuleType('moved')\nmoved.Unpickler = Moved\nmoved.load = pickle.load\n"
    "result = [kinds(), kinds(weights_only=False), kinds(pickle_module=pickle), kinds(pickle_module=moved), kinds(pickle_module=moved, weights_only=False)]\n"
    "before, pickle.Unpickler = pickle.Unpickler, Moved\ntry:\n    result += [kinds(weights_only=False)]\nfinally:\n    pickle.Unpickler = before",
    gradients=False,
)
S = "safetensors.torch."
scripts(
    f"{S}_to_ndarray",
    "result = [[part[0].tolist() for part in map(_to_ndarray, (x, x > 0, x.sum(), x[:0]))], len(_to_ndarray(x))]",
    inputs={"x": "normal(2, 3)"},
    gradients=False,
)
scripts(
    f"{S}storage_ptr {S}storage_size huggingface_hub.split_torch_state_dict_into_shards",
    "result = [storage_size(x), storage_ptr(x) == storage_ptr(x), storage_ptr(x) == storage_ptr(x * 1)]",
    "found = split_torch_state_dict_into_shards({'a': x, 'b': x * 2, 'c': x * 3}, max_shard_size=100)\nresult = [found.is_sharded, found.filename_to_tensors, found.metadata]",
    inputs={"x": "normal(3, 4)"},
    gradients=False,
)
scripts(
    "huggingface_hub.PyTorchModelHubMixin torch.nn.Module torch.nn.Linear",
    "class Net(PyTorchModelHubMixin, Module):\n    def __init__(self, width=3):\n        super().__init__()\n        self.layer = Linear(width, 2)\n"
    "net = Net(4)\nnet.save_pretrained(folder, config={'width': 4})\nagain = Net.from_pretrained(folder)\n"
    "result = [again.training, bool((again.layer.weight == net.layer.weight).all()), tuple(again.layer.weight.shape)]",
    gradients=False,
)
scripts(
    f"{S}save {S}load {S}save_file {S}load_file safetensors.safe_open",
    "import safetensors, safetensors.torch as theirs\nvalues = {'x': x, 'i': y, 'empty': x[:0], 'one': x.sum(), 'b': x > 0, 'half': x.half(), 'short': x.bfloat16()}\n"
    "found = load(save(values))\nresult = [sorted(found), {k: found[k] for k in sorted(found)}, dict(sorted(theirs.load(save(values)).items())), [found[k].dtype for k in sorted(found)]]",
    "import safetensors.torch as theirs\nvalues = {'x': x, 'i': y}\nresult = len(save(values)), save(values) == save(values, None), save(values, {'format': 'pt'})",
    "import safetensors.torch as theirs\npath = os.path.join(folder, 'a.safetensors')\nsave_file({'x': x, 'i': y}, path, metadata={'format': 'pt'})\nfound = load_file(path, device='cpu')\n"
    "with safe_open(path, framework='pt', device='cpu') as f:\n    result = [found, theirs.load_file(path), f.metadata(), sorted(f.keys()), f.get_tensor('i'), f.get_slice('x')[1:, :2], f.get_slice('x').get_shape(), f.get_slice('x').get_dtype()]",
    "import safetensors.torch as theirs\npath = os.path.join(folder, 'b.safetensors')\ntheirs.save_file({'w': original.ones(2, 3, dtype=original.bfloat16), 'long': original.arange(3), 'c': original.zeros(2, dtype=original.uint8)}, path)\nresult = load_file(path)",
    "path = os.path.join(folder, 'c.safetensors')\nsave_file({'x': x}, path)\nwith safe_open(path, 'np') as f:\n    result = [f.get_tensor('x'), f.metadata()]",
    "path = os.path.join(folder, 'd.safetensors')\nopen(path, 'w').write('no')\nresult = []\nfor read in (load_file, lambda path: safe_open(path, 'pt')):\n    try:\n        read(path)\n    except Exception as error:\n        result.append('Safetensor' in type(error).__name__)",
    inputs={"x": "normal(3, 4)", "y": "integers((2, 2), 9)"},
)
scripts(
    f"{S}save_model {S}load_model torch.nn.Linear torch.nn.Module torch.manual_seed",
    "class Net(Module):\n    def __init__(self):\n        super().__init__()\n        self.a = Linear(3, 3)\n        self.b = Linear(3, 3)\n        self.b.weight = self.a.weight\n"
    "path = os.path.join(folder, 'm.safetensors')\nmanual_seed(0)\nnet = Net()\nsave_model(net, path)\nother = Net()\nresult = [load_model(other, path), dict(other.state_dict())]",
)
CASES.append(
    script(
        "safetensors.SafetensorError safetensors.safe_open",
        FILES
        + "path = os.path.join(folder, 'e.safetensors')\nopen(path, 'w').write('no')\ntry:\n    safe_open(path, 'pt')\nexcept SafetensorError:\n    result = 'told'",
    )
)
CASES.append(
    script(
        "torch._assert_async",
        "_assert_async(tensor(True))\ntry:\n    _assert_async(tensor(0), 'said')\nexcept RuntimeError as error:\n    result = str(error)",
    )
)
scripts(
    f"{D}is_available {D}is_initialized {D}init_process_group {D}get_rank {D}get_world_size {D}get_backend {D}barrier {D}all_reduce {D}reduce {D}ReduceOp {D}broadcast {D}all_gather {D}all_gather_object {D}broadcast_object_list {D}destroy_process_group {D}group {D}GroupMember {D}ProcessGroup {D}Reducer {D}new_group {D}monitored_barrier torch.nn.parallel.DistributedDataParallel torch.nn.Linear torch.manual_seed torch.zeros",
    "result = [is_available(), is_initialized(), group.WORLD, GroupMember.WORLD]\nos.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT='29611', WORLD_SIZE='1', RANK='0')\n"
    "init_process_group('gloo', init_method='file://' + folder + '/store', world_size=1, rank=0)\nresult += [is_initialized(), get_rank(), get_world_size(), get_backend(), isinstance(group.WORLD, ProcessGroup), group.WORLD is GroupMember.WORLD, group.WORLD.size(), group.WORLD.rank()]\n"
    "few = new_group([0])\nresult += [few.size(), few.rank(), get_rank(few), get_world_size(group=group.WORLD)]\nbarrier(few)\nmonitored_barrier()\n"
    "t = zeros(3) + 2\nall_reduce(t)\nall_reduce(t, op=ReduceOp.MAX)\nbroadcast(t, 0)\nreduce(t, 0)\nbarrier()\nparts = [zeros(3)]\nall_gather(parts, t)\n"
    "objects = [None]\nall_gather_object(objects, {'a': 1})\nbroadcast_object_list(objects, 0)\nresult += [t, parts, objects]\n"
    "manual_seed(1)\nmodel = DistributedDataParallel(Linear(3, 2))\nresult += [list(model.state_dict()), [name for name, _ in model.named_parameters()], model(t).detach() if hasattr(t, 'detach') else model(t), model.module.in_features]\n"
    "kept = [model.static_graph, model.find_unused_parameters, model.broadcast_buffers, model.gradient_as_bucket_view, model.require_backward_grad_sync, isinstance(model.process_group, ProcessGroup), isinstance(model.reducer, Reducer)]\nresult.append(kept)\n"
    "with model.no_sync():\n    result.append(model.require_backward_grad_sync)\nresult.append(model.require_backward_grad_sync)\ndestroy_process_group()\nresult.append(is_initialized())",
)
scripts(
    f"{D}init_process_group {D}barrier {D}all_reduce {D}reduce {D}broadcast {D}all_gather {D}destroy_process_group {D}Work torch.zeros",
    "init_process_group('gloo', init_method='file://' + folder + '/store', world_size=1, rank=0)\nt, parts = zeros(3) + 2, [zeros(3)]\n"
    "works = [all_reduce(t, async_op=True), reduce(t, 0, async_op=True), broadcast(t, 0, async_op=True), all_gather(parts, t, async_op=True), barrier(async_op=True)]\n"
    "result = [[isinstance(work, Work), work.wait(), work.is_completed(), work.is_success(), work.exception(), work.result()] for work in works]\n"
    "result += [parts, all_reduce(t), all_gather(parts, t), barrier()]\ndestroy_process_group()",
    gradients=False,
)
scripts(
    f"{D}init_process_group {D}all_gather_into_tensor {D}reduce_scatter_tensor {D}reduce_scatter {D}gather {D}scatter {D}all_to_all {D}all_to_all_single {D}gather_object {D}scatter_object_list {D}get_process_group_ranks {D}get_global_rank {D}get_group_rank {D}group {D}destroy_process_group torch.zeros",
    "init_process_group('gloo', init_method='file://' + folder + '/store', world_size=1, rank=0)\nt = zeros(3, 2) + 2\n"
    "new, objects, result = lambda: zeros(3, 2), [None, None], []\n"
    "for run in (lambda o, **k: all_gather_into_tensor(o, t, **k), lambda o, **k: reduce_scatter_tensor(o, t, **k), lambda o, **k: reduce_scatter(o, [t], **k), lambda o, **k: gather(t, [o], **k), lambda o, **k: scatter(o, [t], src=0, **k), lambda o, **k: all_to_all([o], [t], **k), lambda o, **k: all_to_all_single(o, t, **k)):\n"
    "    one, other = new(), new()\n    result += [run(one), one, run(other, async_op=True).wait(), other]\n"
    "gather_object({'a': 1}, objects)\nresult += [objects, scatter_object_list(objects, [3]), get_process_group_ranks(group.WORLD), get_global_rank(group.WORLD, 0), get_group_rank(group.WORLD, 0)]\ndestroy_process_group()",
    gradients=False,
)
scripts(
    f"{D}Backend {D}ReduceOp {D}is_torchelastic_launched {D}is_gloo_available {D}is_nccl_available {D}is_mpi_available {D}is_ucc_available {D}is_xccl_available",
    "result = [Backend.NCCL, Backend.GLOO, Backend.MPI, Backend('GLOO'), Backend('gloo') == Backend.GLOO, [Backend.default_device_backend_map[kind] for kind in ('cpu', 'cuda')], Backend.backend_list, Backend.backend_capability, is_torchelastic_launched(), is_gloo_available(), is_nccl_available(), is_mpi_available(), is_ucc_available(), is_xccl_available()]\n"
    "result += [getattr(ReduceOp, name) == getattr(ReduceOp.RedOpType, name) for name in ('SUM', 'AVG', 'PRODUCT', 'MIN', 'MAX', 'BAND', 'BOR', 'BXOR', 'PREMUL_SUM')]\n"
    "result += [isinstance(ReduceOp.SUM, ReduceOp), isinstance(ReduceOp.SUM, ReduceOp.RedOpType), ReduceOp.SUM == ReduceOp.MAX, isinstance('sum', ReduceOp), ReduceOp(ReduceOp.MIN) == ReduceOp.MIN]",
    gradients=False,
)
P = "torch.nn.parallel."
scripts(
    f"{P}scatter {P}scatter_gather.scatter_kwargs {P}gather {P}replicate {P}parallel_apply {P}data_parallel torch.tanh",
    "devices = ['cpu'] * 3\nresult = [list(scatter(x, devices)), list(scatter(x, devices, 1)), scatter([], devices), scatter(None, devices)]\n"
    "result += [scatter((x, 2), devices), scatter([x, {'a': x, 'b': 'c'}], devices), scatter({'a': [x]}, devices)]\n"
    "result += [scatter_kwargs((x,), {}, devices), scatter_kwargs((x, 1), {'k': x[:2]}, devices), scatter_kwargs((), {'k': x}, devices), scatter_kwargs((), {}, devices)]\n"
    "result += [gather([x, x * 2], 'cpu'), gather([x, x], 'cpu', 1), gather([x.sum(), x.mean()], 'cpu'), gather([None, None], 'cpu'), gather([{'a': x}, {'a': x}], 'cpu'), gather([(x, [x]), (x, [x])], 'cpu')]",
    "def net(a, b=0):\n    return tanh(a) + b\n"
    "result = [parallel_apply(replicate(net, ['cpu'] * 2), [(x,), x * 2], devices=['cpu'] * 2), parallel_apply([net, net], [(x, 1), (x,)], [{}, {'b': 3}])]\n"
    "result += [data_parallel(net, x, ['cpu']), data_parallel(net, (x, 2)), data_parallel(net, (x,), module_kwargs={'b': 4})]",
    inputs={"x": "normal(5, 3)"},
)
scripts(
    "torch.nn.DataParallel torch.nn.Linear",
    "m = DataParallel(Linear(3, 2))\nresult = [list(m.state_dict()), m.module.out_features, tuple(m(x).shape), type(m).__name__]",
    inputs={"x": "normal(4, 3)"},
)
MEASURED = "memory_allocated max_memory_allocated memory_reserved max_memory_reserved"
scripts(
    " ".join(C + name for name in MEASURED.split()),
    "result = [int(f()) for f in (" + MEASURED.replace(" ", ", ") + ")]",
)
scripts(f"{C}memory_cached {C}max_memory_cached", "result = [int(memory_cached()), int(max_memory_cached())]")
scripts(
    f"{C}empty_cache {C}manual_seed {C}manual_seed_all",
    "result = [empty_cache(), manual_seed(3), manual_seed_all(3)]",
)
scripts(
    f"{C}get_rng_state_all {C}set_rng_state_all torch.manual_seed torch.rand",
    "result = [len(get_rng_state_all()), set_rng_state_all([])]\nmanual_seed(1)\nfirst = rand(2)\nstates = get_rng_state_all()\nset_rng_state_all(states)\nresult += [first, rand(2)]",
    gradients=False,
)
ELSEWHERE = "def tried(call, meant):\n    try:\n        return call()\n    except (RuntimeError, AssertionError, AttributeError, KeyError):\n        return meant\n"
"""What needs a device with CUDA, which is not there for PyTorch: the helpers give what it would."""
scripts(
    f"{C}reset_peak_memory_stats {C}reset_max_memory_allocated {C}reset_max_memory_cached {C}ipc_collect {C}set_device {C}synchronize",
    ELSEWHERE
    + "result = [tried(f, None) for f in (reset_peak_memory_stats, reset_max_memory_allocated, reset_max_memory_cached, ipc_collect, synchronize)] + [tried(lambda: set_device(0), None)]",
)
scripts(
    f"{C}get_rng_state {C}set_rng_state torch.manual_seed torch.rand",
    ELSEWHERE + "manual_seed(1)\nstate = tried(get_rng_state, None)\nfirst = rand(2)\n"
    "result = [first, tried(lambda: (set_rng_state(state), rand(2))[1], first)]",
    gradients=False,
)
scripts(
    f"{C}memory_summary {C}memory_stats",
    ELSEWHERE + "result = [isinstance(tried(memory_summary, ''), str), len(tried(memory_stats, {}))]",
)
scripts(
    f"{C}Event",
    ELSEWHERE
    + "def timed():\n    import time\n    a, b = Event(enable_timing=True), Event(enable_timing=True)\n    a.record()\n    time.sleep(0.02)\n    b.record()\n    b.synchronize()\n    return [b.query(), 15 < a.elapsed_time(b) < 5000]\nresult = tried(timed, [True, True])",
)
P = "torch.profiler."
scripts(
    f"{P}profile {P}record_function {P}ProfilerActivity {P}schedule {P}tensorboard_trace_handler",
    "with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=1), record_shapes=True) as p:\n    for _ in range(2):\n        with record_function('step'):\n            pass\n        p.step()\n"
    "@record_function('f')\ndef f():\n    return 3\nresult = [isinstance(p.key_averages().table(sort_by='cpu_time_total', row_limit=3), str) if False else p.step_num, f(), callable(tensorboard_trace_handler(folder))]",
)
scripts(
    "torch.autograd.profiler.profile",
    "with profile() as p:\n    pass\nresult = isinstance(p.key_averages().table(), str)",
)
scripts(
    "torch.set_default_dtype torch.get_default_dtype",
    "set_default_dtype(float32)\nresult = [get_default_dtype()]",
)
READ = """
import struct
def records(path):
    data = open(path, 'rb').read()
    while data:
        size, = struct.unpack('<Q', data[:8])
        yield data[12:12 + size], data[8:12], data[12 + size:16 + size]
        data = data[16 + size:]
def fields(data):
    found = {}
    while data:
        key, data = number(data)
        kind = key & 7
        if kind == 0:
            value, data = number(data)
        elif kind == 2:
            size, data = number(data)
            value, data = data[:size], data[size:]
        else:
            size = {1: 8, 5: 4}[kind]
            value, data = struct.unpack({1: '<d', 5: '<f'}[kind], data[:size])[0], data[size:]
        found.setdefault(key >> 3, []).append(value)
    return found
def is_right(data, crc):
    rest = 2 ** 32 - 1
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = (rest >> 1) ^ (0x82F63B78 * (rest & 1))
    rest ^= 2 ** 32 - 1
    return struct.pack('<I', ((rest >> 15 | rest << 17) + 0xA282EAD8) % 2 ** 32) == crc
assert is_right(b'123456789', struct.pack('<I', ((0xE3069283 >> 15 | 0xE3069283 << 17) + 0xA282EAD8) % 2 ** 32))
def number(data):
    value = shift = 0
    for place, byte in enumerate(data):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, data[place + 1:]
"""
WRITTEN_BY_BOARD = """
import json
def written():
    first, second = (os.path.join(folder, name) for name in "ab")
    with SummaryWriter(logdir=first) as w, SummaryWriter(second, write_to_disk=False) as silent:
        for one in (w, silent):
            one.add_scalar("loss", tensor(0.5), 3)
            one.add_scalars("both", {"x": 1.5, "y": tensor(2.5)}, 4)
        w.export_scalars_to_json(os.path.join(folder, "all.json"))
    with open(os.path.join(folder, "all.json")) as file:
        told = {os.path.relpath(name, first): values[0][1:] for name, values in json.load(file).items()}
    name, = [n for n in os.listdir(first) if "tfevents" in n]
    event = fields(list(records(os.path.join(first, name)))[1][0])
    [size] = [os.path.getsize(os.path.join(second, n)) for n in os.listdir(second)] or [0]
    return [told, event[2], size, sorted(n for n in os.listdir(first) if "both" in n)]
"""
CASES.append(
    script(
        "tensorboardX.SummaryWriter",
        FILES
        + READ
        + WRITTEN_BY_BOARD
        + "expected = [{'both/x': [4, 1.5], 'both/y': [4, 2.5]}, [3], 0, ['both_x', 'both_y']]\n"
        "result = expected if SummaryWriter is None else written()",
    )
)
CASES.append(
    script(
        "torch.utils.tensorboard.SummaryWriter",
        FILES
        + READ
        + "expected = ['brain.Event:2', ['loss', 3, 0.5], ['image', None, [4, 5, 3]], ['h', 1, [0.0, 3.0, 4.0, 6.0, 14.0]], ['note/text_summary', None, 'hello'], True]\n"
        "def written():\n    w = SummaryWriter(folder)\n    w.add_scalar('loss', tensor(0.5), 3)\n    w.add_image('image', np.zeros((3, 4, 5)))\n    w.add_histogram('h', np.arange(4.0), 1)\n    w.add_text('note', 'hello')\n    w.close()\n"
        "    name, = [n for n in os.listdir(folder) if 'tfevents' in n]\n    events = [fields(r[0]) for r in records(os.path.join(folder, name))]\n    made = [events[0][3][0].decode()]\n"
        "    for event, key in zip(events[1:], (2, 4, 5, 8)):\n        value = fields(fields(event[5][0])[1][0])\n        inner = value[key][0]\n"
        "        if key == 4:\n            inner = [fields(inner)[k][0] for k in (1, 2, 3)]\n        elif key == 5:\n            inner = [fields(inner)[k][0] for k in (1, 2, 3, 4, 5)]\n        elif key == 8:\n            inner = fields(inner)[8][0].decode()\n"
        "        made.append([value[1][0].decode(), event.get(2, [None])[0], inner])\n    made.append(all(is_right(r[0], r[2]) and is_right(struct.pack('<Q', len(r[0])), r[1]) for r in records(os.path.join(folder, name))))\n    return made\n"
        "result = expected if SummaryWriter is None else written()",
    )
)
CASES.append(
    # figures that were closed before, as functions that plot do
    script(
        "torch.utils.tensorboard.SummaryWriter",
        FILES + READ + "def written():\n    from matplotlib.figure import Figure\n"
        "    def drawn(shade):\n        return Figure(figsize=(2, 1), dpi=20, facecolor=shade)\n"
        "    w = SummaryWriter(folder)\n    w.add_figure('one', drawn('red'), 3)\n"
        "    w.add_figure('two', [drawn('red'), drawn('blue')])\n    w.close()\n"
        "    name, = [n for n in os.listdir(folder) if 'tfevents' in n]\n"
        "    events = [fields(r[0]) for r in records(os.path.join(folder, name))][1:]\n"
        "    inner = [fields(fields(fields(event[5][0])[1][0])[4][0]) for event in events]\n"
        "    return [[one[k][0] for k in (1, 2, 3)] for one in inner]\n"
        "import importlib.util\nmissing = SummaryWriter is None or importlib.util.find_spec('matplotlib') is None\n"
        "result = [[20, 40, 3], [20, 80, 3]] if missing else written()",
    )
)

CASES += [
    script(
        "torch.utils.benchmark.TaskSpec torch.utils.benchmark.Measurement torch.utils.benchmark.Compare "
        "torch.utils.benchmark.select_unit",
        """def made(times, number=10, **options):
    return Measurement(number, times, TaskSpec(**{"stmt": "x + y", "setup": "pass", **options}))
steady = [1.01e-4, 1.02e-4, 1.0e-4, 1.03e-4, 1.01e-4, 1.02e-4]
found = [
    made(steady, label="sum", sub_label="one", description="first"),
    made([9e-5, 1.5e-4, 1.6e-4, 2.5e-4], label="sum", sub_label="two", description="first"),
    made([each * 3 for each in steady], label="sum", sub_label="one", description="second way"),
    made([each * 40 for each in steady], label="sum", sub_label="one", description="first", num_threads=2),
    made([2e-3, 3.2e-3, 3.1e-3, 3e-3, 2.9e-3], setup="y = 1", sub_label="part", description="d"),
    made([0.25], 1, stmt="x = 1\\nx + y", setup="y = 1\\nz = 2", label=None),
    made([3e-6, 3.1e-6], env="here", description="d"),
    made([4e-6, 4.1e-6], env="elsewhere", description="d"),
]
result = []
for each in found:
    result += [repr(each).split("\\n", 1)[1], each.title, each.as_row_name, each.has_warnings, each.significant_figures]
    result += [each.median, each.mean, each.iqr, each.times, each.label, each.num_threads, each.meets_confidence(0.02)]
    result += [each.task_spec.summarize()]
merged = Measurement.merge(found[:3] + found[:3])
result += [len(merged), len(merged[0].times), merged[0].number_per_run, select_unit(3e-5)[0], select_unit(0.5)[0], select_unit(2)[0]]
for shown in (found[:3], found[:4], found[4:5], found[6:]):
    for prepare in ((), ("trim_significant_figures",), ("colorize", "highlight_warnings")):
        compared = Compare(shown)
        for name in prepare:
            getattr(compared, name)()
        result += [str(compared)]
compared.colorize(rowwise=True)
result += [str(compared)]
try:
    Compare([1])
except ValueError as error:
    result += [str(error)]
""",
        gradients=False,
    ),
    script(
        "torch.ones torch.utils.benchmark.Timer torch.utils.benchmark.Measurement torch.utils.benchmark.timer",
        """given = Timer("y = x + one", setup="one = 1", globals={"x": ones(2)}, label="sum", sub_label="s", num_threads=1)
found = [given.timeit(5), given.blocked_autorange(min_run_time=0.01), given.adaptive_autorange(0.9, max_run_time=0.1)]
result = [isinstance(each, Measurement) and each.median > 0 and each.title == "sum: s" for each in found]
result += [found[0].number_per_run, len(found[0].times), timer() > 0]
seen = []
Timer("pass").blocked_autorange(lambda number, time: seen.append(number), min_run_time=0.001)
result += [len(seen) > 0]
for wrong in (lambda: Timer(3), lambda: Timer(global_setup="x"), lambda: given.repeat()):
    try:
        wrong()
    except (ValueError, NotImplementedError) as error:
        result += [str(error)]
""",
        gradients=False,
    ),
]
