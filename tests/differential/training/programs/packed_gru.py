"""Names and the language they are from: a GRU over packed sequences."""
import argparse
import unicodedata

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader, Dataset

NAMES = {
    "Italian": ["Rossi", "Bianchi", "Esposito", "Ricci", "Marino", "Greco"],
    "German": ["Müller", "Schmidt", "Schneider", "Fischer", "Weber", "Wagner"],
    "Polish": ["Nowak", "Kowalski", "Wiśniewski", "Wójcik", "Kamiński", "Lewandowski"],
}


def unicode_to_ascii(s):
    return "".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn").lower()


class NameDataset(Dataset):
    def __init__(self):
        self.countries = sorted(NAMES)
        self.samples = [(unicode_to_ascii(name), country) for country in self.countries for name in NAMES[country]]

    def __getitem__(self, index):
        return self.samples[index]

    def __len__(self):
        return len(self.samples)

    def get_country_id(self, country):
        return self.countries.index(country)


def create_variable(tensor):
    if torch.cuda.is_available():
        return tensor.cuda()
    return tensor


def make_variables(dataset, names, countries):
    sequences = [[ord(c) for c in name] for name in names]
    seq_lengths = torch.LongTensor([len(seq) for seq in sequences])
    seq_tensor = torch.zeros((len(sequences), seq_lengths.max())).long()
    for idx, (seq, seq_len) in enumerate(zip(sequences, seq_lengths)):
        seq_tensor[idx, :seq_len] = torch.LongTensor(seq)
    # Sort tensors by decreasing length
    seq_lengths, perm_idx = seq_lengths.sort(0, descending=True)
    seq_tensor = seq_tensor[perm_idx]
    target = torch.LongTensor([dataset.get_country_id(c) for c in countries])[perm_idx]
    # (batch, time) => (time, batch)
    return create_variable(seq_tensor.t()), seq_lengths, create_variable(target)


class RNNClassifier(nn.Module):
    def __init__(self, input_size, hidden_size, output_size, n_layers=1, bidirectional=True):
        super(RNNClassifier, self).__init__()
        self.hidden_size = hidden_size
        self.n_layers = n_layers
        self.n_directions = int(bidirectional) + 1
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, n_layers, bidirectional=bidirectional)
        self.fc = nn.Linear(hidden_size * self.n_directions * 2, output_size)

    def forward(self, input, seq_lengths):
        batch_size = input.size(1)
        hidden = self._init_hidden(batch_size)
        embedded = self.embedding(input)
        gru_input = pack_padded_sequence(embedded, seq_lengths.data.cpu().numpy())
        output, hidden = self.gru(gru_input, hidden)
        unpacked, lengths = pad_packed_sequence(output)
        mean = unpacked.sum(dim=0) / lengths.to(unpacked.device).unsqueeze(1).float()
        last = torch.cat([hidden[-2], hidden[-1]], dim=1) if self.n_directions == 2 else hidden[-1]
        return self.fc(torch.cat([mean, last], dim=1))

    def _init_hidden(self, batch_size):
        hidden = torch.zeros(self.n_layers * self.n_directions, batch_size, self.hidden_size)
        return create_variable(hidden)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=6)
    args = parser.parse_args(argv)
    torch.manual_seed(0)

    dataset = NameDataset()
    loader = DataLoader(dataset=dataset, batch_size=args.batch_size, shuffle=True)
    classifier = RNNClassifier(128, 16, len(dataset.countries), n_layers=2)
    if torch.cuda.is_available():
        classifier.cuda()
    optimizer = torch.optim.Adam(classifier.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()

    history = []
    for epoch in range(1, args.epochs + 1):
        classifier.train()
        for i, (names, countries) in enumerate(loader, 1):
            input, seq_lengths, target = make_variables(dataset, names, countries)
            output = classifier(input, seq_lengths)
            loss = criterion(output, target)
            classifier.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        print("[{}] {:.3f}".format(epoch, history[-1]))

    classifier.eval()
    input, lengths, target = make_variables(dataset, *zip(*dataset.samples))
    pred = classifier(input, lengths).data.max(1, keepdim=True)[1]
    print("correct", pred.eq(target.data.view_as(pred)).cpu().sum().item(), "of", len(dataset))
    return history, classifier


if __name__ == "__main__":
    main()
