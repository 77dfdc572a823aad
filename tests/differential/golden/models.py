"""The golden models: for each its module, what builds it small there, and the shape of its input. `MODELS` is read
by the processes that run the frameworks. vit-pytorch's `simmim` is not among them: in this release it raises in
PyTorch, too, whatever its sizes are (it cuts the position embedding along the wrong axis)."""

MODELS = {
    "alexnet": ("torchvision.models.alexnet", "alexnet(num_classes=10)", (1, 3, 64, 64)),
    "vgg11_bn": ("torchvision.models.vgg", "vgg11_bn(num_classes=10)", (1, 3, 32, 32)),
    "resnet18": ("torchvision.models.resnet", "resnet18(num_classes=10)", (2, 3, 64, 64)),
    "resnext50": ("torchvision.models.resnet", "resnext50_32x4d(num_classes=10)", (1, 3, 64, 64)),
    "mobilenet_v2": ("torchvision.models.mobilenetv2", "mobilenet_v2(num_classes=10)", (1, 3, 64, 64)),
    "mobilenet_v3": ("torchvision.models.mobilenetv3", "mobilenet_v3_small(num_classes=10)", (1, 3, 64, 64)),
    "densenet": ("torchvision.models.densenet", "densenet121(num_classes=10)", (1, 3, 64, 64)),
    "shufflenet": ("torchvision.models.shufflenetv2", "shufflenet_v2_x0_5(num_classes=10)", (1, 3, 64, 64)),
    "squeezenet": ("torchvision.models.squeezenet", "squeezenet1_1(num_classes=10)", (1, 3, 64, 64)),
    "mnasnet": ("torchvision.models.mnasnet", "mnasnet0_5(num_classes=10)", (1, 3, 64, 64)),
    "googlenet": (
        "torchvision.models.googlenet",
        "googlenet(num_classes=10,init_weights=False)",
        (1, 3, 96, 96),
    ),
    "inception": (
        "torchvision.models.inception",
        "inception_v3(num_classes=10,init_weights=False,aux_logits=False)",
        (1, 3, 128, 128),
    ),
    "convnext": ("torchvision.models.convnext", "convnext_tiny(num_classes=10)", (1, 3, 64, 64)),
    "efficientnet": ("torchvision.models.efficientnet", "efficientnet_b0(num_classes=10)", (1, 3, 64, 64)),
    "efficientnet_v2": (
        "torchvision.models.efficientnet",
        "efficientnet_v2_s(num_classes=10)",
        (1, 3, 64, 64),
    ),
    "vision_transformer": (
        "torchvision.models.vision_transformer",
        "VisionTransformer(image_size=32,patch_size=8,num_layers=2,num_heads=4,hidden_dim=32,mlp_dim=64,num_classes=10)",
        (1, 3, 32, 32),
    ),
    "regnet": ("torchvision.models.regnet", "regnet_y_400mf(num_classes=10)", (1, 3, 64, 64)),
    "swin_t": ("torchvision.models.swin_transformer", "swin_t(num_classes=10)", (1, 3, 64, 64)),
    "swin_v2_t": ("torchvision.models.swin_transformer", "swin_v2_t(num_classes=10)", (1, 3, 64, 64)),
    "vit": (
        "vit_pytorch.vit",
        "ViT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,heads=4,mlp_dim=64)",
        (2, 3, 32, 32),
    ),
    "simple_vit": (
        "vit_pytorch.simple_vit",
        "SimpleViT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,heads=4,mlp_dim=64)",
        (2, 3, 32, 32),
    ),
    "deepvit": (
        "vit_pytorch.deepvit",
        "DeepViT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,heads=4,mlp_dim=64)",
        (2, 3, 32, 32),
    ),
    "cait": (
        "vit_pytorch.cait",
        "CaiT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,cls_depth=1,heads=4,mlp_dim=64)",
        (2, 3, 32, 32),
    ),
    "cct": (
        "vit_pytorch.cct",
        "CCT(img_size=32,embedding_dim=32,n_conv_layers=1,kernel_size=3,stride=1,padding=1,pooling_kernel_size=3,pooling_stride=2,pooling_padding=1,num_layers=2,num_heads=4,mlp_ratio=2.,num_classes=10)",
        (2, 3, 32, 32),
    ),
    "parallel_vit": (
        "vit_pytorch.parallel_vit",
        "ViT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,heads=4,mlp_dim=64)",
        (2, 3, 32, 32),
    ),
    "vit_for_small_dataset": (
        "vit_pytorch.vit_for_small_dataset",
        "ViT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,heads=4,mlp_dim=64)",
        (2, 3, 32, 32),
    ),
    "mae": (
        "vit_pytorch.mae",
        "MAE(encoder=__import__('vit_pytorch.vit').vit.ViT(image_size=32,patch_size=8,num_classes=10,dim=32,depth=2,heads=4,mlp_dim=64,pool='mean'),decoder_dim=16,decoder_heads=2)",
        (2, 3, 32, 32),
    ),
    "t2t": (
        "vit_pytorch.t2t",
        "T2TViT(image_size=32,num_classes=10,dim=32,depth=1,heads=2,mlp_dim=32,dim_head=16,t2t_layers=((3,2),(3,2)))",
        (1, 3, 32, 32),
    ),
    "crossformer": (
        "vit_pytorch.crossformer",
        "CrossFormer(dim=(64,64,64,64),depth=(1,1,1,1),global_window_size=(4,2,2,1),local_window_size=(4,4,2,1),num_classes=10)",
        (1, 3, 64, 64),
    ),
    "twins_svt": (
        "vit_pytorch.twins_svt",
        "TwinsSVT(num_classes=10,s1_emb_dim=16,s2_emb_dim=16,s3_emb_dim=16,s4_emb_dim=16,s1_depth=1,s2_depth=1,s3_depth=1,s4_depth=1,s1_local_patch_size=4,s2_local_patch_size=4,s3_local_patch_size=2)",
        (1, 3, 224, 224),
    ),
}
