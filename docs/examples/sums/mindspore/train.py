"""Teaches a GPT to add: warm-up and cosine decay, gradients accumulated over micro steps, a checkpoint to go on from."""
import argparse
import math
import os
from contextlib import nullcontext

import mindport_helpers as helpers
import mindspore

from model import GPT, GPTConfig

CHARS = "0123456789+= "
ENCODE = {c: i for i, c in enumerate(CHARS)}


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--max-iters", type=int, default=400)
    parser.add_argument("--eval-interval", type=int, default=50)
    parser.add_argument("--eval-iters", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--gradient-accumulation-steps", type=int, default=4)
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--min-lr", type=float, default=3e-4)
    parser.add_argument("--warmup-iters", type=int, default=20)
    parser.add_argument("--weight-decay", type=float, default=0.1)
    parser.add_argument("--grad-clip", type=float, default=1.0)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--init-from", choices=["scratch", "resume"], default="scratch")
    parser.add_argument("--out-dir", default="out")
    parser.add_argument("--compile", action="store_true")
    return parser.parse_args(argv)


def get_batch(batch_size, block_size, device):
    """Sums as text; what comes before the result is not to be guessed."""
    a, b = helpers.randint(0, 100, (2, batch_size)).tolist()
    texts = [f"{x:02d}+{y:02d}={x + y:03d}" for x, y in zip(a, b)]
    tokens = helpers.tensor([[ENCODE[c] for c in text.ljust(block_size + 1)] for text in texts], dtype=mindspore.int64)
    x, y = tokens[:, :-1].contiguous(), mindspore.Tensor.copy(tokens[:, 1:])
    y[:, :5] = -1
    if device.startswith("cuda"):
        return x, y
    return x, y


def get_lr(it, args):
    if it < args.warmup_iters:
        return args.learning_rate * (it + 1) / (args.warmup_iters + 1)
    if it > args.max_iters:
        return args.min_lr
    ratio = (it - args.warmup_iters) / (args.max_iters - args.warmup_iters)
    return args.min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (args.learning_rate - args.min_lr)


def main(argv=None):
    args = parse(argv)
    helpers.manual_seed(1337)
    device = "cuda" if (mindspore.get_context('device_target') != 'CPU') else "cpu"
    device_type = "cuda" if "cuda" in device else "cpu"
    ctx = nullcontext() if device_type == "cpu" else helpers.autocast(device_type=device_type, dtype=mindspore.bfloat16)
    os.makedirs(args.out_dir, exist_ok=True)
    ckpt_path = os.path.join(args.out_dir, "ckpt.pt")

    iter_num, best_val_loss, checkpoint = 0, 1e9, None
    if args.init_from == "resume":
        checkpoint = helpers.load(ckpt_path, map_location=device)
        config = GPTConfig(**checkpoint["model_args"])
        iter_num, best_val_loss = checkpoint["iter_num"], checkpoint["best_val_loss"]
    else:
        config = GPTConfig(vocab_size=len(CHARS), block_size=10, dropout=args.dropout)
    model = GPT(config)
    if checkpoint is not None:
        model.load_state_dict(checkpoint["model"])
    optimizer = model.configure_optimizers(args.weight_decay, args.learning_rate, (0.9, 0.95))
    if checkpoint is not None:
        optimizer.load_state_dict(checkpoint["optimizer"])
    checkpoint = None  # free up memory

    @helpers.no_grad()
    def estimate_loss():
        model.eval()
        found = mindspore.ops.zeros(args.eval_iters)
        for k in range(args.eval_iters):
            with ctx:
                _, loss = model(*get_batch(args.batch_size, config.block_size, device))
            found[k] = loss.item()
        model.train()
        return found.mean()

    losses = []
    X, Y = get_batch(args.batch_size, config.block_size, device)
    while True:
        lr = get_lr(iter_num, args)
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr

        if iter_num % args.eval_interval == 0 and iter_num > 0:
            val_loss = estimate_loss()
            losses.append(float(val_loss))
            print(f"step {iter_num}: val loss {val_loss.item():.4f}")
            if val_loss < best_val_loss:
                best_val_loss = val_loss
                helpers.save({
                    "model": model.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "model_args": dict(vars(config)),
                    "iter_num": iter_num,
                    "best_val_loss": best_val_loss,
                }, ckpt_path)

        for micro_step in range(args.gradient_accumulation_steps):
            with ctx:
                logits, loss = model(X, Y)
                loss = loss / args.gradient_accumulation_steps
            X, Y = get_batch(args.batch_size, config.block_size, device)
            # NOTE(mindport): `backward` stays, which computes the same: a name of the forward pass may not be bound, or is read out of sight
            loss.backward()
        if args.grad_clip != 0.0:
            helpers.clip_grad_norm_(model.parameters(), args.grad_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

        lossf = loss.item() * args.gradient_accumulation_steps
        losses.append(lossf)
        print(f"iter {iter_num}: loss {lossf:.4f}, lr {lr:.2e}")
        iter_num += 1
        if iter_num > args.max_iters:
            break

    model.eval()
    prompt = helpers.tensor([[ENCODE[c] for c in "12+34="]], dtype=mindspore.int64, device=device)
    print("".join(CHARS[i] for i in model.generate(prompt, 3, top_k=5)[0].tolist()))
    return losses, model


if __name__ == "__main__":
    main()
