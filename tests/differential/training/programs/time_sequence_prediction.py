"""Learns to continue sine waves with two LSTM cells, trained by LBFGS."""
from __future__ import print_function
import argparse
import torch
import torch.nn as nn
import torch.optim as optim
import numpy as np


def generate_sine_wave(n, length, period):
    np.random.seed(2)
    x = np.empty((n, length), 'int64')
    x[:] = np.array(range(length)) + np.random.randint(-4 * period, 4 * period, n).reshape(n, 1)
    return np.sin(x / 1.0 / period).astype('float32')


class Sequence(nn.Module):
    def __init__(self):
        super(Sequence, self).__init__()
        self.lstm1 = nn.LSTMCell(1, 11)
        self.lstm2 = nn.LSTMCell(11, 11)
        self.linear = nn.Linear(11, 1)

    def forward(self, input, future=0):
        outputs = []
        h_t = torch.zeros(input.size(0), 11, dtype=torch.float)
        c_t = torch.zeros(input.size(0), 11, dtype=torch.float)
        h_t2 = torch.zeros(input.size(0), 11, dtype=torch.float)
        c_t2 = torch.zeros(input.size(0), 11, dtype=torch.float)

        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(input_t, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs += [output]
        for i in range(future):  # if we should predict the future
            h_t, c_t = self.lstm1(output, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs += [output]
        outputs = torch.cat(outputs, dim=1)
        return outputs


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--steps', type=int, default=15, help='steps to run')
    parser.add_argument('--length', type=int, default=1000)
    parser.add_argument('--period', type=int, default=20)
    parser.add_argument('--future', type=int, default=1000)
    parser.add_argument('--max-iter', type=int, default=20)
    parser.add_argument('--lr', type=float, default=0.8)
    opt = parser.parse_args(argv)
    # set random seed to 0
    np.random.seed(0)
    torch.manual_seed(0)
    # load data and make training set
    data = generate_sine_wave(12, opt.length, opt.period)
    input = torch.from_numpy(data[3:, :-1])
    target = torch.from_numpy(data[3:, 1:])
    test_input = torch.from_numpy(data[:3, :-1])
    test_target = torch.from_numpy(data[:3, 1:])
    # build the model
    seq = Sequence()
    criterion = nn.MSELoss()
    # use LBFGS as optimizer since we can load the whole data to train
    optimizer = optim.LBFGS(seq.parameters(), lr=opt.lr, max_iter=opt.max_iter)
    losses = []
    # begin to train
    for i in range(opt.steps):
        print('STEP: ', i)

        def closure():
            optimizer.zero_grad()
            out = seq(input)
            loss = criterion(out, target)
            print('loss:', loss.item())
            losses.append(loss.item())
            loss.backward()
            return loss

        optimizer.step(closure)
        # begin to predict, no need to track gradient here
        with torch.no_grad():
            pred = seq(test_input, future=opt.future)
            loss = criterion(pred[:, :-opt.future], test_target)
            print('test loss:', loss.item())
            losses.append(loss.item())
            y = pred.detach().numpy()
        print('future of the first wave:', y[0][input.size(1):][:3])
    return losses, seq


if __name__ == '__main__':
    main()
