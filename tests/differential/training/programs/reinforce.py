"""REINFORCE with a baseline on a cart that has to stay in the middle."""
import argparse
from collections import deque
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

SavedAction = deque


class Corridor:
    """Ten places in a row; the reward is at the right end."""

    def __init__(self, size=10):
        self.size = size

    def reset(self):
        self.place, self.time = self.size // 2, 0
        return self._state()

    def _state(self):
        return np.array([self.place / self.size, self.time / 20, 1.0], dtype=np.float32)

    def step(self, action):
        self.time += 1
        self.place = min(max(self.place + (1 if action == 1 else -1), 0), self.size - 1)
        done = self.place == self.size - 1 or self.time >= 20
        return self._state(), (1.0 if self.place == self.size - 1 else -0.05), done


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(3, 24)
        self.action_head = nn.Linear(24, 2)
        self.value_head = nn.Linear(24, 1)

        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        action_scores = self.action_head(x)
        state_values = self.value_head(x)
        return F.softmax(action_scores, dim=-1), state_values


def select_action(model, state):
    state = torch.from_numpy(state).float()
    probs, state_value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append((m.log_prob(action), state_value, m.entropy()))
    return action.item()


def finish_episode(model, optimizer, gamma):
    eps = np.finfo(np.float32).eps.item()
    R = 0
    policy_losses, value_losses, entropies = [], [], []
    returns = deque()
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.appendleft(R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for (log_prob, value, entropy), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
        entropies.append(entropy)
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum() - 0.01 * torch.stack(entropies).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss.item()


def main(argv=None):
    parser = argparse.ArgumentParser(description='policy gradient example')
    parser.add_argument('--gamma', type=float, default=0.99, metavar='G')
    parser.add_argument('--seed', type=int, default=543, metavar='N')
    parser.add_argument('--episodes', type=int, default=200)
    parser.add_argument('--log-interval', type=int, default=5, metavar='N')
    args = parser.parse_args(argv)

    env = Corridor()
    torch.manual_seed(args.seed)
    model = Policy()
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    running_reward = 0.0
    losses = []
    for i_episode in count(1):
        state = env.reset()
        ep_reward = 0
        for t in range(1, 10000):  # Don't infinite loop while learning
            action = select_action(model, state)
            state, reward, done = env.step(action)
            model.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = 0.05 * ep_reward + (1 - 0.05) * running_reward
        losses.append(finish_episode(model, optimizer, args.gamma))
        if i_episode % args.log_interval == 0:
            print('Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}'.format(i_episode, ep_reward, running_reward))
        if i_episode >= args.episodes:
            break
    return losses, model


if __name__ == '__main__':
    main()
