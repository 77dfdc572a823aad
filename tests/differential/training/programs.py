"""The training programs: what each is started with, so that it takes five to ten steps (LBFGS evaluates more often)."""

from __future__ import annotations

from typing import NamedTuple

TOLERANCE = 1e-4
"""How far a program may be from what it does in PyTorch, as a part of the scale."""
NOT_COMPARED = " weights cannot be compared"
"""What is said, behind their number, of weights that PyTorch itself does not reproduce."""


class Program(NamedTuple):
    """A program of the folder `programs`: a file, or a folder with the module that has `main`."""

    path: str
    arguments: str
    module: str = ""
    torchvision: bool = False
    """Whether it needs torchvision in PyTorch."""
    draws: bool = False
    """Whether it is run as users run it: first weights and random numbers are its own in both frameworks."""

    @property
    def main(self) -> str:
        return self.module or self.path


EXAMPLES = "../../../../docs/examples"


def _example(name: str, arguments: str, module: str = "train") -> Program:
    """A project of `docs/examples`."""
    return Program(
        f"{EXAMPLES}/{name}/pytorch", arguments, module, name in ("leaves", "postures"), draws=True
    )


LANGUAGE = "--emsize 16 --nhid 16 --batch_size 8 --bptt 7 --epochs 2 --max-batches 4 --dropout 0 --log-interval 2 --lr 5"

EXAMPLE_PROGRAMS = {
    "example_digits": _example("digits", "--epochs 2 --length 160"),
    "example_sensors": _example("sensors", "--epochs 3 --windows 160 --stop-after 1"),
    "example_rings": _example("rings", "--epochs 2 --rings 64 --batch-size 16"),
    "example_strokes": _example("strokes", "--epochs 2 --count 256"),
    "example_sentences": _example("sentences", "--epochs 2 --sentences 120 --batch-size 8", "main"),
    "example_sums": _example(
        "sums",
        "--max-iters 8 --eval-interval 4 --batch-size 8 --warmup-iters 3",
    ),
    "example_leaves": _example("leaves", "--epochs 2 --pictures 96 --batch-size 16"),
    "example_postures": _example("postures", "--epochs 2 --count 64", "finetune"),
    "example_forecast": _example("forecast", "--epochs 2 --count 160", "forecast"),
    "example_spirals": _example("spirals", "", "spirals"),
}

PROGRAMS = {
    "mnist": Program("mnist", "--epochs 3 --batch-size 32 --dropout 0 --save-model"),
    "dcgan": Program(
        "dcgan", "--niter 1 --batchSize 8 --images 40 --nz 12 --ngf 4 --ndf 4 --outf out --manualSeed 1"
    ),
    "vae": Program("vae", "--epochs 2 --batch-size 32 --samples 128"),
    "language_model_lstm": Program("word_language_model", f"--model LSTM --tied {LANGUAGE}", "main"),
    "language_model_gru": Program("word_language_model", f"--model GRU {LANGUAGE}", "main"),
    "language_model_transformer": Program(
        "word_language_model", f"--model Transformer {LANGUAGE} --lr 1", "main"
    ),
    "super_resolution": Program(
        "super_resolution",
        "--upscale_factor 3 --batchSize 4 --testBatchSize 3 --nEpochs 2 --threads 0 --lr 0.001",
        "main",
    ),
    "time_sequence": Program(
        "time_sequence_prediction", "--steps 2 --length 24 --future 5 --max-iter 5 --lr 0.5"
    ),
    "cifar": Program("cifar", "--epochs 2 --length 72 --batch-size 24 --lr 0.002"),
    "gpt": Program("gpt", "--max_iters 8 --batch_size 4 --learning_rate 3e-3 --sample 4"),
    "trainer_class": Program("trainer_class", "--epochs 2 --samples 220"),
    "several_losses": Program("several_losses", "--epochs 2 --n 64"),
    "accumulation": Program("accumulation", "--epochs 2 --points 40 --accum-iter 2"),
    "char_rnn": Program("char_rnn", "--iterations 8 --seq-len 10 --lr 5e-4"),
    "char_rnn_lstm": Program("char_rnn", "--iterations 8 --seq-len 10 --lr 5e-4 --cell lstm"),
    "lbfgs_fit": Program("lbfgs_fit", "--steps 5"),
    "lbfgs_plain": Program("lbfgs_fit", "--steps 5 --line-search none"),
    "retain_graph": Program("retain_graph", "--batches 8"),
    "finetune": Program("finetune", "--epochs 2"),
    "gradient_stats": Program("gradient_stats", "--steps 8"),
    "ema": Program("ema", "--epochs 2 --samples 128"),
    "amp": Program("amp", "--epochs 2"),
    "amp_new_api": Program("amp", "--epochs 2 --new-api"),
    "no_sync": Program("no_sync", "--epochs 2 --length 128"),
    "tbptt": Program("tbptt", "--length 61 --epochs 1"),
    "custom_function": Program("custom_function", "--steps 8"),
    "focal_loss": Program("focal_loss", "--epochs 2 --n 200"),
    "param_groups": Program("param_groups", "--steps 6 --batch-size 8"),
    "schedule_onecycle": Program("schedules", "--schedule onecycle --epochs 2 --n 80"),
    "schedule_plateau": Program("schedules", "--schedule plateau --epochs 4 --n 32"),
    "schedule_lambda": Program("schedules", "--schedule lambda --epochs 2 --n 80"),
    "schedule_sequential": Program("schedules", "--schedule sequential --epochs 2 --n 80"),
    "schedule_restarts": Program("schedules", "--schedule restarts --epochs 2 --n 80"),
    "schedule_cyclic": Program("schedules", "--schedule cyclic --epochs 2 --n 80"),
    "tabular_split": Program("tabular_split", "--epochs 2 --rows 320 --dropout 0"),
    "collate_padding": Program("collate_padding", "--epochs 2 --repeats 4"),
    "iterable": Program("iterable", "--samples 170"),
    "resume": Program("resume", "--epochs 3 --stop-after 1 --runs 3"),
    "autoencoder": Program("autoencoder", "--epochs 2 --n 64"),
    "autoencoder_full_batch": Program("autoencoder", "--epochs 6 --n 16"),
    "triplet": Program("triplet", "--epochs 2"),
    "unet": Program("unet", "--epochs 1 --images 28 -l 1e-5"),
    "unet_bilinear": Program("unet", "--epochs 1 --images 28 -l 1e-5 --bilinear"),
    "seq2seq": Program("seq2seq", "--steps 8 --dropout 0"),
    "reinforce": Program("reinforce", "--episodes 6"),
    "distillation": Program("distillation", "--n 200"),
    "packed_gru": Program("packed_gru", "--epochs 2"),
    "manual_sgd": Program("manual_sgd", "--steps 8"),
    "wgan_gp": Program("wgan_gp", "--iterations 3"),
    "step_shapes": Program("step_shapes", "--steps 6"),
    "pinn": Program("pinn", "--epochs 8"),
    "r1_penalty": Program("r1_penalty", "--steps 3"),
    "maml": Program("maml", "--episodes 6"),
    "hooks": Program("hooks", "--steps 8"),
    "video_rollouts": Program("video_rollouts", "--steps 6"),
    "multitask": Program("multitask", "--epochs 2"),
    **EXAMPLE_PROGRAMS,
    "flower_project": Program("flower_project", "--epochs 2 --num-images 64", "train"),
    "flower_project_mixer": Program(
        "flower_project", "--arch mlp_mixer --opt adamw --lr 0.002 --epochs 2 --num-images 64", "train"
    ),
    "moved_points": Program("moved_points", "--steps 8"),
    "double_precision": Program("double_precision", "--steps 8", "scripts.fit"),
}
