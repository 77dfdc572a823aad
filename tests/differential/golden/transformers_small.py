"""Small models of transformers, one for each type of model; this file is converted with that package.

`Whole(kind)` builds the model of a type with small sizes in its configuration, makes what it takes from one Tensor of
shape (2, 3, 32, 32), and gives all that it gives, one after the other."""

import inspect

import torch
from torch import nn
from transformers import AutoModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

SIZES = {
    32: "hidden_size d_model n_embd dim embedding_size image_size word_embed_proj_dim lru_width",
    2: "num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_decoder_layers "
    "num_key_value_heads num_experts_per_tok type_vocab_size num_codebooks linear_num_key_heads",
    4: "num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads num_experts "
    "num_local_experts n_routed_experts time_step_rank conv_kernel linear_num_value_heads",
    8: "head_dim d_kv patch_size attention_window qk_rope_head_dim qk_nope_head_dim v_head_dim rotary_dim state_size "
    "linear_key_head_dim linear_value_head_dim",
    16: "moe_intermediate_size sliding_window q_lora_rank kv_lora_rank shared_expert_intermediate_size",
    64: "intermediate_size n_inner encoder_ffn_dim decoder_ffn_dim d_ff ffn_dim hidden_dim max_position_embeddings "
    "n_positions n_ctx max_source_positions max_target_positions",
    99: "vocab_size",
    0: "pad_token_id hidden_dropout_prob attention_probs_dropout_prob",
    1: "bos_token_id decoder_start_token_id first_k_dense_replace",
}
SMALL = {name: size for size, names in SIZES.items() for name in names.split()} | {"eos_token_id": 2}


def shrunk(values):
    """The sizes among the values of a configuration, made small."""
    plain = {name: value for name, value in values.items() if type(value) in (int, float, type(None))}
    return {name: SMALL[name] for name in plain if name in SMALL}


def configuration(kind):
    """A small configuration of a type of model. Raises what transformers raises if it takes no such sizes."""
    made = CONFIG_MAPPING[kind]
    values = made().to_dict()
    small = shrunk(values)
    for name, value in values.items():
        if isinstance(value, dict) and name.endswith("_config"):
            named = {"model_type": value["model_type"]} if "model_type" in value else {}
            small[name] = {**shrunk(value), **named}
    try:
        return made(**small)
    except Exception:  # noqa: BLE001 - some make `head_dim` of the other sizes
        small.pop("head_dim", None)
        return made(**small)


def parts(output):
    """All Tensors of floats in what a model gives."""
    if hasattr(output, "items"):
        output = list(output.values())
    if isinstance(output, (list, tuple)):
        return [part for one in output for part in parts(one)]
    is_tensor = isinstance(output, torch.Tensor)
    return [output] if is_tensor and output.is_floating_point() and output.numel() > 0 else []


class Whole(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.config = configuration(kind)
        self.config._attn_implementation = "eager"
        self.model = AutoModel.from_config(self.config)
        with torch.no_grad():
            for parameter in self.model.parameters():
                if parameter.is_floating_point():
                    parameter.add_(torch.randn_like(parameter) * 0.02)

    def inputs(self, given):
        """What the model takes, by name."""
        names = inspect.signature(self.model.forward).parameters
        flat = given.reshape(2, -1)
        ids = (flat[:, :16].detach().abs() * 1000).long() % 87 + 3
        made = {}
        if "input_ids" in names:
            made["input_ids"] = ids[:, :8]
            if "attention_mask" in names:
                made["attention_mask"] = torch.ones(2, 8, dtype=torch.long)
            if "bbox" in names:
                made["bbox"] = torch.tensor([1, 2, 30, 40]).repeat(2, 8, 1)
        if "decoder_input_ids" in names:
            made["decoder_input_ids"] = ids[:, 8:13]
        if "pixel_values" in names and not ("input_ids" in names and hasattr(self.config, "image_token_id")):
            made["pixel_values"] = self.image(given)
        if "input_features" in names and "input_ids" not in names:
            mels = getattr(self.config, "num_mel_bins", 80)
            made["input_features"] = self.filled(flat, mels * 128).reshape(2, mels, 128)
        if "input_values" in names:
            made["input_values"] = self.filled(flat, 4000)
        return made

    def image(self, given):
        vision = getattr(self.config, "vision_config", self.config)
        size = getattr(vision, "image_size", 32) or 32
        height, width = size if isinstance(size, (list, tuple)) else (size, size)
        channels = getattr(vision, "num_channels", 3)
        tiled = given.repeat(1, channels // 3 + 1, height // 32 + 1, width // 32 + 1)
        return tiled[:, :channels, :height, :width]

    def filled(self, flat, count):
        return flat.repeat(1, count // flat.shape[1] + 1)[:, :count]

    def forward(self, given):
        output = self.model(**self.inputs(given))
        return torch.cat([part.reshape(-1).float() for part in parts(output)]) + given.sum() * 0
