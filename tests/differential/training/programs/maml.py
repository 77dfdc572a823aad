"""Model-agnostic meta-learning: steps of an inner loop that the outer gradient goes through."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Learner(nn.Module):
    """A small convolutional classifier whose weights may be given from outside."""

    def __init__(self, ways):
        super().__init__()
        self.vars = nn.ParameterList()
        for shape in ((6, 1, 3, 3), (8, 6, 3, 3)):
            weight = nn.Parameter(torch.ones(*shape))
            nn.init.kaiming_normal_(weight)
            self.vars.extend([weight, nn.Parameter(torch.zeros(shape[0]))])
            self.vars.extend([nn.Parameter(torch.ones(shape[0])), nn.Parameter(torch.zeros(shape[0]))])
        weight = nn.Parameter(torch.ones(ways, 8 * 2 * 2))
        nn.init.kaiming_normal_(weight)
        self.vars.extend([weight, nn.Parameter(torch.zeros(ways))])

    def forward(self, x, vars=None):
        if vars is None:
            vars = self.vars
        for block in range(2):
            w, b, gamma, beta = vars[4 * block: 4 * block + 4]
            x = F.conv2d(x, w, b, stride=1, padding=1)
            x = F.batch_norm(x, None, None, weight=gamma, bias=beta, training=True)
            x = F.max_pool2d(F.relu(x), 2)
        return F.linear(x.view(x.size(0), -1), vars[8], vars[9])

    def parameters(self):
        return self.vars


class Meta(nn.Module):
    def __init__(self, ways, update_lr, meta_lr, update_step):
        super().__init__()
        self.update_lr = update_lr
        self.update_step = update_step
        self.net = Learner(ways)
        self.meta_optim = torch.optim.Adam(self.net.parameters(), lr=meta_lr)

    def forward(self, x_spt, y_spt, x_qry, y_qry):
        losses_q = 0
        corrects = 0
        for task in range(x_spt.size(0)):
            fast_weights = list(self.net.parameters())
            for _ in range(self.update_step):
                loss = F.cross_entropy(self.net(x_spt[task], fast_weights), y_spt[task])
                grad = torch.autograd.grad(loss, fast_weights, create_graph=True)
                fast_weights = list(map(lambda p: p[1] - self.update_lr * p[0], zip(grad, fast_weights)))
            logits_q = self.net(x_qry[task], fast_weights)
            losses_q = losses_q + F.cross_entropy(logits_q, y_qry[task])
            with torch.no_grad():
                corrects += torch.eq(logits_q.argmax(dim=1), y_qry[task]).sum().item()
        loss_q = losses_q / x_spt.size(0)
        self.meta_optim.zero_grad()
        loss_q.backward()
        self.meta_optim.step()
        return loss_q.item(), corrects


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--episodes', type=int, default=100)
    parser.add_argument('--ways', type=int, default=3)
    parser.add_argument('--shots', type=int, default=2)
    parser.add_argument('--tasks', type=int, default=2)
    args = parser.parse_args(argv)
    torch.manual_seed(222)

    maml = Meta(args.ways, update_lr=0.1, meta_lr=1e-3, update_step=2)
    losses = []
    for episode in range(args.episodes):
        classes = torch.randn(args.tasks, args.ways, 1, 1, 8, 8)
        labels = torch.arange(args.ways).repeat_interleave(args.shots)
        shape = (args.tasks, args.ways, args.shots, 1, 8, 8)
        support = (classes + 0.3 * torch.randn(shape)).view(args.tasks, -1, 1, 8, 8)
        query = (classes + 0.3 * torch.randn(shape)).view(args.tasks, -1, 1, 8, 8)
        y = labels.expand(args.tasks, -1)
        loss, corrects = maml(support, y, query, y)
        losses.append(loss)
        print('episode', episode, 'loss', round(loss, 5), 'correct', corrects)
    return losses, maml.net


if __name__ == '__main__':
    main()
