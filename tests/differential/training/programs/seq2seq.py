"""Reverses sequences of tokens with an encoder, attention and a decoder."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD_token, SOS_token, EOS_token = 0, 1, 2


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size, dropout_p=0.1):
        super(EncoderRNN, self).__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(hidden_size * 2, hidden_size)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, input):
        embedded = self.dropout(self.embedding(input))
        output, hidden = self.gru(embedded)
        hidden = torch.tanh(self.bridge(torch.cat((hidden[-2], hidden[-1]), dim=1)))
        return output, hidden.unsqueeze(0)


class BahdanauAttention(nn.Module):
    def __init__(self, hidden_size):
        super(BahdanauAttention, self).__init__()
        self.Wa = nn.Linear(hidden_size, hidden_size)
        self.Ua = nn.Linear(hidden_size * 2, hidden_size)
        self.Va = nn.Linear(hidden_size, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys)))
        scores = scores.squeeze(2).unsqueeze(1)
        weights = F.softmax(scores, dim=-1)
        context = torch.bmm(weights, keys)
        return context, weights


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size, dropout_p=0.1):
        super(AttnDecoderRNN, self).__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.attention = BahdanauAttention(hidden_size)
        self.gru = nn.GRU(3 * hidden_size, hidden_size, batch_first=True)
        self.out = nn.Linear(hidden_size, output_size)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, encoder_outputs, encoder_hidden, max_length, target_tensor=None, teacher_forcing=1.0):
        batch_size = encoder_outputs.size(0)
        decoder_input = torch.empty(batch_size, 1, dtype=torch.long, device=encoder_outputs.device).fill_(SOS_token)
        decoder_hidden = encoder_hidden
        decoder_outputs = []
        attentions = []

        for i in range(max_length):
            decoder_output, decoder_hidden, attn_weights = self.forward_step(
                decoder_input, decoder_hidden, encoder_outputs)
            decoder_outputs.append(decoder_output)
            attentions.append(attn_weights)

            if target_tensor is not None and random.random() < teacher_forcing:
                # Teacher forcing: Feed the target as the next input
                decoder_input = target_tensor[:, i].unsqueeze(1)
            else:
                # Without teacher forcing: use its own predictions as the next input
                _, topi = decoder_output.topk(1)
                decoder_input = topi.squeeze(-1).detach()  # detach from history as input

        decoder_outputs = torch.cat(decoder_outputs, dim=1)
        decoder_outputs = F.log_softmax(decoder_outputs, dim=-1)
        attentions = torch.cat(attentions, dim=1)
        return decoder_outputs, decoder_hidden, attentions

    def forward_step(self, input, hidden, encoder_outputs):
        embedded = self.dropout(self.embedding(input))
        query = hidden.permute(1, 0, 2)
        context, attn_weights = self.attention(query, encoder_outputs)
        input_gru = torch.cat((embedded, context), dim=2)
        output, hidden = self.gru(input_gru, hidden)
        output = self.out(output)
        return output, hidden, attn_weights


def random_pairs(count, length, vocab):
    rng = random.Random(6)
    pairs = [[rng.randrange(3, vocab) for _ in range(length - 1)] for _ in range(count)]
    source = torch.LongTensor([tokens + [EOS_token] for tokens in pairs])
    target = torch.LongTensor([tokens[::-1] + [EOS_token] for tokens in pairs])
    return source, target


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--steps', type=int, default=100)
    parser.add_argument('--hidden', type=int, default=24)
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--teacher-forcing', type=float, default=0.5)
    parser.add_argument('--batch', type=int, default=12)
    args = parser.parse_args(argv)
    random.seed(0)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    vocab, length = 15, 6
    encoder = EncoderRNN(vocab, args.hidden, args.dropout).to(device)
    decoder = AttnDecoderRNN(args.hidden, vocab, args.dropout).to(device)
    encoder_optimizer = torch.optim.Adam(encoder.parameters(), lr=0.005)
    decoder_optimizer = torch.optim.Adam(decoder.parameters(), lr=0.005)
    criterion = nn.NLLLoss(ignore_index=PAD_token)
    source, target = random_pairs(args.steps * args.batch, length, vocab)

    losses = []
    for step in range(args.steps):
        rows = slice(step * args.batch, (step + 1) * args.batch)
        input_tensor, target_tensor = source[rows].to(device), target[rows].to(device)
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        encoder_outputs, encoder_hidden = encoder(input_tensor)
        decoder_outputs, _, _ = decoder(encoder_outputs, encoder_hidden, length, target_tensor, args.teacher_forcing)
        loss = criterion(
            decoder_outputs.view(-1, decoder_outputs.size(-1)),
            target_tensor.view(-1)
        )
        loss.backward()
        encoder_optimizer.step()
        decoder_optimizer.step()
        losses.append(loss.item())
        if step % 4 == 0:
            print('(%d %d%%) %.4f' % (step, step / args.steps * 100, loss.item()))

    encoder.eval()
    decoder.eval()
    with torch.no_grad():
        outputs, hidden, attentions = decoder(*encoder(source[:1].to(device)), length)
        decoded = outputs.argmax(-1).squeeze().tolist()
    print(source[0].tolist(), '->', decoded, 'attention', tuple(attentions.shape))
    return losses, (encoder, decoder)


if __name__ == '__main__':
    main()
