import mindport_helpers as helpers
import mindspore


class DigitNet(helpers.Module):
    """Two convolutions and two linear layers."""

    def __init__(self, num_classes=10, dropout=0.25):
        super().__init__()
        self.conv1 = helpers.Conv2d(1, 8, kernel_size=3)
        self.conv2 = helpers.Conv2d(8, 16, kernel_size=3)
        self.dropout = helpers.Dropout(dropout)
        self.fc1 = helpers.Linear(16 * 6 * 6, 32)
        self.fc2 = helpers.Linear(32, num_classes)

    def construct(self, x):
        x = helpers.relu(self.conv1(x))
        x = helpers.relu(self.conv2(x))
        x = helpers.max_pool2d(x, 2)
        x = self.dropout(mindspore.ops.flatten(x, start_dim=1))
        x = helpers.relu(self.fc1(x))
        return self.fc2(x)
