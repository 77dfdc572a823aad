import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsTorch } from '../src/torchImports';

const WITH = ['import torch', 'x = 1\nfrom torch.nn import Linear\n', 'def f():\n    import torchvision as t\n'];
const WITHOUT = ['', '# import torch', 'import torchx', 'x = "torch"\n', 'from mindspore import nn'];

test('a file with PyTorch is one that imports it', () => {
    assert.deepEqual(WITH.map(importsTorch), [true, true, true]);
    assert.deepEqual(WITHOUT.map(importsTorch), [false, false, false, false, false]);
});
