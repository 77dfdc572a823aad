"""Transfer learning: a pretrained backbone is frozen, its head replaced, later one block is unfrozen."""
import argparse
import copy
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler


class Backbone(nn.Module):
    def __init__(self, num_classes=20):
        super().__init__()
        self.features = nn.Sequential(
            self.block(3, 8), self.block(8, 16), self.block(16, 32))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(32, num_classes)

    @staticmethod
    def block(cin, cout):
        return nn.Sequential(nn.Conv2d(cin, cout, 3, stride=2, padding=1, bias=False),
                             nn.BatchNorm2d(cout), nn.ReLU(inplace=True))

    def forward(self, x):
        x = self.features(x)
        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(x)


def pretrained_backbone(path):
    """Pretend that somebody trained it: the weights come from a file."""
    model = Backbone()
    if not os.path.exists(path):
        torch.save({"state_dict": model.state_dict(), "arch": "backbone"}, path)
    checkpoint = torch.load(path, map_location="cpu")
    state = {k.replace("module.", ""): v for k, v in checkpoint["state_dict"].items()}
    model.load_state_dict(state)
    return model


def set_parameter_requires_grad(model, feature_extracting):
    if feature_extracting:
        for param in model.parameters():
            param.requires_grad = False


class AntsAndBees(torch.utils.data.Dataset):
    classes = ["ants", "bees"]

    def __init__(self, n, seed):
        rng = np.random.RandomState(seed)
        self.y = np.arange(n) % 2
        self.x = rng.rand(n, 3, 16, 16).astype(np.float32) + 0.5 * self.y[:, None, None, None].astype(np.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.as_tensor(self.x[i]), int(self.y[i])


def train_model(model, dataloaders, criterion, optimizer, scheduler, device, num_epochs, history):
    since = time.time()
    best_model_wts = copy.deepcopy(model.state_dict())
    best_acc = 0.0

    for epoch in range(num_epochs):
        print(f'Epoch {epoch}/{num_epochs - 1}')
        print('-' * 10)

        # Each epoch has a training and validation phase
        for phase in ['train', 'val']:
            if phase == 'train':
                model.train()  # Set model to training mode
            else:
                model.eval()  # Set model to evaluate mode

            running_loss = 0.0
            running_corrects = 0
            for inputs, labels in dataloaders[phase]:
                inputs = inputs.to(device)
                labels = labels.to(device)
                optimizer.zero_grad()
                # track history if only in train
                with torch.set_grad_enabled(phase == 'train'):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    # backward + optimize only if in training phase
                    if phase == 'train':
                        loss.backward()
                        optimizer.step()

                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
                history.append(loss.item())
            if phase == 'train':
                scheduler.step()

            epoch_loss = running_loss / len(dataloaders[phase].dataset)
            epoch_acc = running_corrects.double() / len(dataloaders[phase].dataset)
            print(f'{phase} Loss: {epoch_loss:.4f} Acc: {epoch_acc:.4f}')

            # deep copy the model
            if phase == 'val' and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_model_wts = copy.deepcopy(model.state_dict())

    time_elapsed = time.time() - since
    print(f'Training complete in {time_elapsed // 60:.0f}m {time_elapsed % 60:.0f}s, best {best_acc:4f}')
    model.load_state_dict(best_model_wts)
    return model


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=4)
    parser.add_argument('--batch-size', type=int, default=8)
    parser.add_argument('--weights', default='backbone.pth')
    args = parser.parse_args(argv)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")

    dataloaders = {x: torch.utils.data.DataLoader(AntsAndBees(24 if x == 'train' else 12, seed=len(x)),
                                                  batch_size=args.batch_size, shuffle=x == 'train')
                   for x in ['train', 'val']}
    model_ft = pretrained_backbone(args.weights)
    set_parameter_requires_grad(model_ft, feature_extracting=True)
    # Parameters of newly constructed modules have requires_grad=True by default
    num_ftrs = model_ft.fc.in_features
    model_ft.fc = nn.Linear(num_ftrs, len(AntsAndBees.classes))
    model_ft = model_ft.to(device)

    history = []
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(filter(lambda p: p.requires_grad, model_ft.parameters()), lr=0.05, momentum=0.9)
    scheduler = lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    model_ft = train_model(model_ft, dataloaders, criterion, optimizer, scheduler, device, args.epochs, history)

    print("unfreezing the last block")
    for param in model_ft.features[-1].parameters():
        param.requires_grad = True
    print([name for name, p in model_ft.named_parameters() if p.requires_grad])
    optimizer = optim.SGD([
        {'params': model_ft.features[-1].parameters(), 'lr': 1e-3},
        {'params': model_ft.fc.parameters()},
    ], lr=1e-2, momentum=0.9)
    scheduler = lr_scheduler.MultiStepLR(optimizer, milestones=[1, 3], gamma=0.5)
    model_ft = train_model(model_ft, dataloaders, criterion, optimizer, scheduler, device, args.epochs, history)
    return history, model_ft


if __name__ == '__main__':
    main()
