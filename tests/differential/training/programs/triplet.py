"""Metric learning: a siamese network with triplets, then a contrastive loss on pairs."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TripletDataset(Dataset):
    def __init__(self, n_classes=6, per_class=10, dim=20, seed=0):
        rng = np.random.RandomState(seed)
        self.centres = rng.randn(n_classes, dim)
        self.x = np.repeat(self.centres, per_class, axis=0) + 0.6 * rng.randn(n_classes * per_class, dim)
        self.y = np.repeat(np.arange(n_classes), per_class)
        self.rng = np.random.RandomState(seed + 1)
        self.label_to_indices = {label: np.where(self.y == label)[0] for label in set(self.y.tolist())}

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        label = int(self.y[index])
        positive = index
        while positive == index:
            positive = self.rng.choice(self.label_to_indices[label])
        other = self.rng.choice([c for c in self.label_to_indices if c != label])
        negative = self.rng.choice(self.label_to_indices[other])
        return tuple(torch.tensor(self.x[i], dtype=torch.float) for i in (index, positive, negative)), label


class EmbeddingNet(nn.Module):
    def __init__(self, dim, out=8):
        super(EmbeddingNet, self).__init__()
        self.fc = nn.Sequential(nn.Linear(dim, 32), nn.PReLU(), nn.Linear(32, 32), nn.PReLU(), nn.Linear(32, out))

    def forward(self, x):
        return F.normalize(self.fc(x), p=2, dim=1)


class TripletNet(nn.Module):
    def __init__(self, embedding_net):
        super(TripletNet, self).__init__()
        self.embedding_net = embedding_net

    def forward(self, *inputs):
        return tuple(self.embedding_net(x) for x in inputs)

    def get_embedding(self, x):
        return self.embedding_net(x)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin):
        super(ContrastiveLoss, self).__init__()
        self.margin = margin
        self.eps = 1e-9

    def forward(self, output1, output2, target, size_average=True):
        distances = (output2 - output1).pow(2).sum(1)  # squared distances
        losses = 0.5 * (target.float() * distances +
                        (1 + -1 * target).float() * F.relu(self.margin - (distances + self.eps).sqrt()).pow(2))
        return losses.mean() if size_average else losses.sum()


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=3)
    parser.add_argument('--margin', type=float, default=0.5)
    parser.add_argument('--per-class', type=int, default=10)
    args = parser.parse_args(argv)
    cuda = torch.cuda.is_available()
    torch.manual_seed(9)

    dataset = TripletDataset(per_class=args.per_class)
    loader = DataLoader(dataset, batch_size=20, shuffle=True, **({'num_workers': 1, 'pin_memory': True} if cuda else {}))
    model = TripletNet(EmbeddingNet(dataset.x.shape[1]))
    if cuda:
        model.cuda()
    triplet_loss = nn.TripletMarginLoss(margin=args.margin, p=2)
    contrastive = ContrastiveLoss(1.)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    history = []
    for epoch in range(args.epochs):
        model.train()
        for data, labels in loader:
            if cuda:
                data = tuple(d.cuda() for d in data)
                labels = labels.cuda()
            optimizer.zero_grad()
            anchor, positive, negative = model(*data)
            loss = triplet_loss(anchor, positive, negative)
            same = (labels == labels.flip(0)).long()
            loss = loss + contrastive(anchor, anchor.flip(0), same)
            loss.backward()
            optimizer.step()
            history.append(loss.item())

        model.eval()
        with torch.no_grad():
            embeddings = model.get_embedding(torch.tensor(dataset.x, dtype=torch.float))
            distances = torch.cdist(embeddings, embeddings)
            distances.fill_diagonal_(float('inf'))
            nearest = distances.argmin(dim=1)
            hit = (torch.from_numpy(dataset.y)[nearest] == torch.from_numpy(dataset.y)).float().mean()
        print('epoch {}: loss {:.4f}, nearest neighbour {:.2f}'.format(epoch, history[-1], hit.item()))
    return history, model


if __name__ == '__main__':
    main()
