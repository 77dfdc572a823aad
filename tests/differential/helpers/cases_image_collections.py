"""torchvision's collections of images, each with a few files as those who publish them arrange them."""

from __future__ import annotations

from case import script
from cases_image_data import D
from collections_of_images import LAID_OUT, collection

CASES = [
    collection(
        "EMNIST",
        """
for part, count in (('train', 5), ('test', 3)):
    for split in ('letters', 'balanced'):
        write(f'EMNIST/raw/emnist-{split}-{part}-images-idx3-ubyte', idx(draw.integers(0, 256, (count, 28, 28), dtype=np.uint8)))
        write(f'EMNIST/raw/emnist-{split}-{part}-labels-idx1-ubyte', idx(draw.integers(0, 26, (count,), dtype=np.uint8)))
for train in (True, False):
    d = EMNIST(folder, 'letters', train=train)
    result += all_of(d, 'data', 'targets', 'classes', 'class_to_idx', 'split', 'train', 'images_file', 'labels_file')
result += all_of(EMNIST(folder, split='balanced', **changed), 'classes')
result += [EMNIST.splits, EMNIST.classes_split_dict]
result += [error_of(lambda: EMNIST(folder, 'all')), error_of(lambda: EMNIST(folder, 'digits'))]
""",
        "folder + '/none', 'letters'",
    ),
    collection(
        "QMNIST",
        """
def numbers(values):
    return struct.pack('>BBBB', 0, 0, 12, 2) + struct.pack('>II', *values.shape) + values.astype('>i4').tobytes()
for part in ('qmnist-train', 'qmnist-test', 'xnist'):
    count = 10003 if part == 'qmnist-test' else 3
    write(f'QMNIST/raw/{part}-images-idx3-ubyte', idx(draw.integers(0, 256, (count, 2, 3), dtype=np.uint8)))
    write(f'QMNIST/raw/{part}-labels-idx2-int', numbers(draw.integers(0, 90000, (count, 8))))
for what in ('train', 'test50k', 'nist', None):
    result += all_of(QMNIST(folder, what), 'data', 'targets', 'what', 'compat', 'classes')
for what in ('test10k', 'test'):
    d = QMNIST(folder, what=what, compat=False)
    result += [len(d), told(d[2]), d.data.shape, d.targets[-1]]
result += all_of(QMNIST(folder, compat=False, train=True, **changed))
result += [len(QMNIST(folder, train=False)), error_of(lambda: QMNIST(folder, 'all'))]
""",
    ),
    collection(
        "MovingMNIST",
        """
os.makedirs(folder + '/MovingMNIST')
np.save(folder + '/MovingMNIST/mnist_test_seq.npy', draw.integers(0, 256, (20, 3, 4, 4), dtype=np.uint8))
for options in ({}, {'split': 'train'}, {'split': 'test', 'split_ratio': 7}):
    d = MovingMNIST(folder, **options)
    result += [len(d), d[1], d.data, d.split, d.split_ratio]
result += [MovingMNIST(folder, transform=lambda frames: frames.sum())[2]]
result += [error_of(lambda: MovingMNIST(folder, split)) for split in ('val', 3)]
result += [error_of(lambda: MovingMNIST(folder, split_ratio=ratio)) for ratio in (0.5, 20)]
""",
    ),
    collection(
        "USPS",
        """
for name, count in (('usps.bz2', 4), ('usps.t.bz2', 3)):
    rows = draw.uniform(-1, 1, (count, 256)).round(4)
    lines = [str(number % 10 + 1) + ' ' + ' '.join(f'{place + 1}:{value}' for place, value in enumerate(row)) for number, row in enumerate(rows)]
    write(name, bz2.compress('\\n'.join(lines).encode() + b'\\n'))
for train in (True, False):
    result += all_of(USPS(folder, train), 'data', 'targets')
result += all_of(USPS(folder, **changed))
""",
    ),
    collection(
        "SEMEION",
        """
labels = np.eye(10)[[3, 0, 9]]
np.savetxt(folder + '/semeion.data', np.concatenate([draw.integers(0, 2, (3, 256)), labels], 1), fmt='%.4f')
result += all_of(SEMEION(folder), 'data', 'labels')
result += all_of(SEMEION(folder, download=False, **changed))
""",
        "folder + '/none', download=False",
    ),
    collection(
        "FER2013",
        """
def pixels():
    return ' '.join(map(str, draw.integers(0, 256, 48 * 48)))
def rows(name, header, lines):
    text('fer2013/' + name, [','.join(header)] + [','.join(line) for line in lines])
rows('train.csv', ['emotion', 'pixels'], [[str(k), pixels()] for k in range(3)])
rows('test.csv', ['pixels'], [[pixels()] for _ in range(2)])
for split in ('train', 'test'):
    result += all_of(FER2013(folder, split), '_samples')
uses = ('Training', 'PublicTest', 'Training', 'PrivateTest')
rows('icml_face_data.csv', ['emotion', ' Usage', ' pixels'], [[str(k), use, pixels()] for k, use in enumerate(uses)])
for split in ('train', 'test'):
    result += all_of(FER2013(folder, split, **changed))
rows('fer2013.csv', ['emotion', 'pixels', 'Usage'], [[str(k), pixels(), use] for k, use in enumerate(uses)])
for split in ('train', 'test'):
    result += all_of(FER2013(folder, split=split))
result.append(error_of(lambda: FER2013(folder, 'val')))
""",
    ),
    collection(
        "Flowers102",
        """
for number in range(1, 7):
    picture(f'flowers-102/jpg/image_{number:05d}.jpg')
table('flowers-102/imagelabels.mat', labels=np.array([[5, 1, 102, 77, 5, 2]], np.uint8))
table('flowers-102/setid.mat', trnid=np.array([[6, 1]], np.uint16), valid=np.array([[2, 3]], np.uint16), tstid=np.array([[5, 4]], np.uint16))
for split in ('train', 'val', 'test'):
    result += all_of(Flowers102(folder, split), '_labels', '_image_files', 'classes')
result += all_of(Flowers102(folder, loader=lambda path: Image.open(path).convert('L'), **changed))
result.append(error_of(lambda: Flowers102(folder, 'all')))
""",
    ),
    collection(
        "Food101",
        """
for name in ('pizza/1', 'pizza/2', 'apple_pie/3', 'apple_pie/4'):
    picture(f'food-101/images/{name}.jpg')
write('food-101/meta/train.json', json.dumps({'pizza': ['pizza/2'], 'apple_pie': ['apple_pie/4', 'apple_pie/3']}).encode())
write('food-101/meta/test.json', json.dumps({'apple_pie': [], 'pizza': ['pizza/1']}).encode())
for split in ('train', 'test'):
    result += all_of(Food101(folder, split), '_labels', '_image_files', 'classes', 'class_to_idx')
result += all_of(Food101(folder, **changed))
result.append(error_of(lambda: Food101(folder, 'val')))
""",
    ),
    collection(
        "DTD",
        """
for name in ('woven/1', 'banded/2', 'dotted/3'):
    picture(f'dtd/dtd/images/{name}.jpg')
text('dtd/dtd/labels/train1.txt', ['woven/1.jpg', 'banded/2.jpg'])
text('dtd/dtd/labels/test7.txt', ['woven/1.jpg', 'dotted/3.jpg', 'banded/2.jpg'])
for options in ({}, {'split': 'test', 'partition': 7, **changed}):
    result += all_of(DTD(folder, **options), '_labels', '_image_files', 'classes', 'class_to_idx')
result += [error_of(lambda: DTD(folder, 'all')), error_of(lambda: DTD(folder, 'val')), error_of(lambda: DTD(folder, partition=0.5))]
""",
    ),
    collection(
        "FGVCAircraft",
        """
for name in ('01', '02', '03'):
    picture(f'fgvc-aircraft-2013b/data/images/{name}.jpg')
text('fgvc-aircraft-2013b/data/variants.txt', ['707-320', 'A300B4', 'Cessna 172'])
text('fgvc-aircraft-2013b/data/families.txt', ['A300', 'Boeing 707'])
text('fgvc-aircraft-2013b/data/manufacturers.txt', ['Airbus', 'Boeing'])
text('fgvc-aircraft-2013b/data/images_variant_trainval.txt', ['02 Cessna 172', '01 707-320'])
text('fgvc-aircraft-2013b/data/images_family_test.txt', ['03 Boeing 707'])
text('fgvc-aircraft-2013b/data/images_manufacturer_train.txt', ['03 Airbus', '01 Boeing'])
for options in ({}, {'split': 'test', 'annotation_level': 'family'}, {'split': 'train', 'annotation_level': 'manufacturer', **changed}):
    result += all_of(FGVCAircraft(folder, **options), '_labels', '_image_files', 'classes', 'class_to_idx')
result += [error_of(lambda: FGVCAircraft(folder, 'all')), error_of(lambda: FGVCAircraft(folder, annotation_level='all'))]
""",
    ),
    collection(
        "SUN397",
        """
for name in ('a/abbey/sun_1', 'a/abbey/sun_2', 'b/bar/indoor/sun_3', 'b/bar/indoor/other'):
    picture(f'SUN397/{name}.jpg')
text('SUN397/ClassName.txt', ['/a/abbey', '/b/bar/indoor'])
d = SUN397(folder)
result += [d.classes, d.class_to_idx, in_order(d, ('_labels', '_image_files'))]
result += [sorted(str(sample) for sample in SUN397(folder, **changed)), d.extra_repr()]
""",
    ),
    collection(
        "CLEVRClassification",
        """
for name in ('train/CLEVR_train_000001', 'train/CLEVR_train_000000', 'val/CLEVR_val_000000', 'test/CLEVR_test_000000'):
    picture(f'clevr/CLEVR_v1.0/images/{name}.png')
def scenes(split, **counts):
    write(f'clevr/CLEVR_v1.0/scenes/CLEVR_{split}_scenes.json', json.dumps({'scenes': [{'image_filename': f'{name}.png', 'objects': [{}] * count} for name, count in counts.items()]}).encode())
scenes('train', CLEVR_train_000001=3, CLEVR_train_000000=10)
scenes('val', CLEVR_val_000000=4)
for split in ('train', 'val', 'test'):
    result += all_of(CLEVRClassification(folder, split), '_labels', '_image_files')
result += all_of(CLEVRClassification(folder, **changed))
result.append(error_of(lambda: CLEVRClassification(folder, 'all')))
""",
    ),
    collection(
        "StanfordCars",
        """
def rows(*pairs):
    made = np.zeros(len(pairs), dtype=[('class', object), ('fname', object)])
    for place, (label, name) in enumerate(pairs):
        made[place] = (np.array([[label]], np.uint8), name)
    return made
for name in ('cars_train/1', 'cars_train/2', 'cars_test/1', 'cars_test/2'):
    picture(f'stanford_cars/{name}.jpg')
table('stanford_cars/devkit/cars_train_annos.mat', annotations=rows((2, '1.jpg'), (1, '2.jpg')))
table('stanford_cars/cars_test_annos_withlabels.mat', annotations=rows((196, '2.jpg'), (3, '1.jpg')))
table('stanford_cars/devkit/cars_meta.mat', class_names=np.array(['AM General', 'Acura RL', 'BMW X5'], object))
for split in ('train', 'test'):
    result += all_of(StanfordCars(folder, split), '_samples', 'classes', 'class_to_idx')
result += all_of(StanfordCars(folder, **changed))
result.append(error_of(lambda: StanfordCars(folder, 'val')))
""",
    ),
    collection(
        "GTSRB",
        """
for name in ('Training/00001/1', 'Training/00000/2', 'Final_Test/Images/00000', 'Final_Test/Images/00001'):
    picture(f'gtsrb/GTSRB/{name}.ppm')
text('gtsrb/GT-final_test.csv', ['Filename;Width;ClassId', '00001.ppm;53; 16', '00000.ppm;42;1'])
for split in ('train', 'test'):
    result += all_of(GTSRB(folder, split), '_samples')
result += all_of(GTSRB(folder, **changed))
result.append(error_of(lambda: GTSRB(folder, 'val')))
""",
    ),
    collection(
        "RenderedSST2",
        """
for name in ('train/positive/1', 'train/negative/2', 'valid/positive/3', 'valid/negative/4', 'test/negative/5', 'test/positive/6'):
    picture(f'rendered-sst2/{name}.png')
for split in ('train', 'val', 'test'):
    result += all_of(RenderedSST2(folder, split), '_samples', 'classes', 'class_to_idx')
result += all_of(RenderedSST2(folder, **changed))
result.append(error_of(lambda: RenderedSST2(folder, 'valid')))
""",
    ),
    collection(
        "Imagenette",
        """
for name in ('imagenette2/train/n02979186/1', 'imagenette2/train/n01440764/2', 'imagenette2/val/n03888257/3', 'imagenette2-160/val/n03425413/4'):
    picture(f'{name}.jpeg')
for options in ({}, {'split': 'val'}, {'split': 'val', 'size': '160px', 'download': True, **changed}):
    result += all_of(Imagenette(folder, **options), '_samples', 'classes', 'class_to_idx', 'wnids', 'wnid_to_idx')
result += [error_of(lambda: Imagenette(folder, *wrong)) for wrong in (('test',), ('train', '320px'), ('train', 'small'))]
""",
    ),
    collection(
        "EuroSAT",
        """
for name in ('River/2', 'River/1', 'Forest/3'):
    picture(f'eurosat/2750/{name}.jpg')
result += all_of(EuroSAT(folder), 'samples', 'imgs', 'targets', 'classes', 'class_to_idx', 'root')
result += all_of(EuroSAT(folder, download=True, **changed))
""",
    ),
    collection(
        "Country211",
        """
for name in ('train/DE/2', 'train/AU/1', 'valid/AU/3', 'test/AU/4'):
    picture(f'country211/{name}.jpg')
for split in ('train', 'valid', 'test'):
    result += all_of(Country211(folder, split), 'samples', 'targets', 'classes', 'class_to_idx', 'root')
result += all_of(Country211(folder, **changed))
result += [error_of(lambda: Country211(folder, 'val'))]
""",
    ),
    script(
        f"torch.save {D}ImageNet",
        LAID_OUT
        + """
unchecked(ImageNet)
for name in ('train/n01443537/1', 'train/n01440764/2', 'val/n01440764/3'):
    picture(f'{name}.JPEG')
result = [error_of(lambda: ImageNet(folder))]
rows = np.zeros(3, dtype=[(name, object) for name in ('ILSVRC2012_ID', 'WNID', 'words', 'gloss', 'num_children')])
for place, (wnid, words, children) in enumerate((('n01440764', 'tench, Tinca tinca', 0), ('n01443537', 'goldfish', 0), ('n00000000', 'fish', 2))):
    rows[place] = (place + 1, wnid, words, '', children)
table('ILSVRC2012_devkit_t12/data/meta.mat', synsets=rows)
text('ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt', ['1'])
with tarfile.open(folder + '/ILSVRC2012_devkit_t12.tar.gz', 'w:gz') as packed:
    packed.add(folder + '/ILSVRC2012_devkit_t12', 'ILSVRC2012_devkit_t12')
result += all_of(ImageNet(folder), 'samples', 'imgs', 'targets', 'classes', 'class_to_idx', 'wnids', 'wnid_to_idx', 'root', 'split', 'split_folder')
if os.path.exists(folder + '/meta.bin'):
    os.remove(folder + '/meta.bin')
os.remove(folder + '/ILSVRC2012_devkit_t12.tar.gz')
save(({'n01440764': ('tench', 'old name'), 'n01443537': ('goldfish',)}, ['n01440764']), folder + '/meta.bin')
result += all_of(ImageNet(folder, 'val', **changed), 'classes', 'class_to_idx')
result += [error_of(lambda: ImageNet(folder, 'test')), error_of(lambda: ImageNet(folder + '/none'))]
""",
    ),
    collection(
        "Places365",
        """
text('categories_places365.txt', ['/a/airfield 0', '/b/bar 1', '/a/attic 2'])
text('places365_train_standard.txt', ['/b/bar/1.jpg 1', '/a/attic/2.jpg 2'])
text('places365_train_challenge.txt', ['/b/bar/1.jpg 1'])
text('places365_val.txt', ['v1.jpg 0'])
text('places365_test.txt', ['t1.jpg', 't2.jpg'])
for name in ('data_large_standard/b/bar/1', 'data_large_standard/a/attic/2', 'data_256_challenge/b/bar/1', 'val_256/v1', 'test_large/t1', 'test_large/t2'):
    picture(f'{name}.jpg')
shown = ('imgs', 'targets', 'classes', 'class_to_idx', 'images_dir', 'variant', 'split', 'small')
for options in ({}, {'split': 'train-challenge', 'small': True, 'download': True}, {'split': 'val', 'small': True, **changed}, {'split': 'test'}):
    result += all_of(Places365(folder, **options), *shown)
result.append(error_of(lambda: Places365(folder, 'train')))
""",
    ),
    collection(
        "Omniglot",
        """
for name in ('images_background/Latin/character01/1', 'images_background/Latin/character01/2', 'images_background/Greek/character01/3', 'images_evaluation/Futurama/character01/4'):
    picture(f'omniglot-py/{name}.png')
for name in ('images_background', 'images_evaluation'):
    write(f'omniglot-py/{name}.zip', b'')
d = Omniglot(folder)
result += [len(d), sorted(d._alphabets), sorted(d._characters), sorted(len(pairs) for pairs in d._character_images), told(d.target_folder), d.background]
pairs = [(pair, told(d[place])) for place, pair in enumerate(d._flat_character_images)]
result += [sorted(([d._characters[number], name, image[0], image[1].tolist()] for (name, number), (image, label) in pairs if label == number))]
result += all_of(Omniglot(folder, background=False), '_flat_character_images', '_characters', '_character_images')
result += all_of(Omniglot(folder, False, loader=Image.open, **changed))
""",
    ),
    collection(
        "Caltech101",
        """
for name in ('Faces/image_0001', 'Faces/image_0002', 'ant/image_0001', 'BACKGROUND_Google/image_0001'):
    picture(f'caltech101/101_ObjectCategories/{name}.jpg')
for name in ('Faces_2/annotation_0001', 'Faces_2/annotation_0002', 'ant/annotation_0001'):
    table(f'caltech101/Annotations/{name}.mat', obj_contour=draw.uniform(0, 9, (2, 5)))
for options in ({}, {'target_type': 'annotation'}, {'target_type': ['category', 'annotation'], **changed}):
    result += all_of(Caltech101(folder, **options), 'categories', 'annotation_categories', 'index', 'y', 'target_type', 'root')
result.append(error_of(lambda: Caltech101(folder, 'all')))
""",
    ),
    collection(
        "Caltech256",
        """
for name in ('001.ak47/001_0001', '001.ak47/001_0002', '002.flag/002_0001'):
    picture(f'caltech256/256_ObjectCategories/{name}.jpg')
text('caltech256/256_ObjectCategories/002.flag/notes.txt', ['x'])
for options in ({}, changed):
    result += all_of(Caltech256(folder, **options), 'categories', 'index', 'y', 'root')
""",
    ),
    collection(
        "INaturalist",
        """
for name in ('00000_Animalia_Chordata_Aves_Passeriformes_Corvidae_Corvus_corax', '00001_Plantae_Bryophyta_Bryopsida_Hypnales_Hylocomiaceae_Hylocomium_splendens', '00002_Animalia_Chordata_Aves_Passeriformes_Corvidae_Pica_pica'):
    picture(f'2021_valid/{name}/1.jpg')
for name in ('Aves/Corvus', 'Aves/Pica', 'Plantae/Abies'):
    picture(f'2017/{name}/1.jpg')
for name in ('Aves/2', 'Aves/0', 'Plantae/1'):
    picture(f'2018/{name}/1.jpg')
for name in ('Aves/0', 'Aves/2'):
    picture(f'2019/{name}/1.jpg')
shown = ('all_categories', 'categories_index', 'categories_map', 'index', 'target_type', 'version', 'root')
for options in (('2021_valid',), ('2021_valid', ['full', 'genus', 'kingdom']), ('2017',), ('2018', 'super'), ('2018', ['super', 'full'])):
    d = INaturalist(folder, *options)
    result += all_of(d, *shown) + [d.category_name('full', 1)]
result += [d.category_name('super', 1), error_of(lambda: d.category_name('super', 5)), error_of(lambda: d.category_name('genus', 0))]
result += all_of(INaturalist(folder, '2017', loader=lambda path: Image.open(path).convert('L'), **changed))
os.makedirs(folder + '/2021_train_mini/3_x')
result += [error_of(lambda: INaturalist(folder, *wrong)) for wrong in (('2020',), ('2019',), ('2021_train_mini',), ('2018', 'genus'), ('2021_valid', 'super'))]
""",
    ),
    collection(
        "LFWPeople",
        """
for name in ('Ann/Ann_0001', 'Ann/Ann_0002', 'Bob/Bob_0001', 'Cid/Cid_0001', 'Cid/Cid_0002'):
    for kind in ('lfw_funneled', 'lfw'):
        picture(f'lfw-py/{kind}/{name}.jpg')
for name in ('lfw-funneled.tgz', 'lfw.tgz'):
    write(f'lfw-py/{name}', b'')
text('lfw-py/lfw-names.txt', ['Ann\\t2', 'Bob\\t1', 'Cid\\t2'])
text('lfw-py/people.txt', ['2', '1', 'Cid\\t2', '2', 'Ann\\t2', 'Bob\\t1'])
text('lfw-py/peopleDevTrain.txt', ['2', 'Ann\\t2', 'Bob\\t1'])
text('lfw-py/peopleDevTest.txt', ['1', 'Cid\\t2'])
text('lfw-py/pairs.txt', ['2\\t1', 'Ann\\t1\\t2', 'Ann\\t2\\tBob\\t1', 'Cid\\t1\\t2', 'Bob\\t1\\tCid\\t2'])
text('lfw-py/pairsDevTrain.txt', ['2', 'Ann\\t1\\t2', 'Cid\\t2\\t1', 'Ann\\t2\\tBob\\t1', 'Cid\\t1\\tBob\\t1'])
for options in ({}, {'split': 'train'}, {'split': 'Test', 'image_set': 'original', **changed}):
    result += all_of(LFWPeople(folder, **options), 'data', 'targets', 'class_to_idx', 'images_dir', 'split', 'image_set', 'view', 'labels_file', 'root')
result += [error_of(lambda: LFWPeople(folder, download=True)), error_of(lambda: LFWPeople(folder, 'val'))]
""",
    ),
    collection(
        "LFWPairs",
        """
for name in ('Ann/Ann_0001', 'Ann/Ann_0002', 'Bob/Bob_0001', 'Cid/Cid_0001', 'Cid/Cid_0002'):
    for kind in ('lfw_funneled', 'lfw'):
        picture(f'lfw-py/{kind}/{name}.jpg')
for name in ('lfw-funneled.tgz', 'lfw.tgz'):
    write(f'lfw-py/{name}', b'')
text('lfw-py/lfw-names.txt', ['Ann\\t2', 'Bob\\t1', 'Cid\\t2'])
text('lfw-py/pairs.txt', ['2\\t1', 'Ann\\t1\\t2', 'Ann\\t2\\tBob\\t1', 'Cid\\t1\\t2', 'Bob\\t1\\tCid\\t2'])
text('lfw-py/pairsDevTrain.txt', ['2', 'Ann\\t1\\t2', 'Cid\\t2\\t1', 'Ann\\t2\\tBob\\t1', 'Cid\\t1\\tBob\\t1'])
for options in ({}, {'split': 'train', **changed}):
    result += all_of(LFWPairs(folder, **options), 'data', 'targets', 'pair_names', 'view', 'labels_file')
result += [error_of(lambda: LFWPairs(folder, image_set='all')), error_of(lambda: LFWPairs(folder, 'test'))]
""",
    ),
    collection(
        "PCAM",
        """
class File:  # what is asked of h5py, which may not be there
    def __init__(self, path):
        self.values = np.load(path)
    def __enter__(self):
        return self.values
    def __exit__(self, *error):
        self.values.close()
before, sys.modules['h5py'] = sys.modules.get('h5py'), type(sys)('h5py')
sys.modules['h5py'].File = File
for part in ('train', 'valid', 'test'):
    for kind, shape in (('x', (3, 4, 4, 3)), ('y', (3, 1, 1, 1))):
        path = f'pcam/camelyonpatch_level_2_split_{part}_{kind}.h5'
        write(path, b'')
        with open(os.path.join(folder, path), 'wb') as file:
            np.savez(file, **{kind: draw.integers(0, 256 if kind == 'x' else 2, shape, dtype=np.uint8)})
for split in ('train', 'val', 'test'):
    result += all_of(PCAM(folder, split))
result += all_of(PCAM(folder, **changed))
result += [error_of(lambda: PCAM(folder, 'valid')), error_of(lambda: PCAM(folder + '/none'))]
sys.modules['h5py'] = before
""",
        "",
    ),
]
