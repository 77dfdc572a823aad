'''Train small residual networks on CIFAR-like pictures.'''
import argparse
import os
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.backends.cudnn as cudnn
from torch.utils.data import Dataset, DataLoader


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, in_planes, planes, stride=1):
        super(BasicBlock, self).__init__()
        self.conv1 = nn.Conv2d(in_planes, planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, kernel_size=3, stride=1, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)

        self.shortcut = nn.Sequential()
        if stride != 1 or in_planes != self.expansion * planes:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_planes, self.expansion * planes, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(self.expansion * planes)
            )

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += self.shortcut(x)
        out = F.relu(out)
        return out


class ResNet(nn.Module):
    def __init__(self, block, num_blocks, num_classes=10, width=8):
        super(ResNet, self).__init__()
        self.in_planes = width

        self.conv1 = nn.Conv2d(3, width, kernel_size=3, stride=1, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.layer1 = self._make_layer(block, width, num_blocks[0], stride=1)
        self.layer2 = self._make_layer(block, width * 2, num_blocks[1], stride=2)
        self.layer3 = self._make_layer(block, width * 4, num_blocks[2], stride=2)
        self.linear = nn.Linear(width * 4 * block.expansion, num_classes)

    def _make_layer(self, block, planes, num_blocks, stride):
        strides = [stride] + [1] * (num_blocks - 1)
        layers = []
        for stride in strides:
            layers.append(block(self.in_planes, planes, stride))
            self.in_planes = planes * block.expansion
        return nn.Sequential(*layers)

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.layer1(out)
        out = self.layer2(out)
        out = self.layer3(out)
        out = F.avg_pool2d(out, 8)
        out = out.view(out.size(0), -1)
        out = self.linear(out)
        return out


def ResNet8():
    return ResNet(BasicBlock, [1, 1, 1])


class Pictures(Dataset):
    mean = torch.tensor([0.4914, 0.4822, 0.4465]).view(3, 1, 1)
    std = torch.tensor([0.2023, 0.1994, 0.2010]).view(3, 1, 1)

    def __init__(self, train, length):
        rng = np.random.default_rng(10 if train else 11)
        self.labels = rng.integers(0, 10, length)
        noise = rng.uniform(0, 0.5, (length, 3, 32, 32))
        pattern = np.stack([np.outer(np.sin(np.arange(32) * (k + 1) / 5), np.ones(32)) for k in range(10)])
        self.data = (noise + 0.25 * (1 + pattern[self.labels][:, None])).astype('float32')

    def __getitem__(self, index):
        img = torch.from_numpy(self.data[index])
        return (img - self.mean) / self.std, torch.tensor(self.labels[index], dtype=torch.long)

    def __len__(self):
        return len(self.labels)


best_acc = 0  # best test accuracy


def train(epoch, net, trainloader, criterion, optimizer, device, history):
    print('\nEpoch: %d' % epoch)
    net.train()
    train_loss = 0
    correct = 0
    total = 0
    start = time.time()
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()

        train_loss += loss.item()
        history.append(loss.item())
        _, predicted = outputs.max(1)
        total += targets.size(0)
        correct += predicted.eq(targets).sum().item()

        sys.stdout.write('%d/%d Loss: %.3f | Acc: %.3f%% (%d/%d)\n'
                         % (batch_idx, len(trainloader), train_loss / (batch_idx + 1), 100. * correct / total,
                            correct, total))
    print('%.1f s' % (time.time() - start))


def test(epoch, net, testloader, criterion, device, history, folder):
    global best_acc
    net.eval()
    test_loss = 0
    correct = 0
    total = 0
    with torch.no_grad():
        for batch_idx, (inputs, targets) in enumerate(testloader):
            inputs, targets = inputs.to(device), targets.to(device)
            outputs = net(inputs)
            loss = criterion(outputs, targets)

            test_loss += loss.item()
            _, predicted = outputs.max(1)
            total += targets.size(0)
            correct += predicted.eq(targets).sum().item()
    history.append(test_loss / len(testloader))

    # Save checkpoint.
    acc = 100. * correct / total
    if acc >= best_acc:
        print('Saving..')
        state = {
            'net': net.state_dict(),
            'acc': acc,
            'epoch': epoch,
        }
        if not os.path.isdir(folder):
            os.mkdir(folder)
        torch.save(state, os.path.join(folder, 'ckpt.pth'))
        best_acc = acc


def main(argv=None):
    parser = argparse.ArgumentParser(description='PyTorch CIFAR Training')
    parser.add_argument('--lr', default=0.1, type=float, help='learning rate')
    parser.add_argument('--resume', '-r', action='store_true', help='resume from checkpoint')
    parser.add_argument('--epochs', default=200, type=int)
    parser.add_argument('--batch-size', default=128, type=int)
    parser.add_argument('--length', default=1024, type=int)
    parser.add_argument('--folder', default='checkpoint')
    args = parser.parse_args(argv)

    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    start_epoch = 0  # start from epoch 0 or last checkpoint epoch

    # Data
    print('==> Preparing data..')
    trainloader = DataLoader(Pictures(True, args.length), batch_size=args.batch_size, shuffle=True, num_workers=0)
    testloader = DataLoader(Pictures(False, args.length // 4), batch_size=100, shuffle=False, num_workers=0)

    # Model
    print('==> Building model..')
    net = ResNet8()
    net = net.to(device)
    if device == 'cuda':
        net = torch.nn.DataParallel(net)
        cudnn.benchmark = True

    if args.resume:
        # Load checkpoint.
        print('==> Resuming from checkpoint..')
        assert os.path.isdir(args.folder), 'Error: no checkpoint directory found!'
        checkpoint = torch.load(os.path.join(args.folder, 'ckpt.pth'))
        net.load_state_dict(checkpoint['net'])
        start_epoch = checkpoint['epoch']

    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=200)

    history = []
    for epoch in range(start_epoch, start_epoch + args.epochs):
        train(epoch, net, trainloader, criterion, optimizer, device, history)
        test(epoch, net, testloader, criterion, device, history, args.folder)
        scheduler.step()
        print('lr', scheduler.get_last_lr())
    return history, net


if __name__ == '__main__':
    main()
