"""torchvision's collections of images with boxes, masks, attributes or captions, of a few files each."""

from __future__ import annotations

from collections_of_images import collection

BOTH = "'transforms': lambda image, target: (np.asarray(image).astype(np.int64).sum(), [told(target), 1])"
"""A transform of image and target, as an item of a dictionary."""
CASES = [
    collection(
        "VOCSegmentation",
        f"""
for name in ('a', 'b', 'c'):
    for year in ('VOCdevkit/VOC2012', 'VOCdevkit/VOC2007', 'TrainVal/VOCdevkit/VOC2011'):
        picture(f'{{year}}/JPEGImages/{{name}}.jpg')
        picture(f'{{year}}/SegmentationClass/{{name}}.png', gray=True)
text('VOCdevkit/VOC2012/ImageSets/Segmentation/train.txt', ['b', 'a'])
text('VOCdevkit/VOC2012/ImageSets/Segmentation/val.txt', ['c'])
text('VOCdevkit/VOC2007/ImageSets/Segmentation/test.txt', ['c', 'a'])
text('TrainVal/VOCdevkit/VOC2011/ImageSets/Segmentation/trainval.txt', ['a'])
both = {{{BOTH}}}
for options in ({{}}, {{'image_set': 'val', **changed, 'target_transform': told}}, {{'year': '2007', 'image_set': 'test', **both}}, {{'year': '2011', 'image_set': 'trainval'}}):
    result += all_of(VOCSegmentation(folder, **options), 'images', 'masks', 'targets', 'year', 'image_set')
result += [error_of(lambda: VOCSegmentation(folder, *wrong)) for wrong in (('2013',), (2012,), ('2012', 'test'), ('2010',))]
result.append(error_of(lambda: VOCSegmentation(folder, **both, **changed)))
""",
    ),
    collection(
        "VOCDetection",
        """
for name in ('a', 'b', 'c'):
    picture(f'VOCdevkit/VOC2012/JPEGImages/{name}.jpg')
box = '<bndbox><xmin>1</xmin><ymin>2</ymin><xmax> 3 </xmax><ymax>4.5</ymax></bndbox>'
dog = f'<object><name>dog</name><pose/>{box}<part><name>head</name>{box}</part><part><name>foot</name>{box}</part></object>'
cat = f'<object><name>cat</name><difficult>0</difficult>{box}</object>'
for name, objects in (('a', dog), ('b', f'{cat}\\n{dog}'), ('c', '')):
    text(f'VOCdevkit/VOC2012/Annotations/{name}.xml', [f'<annotation><folder>VOC2012</folder>\\n<empty> </empty><source><x/></source>{objects}<size><width>5</width></size></annotation>'])
text('VOCdevkit/VOC2012/ImageSets/Main/trainval.txt', ['c', 'b', 'a'])
for options in ({}, changed):
    result += all_of(VOCDetection(folder, '2012', 'trainval', **options), 'images', 'annotations', 'targets')
result += [error_of(lambda: VOCDetection(folder, '2012', 'val')), error_of(lambda: VOCDetection(folder, '2007', 'all'))]
""",
    ),
    collection(
        "SBDataset",
        f"""
from scipy.sparse import csc_matrix
for name in ('a', 'b'):
    picture(f'img/{{name}}.jpg')
    outlines = np.empty((20, 1), object)
    for number in range(20):
        outlines[number, 0] = csc_matrix(draw.integers(0, 2, (4, 5)).astype(np.uint8))
    table(f'cls/{{name}}.mat', GTcls={{'Segmentation': draw.integers(0, 21, (4, 5), dtype=np.uint8), 'Boundaries': outlines}})
text('train.txt', ['b', 'a'])
text('val.txt', ['a'])
for options in ({{}}, {{'image_set': 'val', 'mode': 'segmentation'}}, {{'mode': 'segmentation', {BOTH}}}):
    result += all_of(SBDataset(folder, **options), 'images', 'masks', 'image_set', 'mode', 'num_classes')
result += [error_of(lambda: SBDataset(folder, *wrong)) for wrong in (('test',), ('val', 'boxes'), ('train_noval',))]
""",
    ),
    collection(
        "Cityscapes",
        f"""
for place in ('train/aachen/aachen_000000_000019', 'train/aachen/aachen_000001_000019', 'train/bonn/bonn_000000_000019', 'val/ulm/ulm_000000_000019'):
    picture(f'leftImg8bit/{{place}}_leftImg8bit.png')
    for mode in ('gtFine', 'gtCoarse'):
        for kind in ('instanceIds', 'labelIds', 'color'):
            picture(f'{{mode}}/{{place}}_{{mode}}_{{kind}}.png', gray=kind != 'color')
        write(f'{{mode}}/{{place}}_{{mode}}_polygons.json', json.dumps({{'imgHeight': 4, 'objects': [{{'label': place}}]}}).encode())
for options in ({{}}, {{'mode': 'coarse', 'target_type': 'semantic', 'transform': np.asarray}}, {{'target_type': ['polygon', 'color'], {BOTH}}}):
    d = Cityscapes(folder, **options)
    result += [in_order(d, ('images', 'targets')), d.split, d.mode, d.target_type, d.extra_repr(), told(d.images_dir), told(d.targets_dir)]
d = Cityscapes(folder, 'val', target_type=['instance', 'polygon'])
result += all_of(d, 'images', 'targets', 'classes')
result += [[type(d.classes[0]).__name__, d.classes[7].color, d.CityscapesClass._fields], Cityscapes.classes[-1].train_id]
class Own(Cityscapes):
    def _get_target_suffix(self, mode, target_type):
        return f'{{mode}}_labelIds.png' if target_type == 'color' else super()._get_target_suffix(mode, target_type)
result += all_of(Own(folder, 'val', target_type='color'), 'targets')
for wrong in (('test', 'coarse'), ('all',), ('train_extra',), ('val', 'rough'), ('val', 'fine', 'box'), ('test',)):
    result.append(error_of(lambda: Cityscapes(folder, *wrong)))
""",
    ),
    collection(
        "CelebA",
        """
names = [f'{number:06d}.jpg' for number in range(1, 8)]
for name in names:
    picture(f'celeba/img_align_celeba/{name}')
def rows(name, header, width, low, high):
    lines = [f'{one}  ' + '  '.join(map(str, draw.integers(low, high, width))) for one in names]
    text(f'celeba/{name}.txt', [*([str(len(names)), header] if header else []), *lines])
rows('identity_CelebA', '', 1, 1, 9000)
rows('list_bbox_celeba', 'image_id x_1 y_1 width height', 4, 0, 300)
rows('list_landmarks_align_celeba', 'lefteye_x lefteye_y righteye_x righteye_y nose_x nose_y leftmouth_x leftmouth_y rightmouth_x rightmouth_y', 10, 0, 200)
text('celeba/list_attr_celeba.txt', [str(len(names)), 'Bald Male Young '] + [f'{one} ' + '  '.join(map(str, draw.integers(0, 2, 3) * 2 - 1)) for one in names])
text('celeba/list_eval_partition.txt', [f'{name} {part}' for name, part in zip(names, (0, 0, 1, 2, 0, 1, 2))])
shown = ('filename', 'attr', 'attr_names', 'identity', 'bbox', 'landmarks_align', 'split', 'target_type')
for options in ({}, {'split': 'valid', 'target_type': 'identity'}, {'split': 'Test', 'target_type': ['bbox', 'landmarks']}, {'split': 'all', 'target_type': ['attr', 'identity'], **changed}, {'target_type': [], 'transform': np.asarray}):
    result += all_of(CelebA(folder, **options), *shown)
d = CelebA(folder, target_transform=lambda attributes: attributes[1])
d[0]
d.attr[d.attr == 1] = 4
result.append(told(d[0]))
d.attr = d.attr[1:]
result += [told(d[1]), len(d)]
result += [error_of(lambda: CelebA(folder, split='val')), error_of(lambda: CelebA(folder, target_type='box')[0]), error_of(lambda: CelebA(folder, target_type=[], target_transform=str))]
""",
    ),
    collection(
        "OxfordIIITPet",
        f"""
for name in ('Abyssinian_1', 'american_bulldog_2', 'Abyssinian_3'):
    picture(f'oxford-iiit-pet/images/{{name}}.jpg')
    picture(f'oxford-iiit-pet/annotations/trimaps/{{name}}.png', gray=True)
text('oxford-iiit-pet/annotations/trainval.txt', ['Abyssinian_3 1 1 1', 'american_bulldog_2 2 2 1', 'Abyssinian_1 1 1 1'])
text('oxford-iiit-pet/annotations/test.txt', ['american_bulldog_2 2 2 1'])
shown = ('classes', 'class_to_idx', 'bin_classes', 'bin_class_to_idx', '_labels', '_bin_labels', '_images', '_segs', '_split')
for options in ({{}}, {{'split': 'test', 'target_types': 'segmentation'}}, {{'target_types': ['category', 'binary-category', 'segmentation'], {BOTH}}}, {{'target_types': 'binary-category', **changed}}, {{'target_types': []}}):
    result += all_of(OxfordIIITPet(folder, **options), *shown)
result += [error_of(lambda: OxfordIIITPet(folder, 'val')), error_of(lambda: OxfordIIITPet(folder, target_types='box'))]
""",
    ),
    collection(
        "Kitti",
        f"""
for name in ('training/image_2/000000', 'training/image_2/000001', 'testing/image_2/000000'):
    picture(f'Kitti/raw/{{name}}.png')
line = 'Car 0.00 1 -1.57 614.24 181.78 727.31 284.77 1.57 1.73 4.15 1.00 1.75 13.22 -1.62'
text('Kitti/raw/training/label_2/000000.txt', [line, line.replace('Car', 'Van')])
text('Kitti/raw/training/label_2/000001.txt', [line.replace('0.00', '0.5')])
for options in ({{}}, {{'transform': np.asarray, 'target_transform': len}}, {{{BOTH}}}):
    d = Kitti(folder, **options)
    result += [in_order(d, ('images', 'targets')), d.train, d.extra_repr()]
result += all_of(Kitti(folder, train=False), 'images', 'targets')
""",
    ),
    collection(
        "WIDERFace",
        """
for part in ('train', 'val', 'test'):
    for name in ('0--Parade/1', '1--Handshaking/2'):
        picture(f'widerface/WIDER_{part}/images/{name}.jpg')
text('widerface/wider_face_split/wider_face_train_bbx_gt.txt', ['1--Handshaking/2.jpg', '2', '449 330 122 149 0 0 0 0 0 0 ', '1 2 3 4 2 1 1 2 1 1', '0--Parade/1.jpg', '0', '0 0 0 0 0 0 0 0 0 0'])
text('widerface/wider_face_split/wider_face_val_bbx_gt.txt', ['0--Parade/1.jpg', '1', '9 8 7 6 1 0 1 0 1 0'])
text('widerface/wider_face_split/wider_face_test_filelist.txt', ['0--Parade/1.jpg', '1--Handshaking/2.jpg'])
for split in ('train', 'val', 'test'):
    result += all_of(WIDERFace(folder, split), 'img_info', 'split', 'root')
result += all_of(WIDERFace(folder, **{**changed, 'target_transform': lambda known: known['bbox']}))
result.append(error_of(lambda: WIDERFace(folder, 'all')))
""",
    ),
    *[
        collection(
            kind,
            f"""
class COCO:  # what is asked of pycocotools, which may not be there
    def __init__(self, path):
        listed = json.load(open(path))
        self.imgs = {{image['id']: image for image in listed['images']}}
        self.anns = {{annotation['id']: annotation for annotation in listed['annotations']}}
    def loadImgs(self, id):
        return [self.imgs[id]]
    def getAnnIds(self, id):
        return [number for number, annotation in self.anns.items() if annotation['image_id'] == id]
    def loadAnns(self, numbers):
        return [self.anns[number] for number in numbers]
before = {{name: sys.modules.get(name) for name in ('pycocotools', 'pycocotools.coco')}}
sys.modules.update({{name: type(sys)(name) for name in before}})
sys.modules['pycocotools.coco'].COCO = COCO
for name in ('7', '3', '5'):
    picture(f'{{name}}.jpg', gray=name == '5')
images = [{{'id': number, 'file_name': f'{{number}}.jpg'}} for number in (7, 3, 5)]
annotations = [{{'id': number, 'image_id': image, 'bbox': [1, 2, 3, 4.5], 'category_id': number, 'caption': f'caption {{number}}'}} for number, image in enumerate((5, 7, 5))]
write('listed.json', json.dumps({{'images': images, 'annotations': annotations, 'categories': []}}).encode())
for options in ({{}}, changed, {{{BOTH}}}):
    d = {kind}(folder, folder + '/listed.json', **options)
    result += all_of(d, 'ids') + [sorted(d.coco.anns)]
result += [error_of(lambda: d[1.0]), error_of(lambda: {kind}(folder, folder + '/none.json'))]
sys.modules.update(before)
result.append(error_of(lambda: {kind}(folder, folder + '/none.json')) in ('ModuleNotFoundError', 'FileNotFoundError'))
""",
            "",
        )
        for kind in ("CocoDetection", "CocoCaptions")
    ],
    collection(
        "SBU",
        """
for name in ('4385058960_b0f291553e', '33_a'):
    picture(f'dataset/{name}.jpg')
write('SBUCaptionedPhotoDataset.tar.gz', b'')
text('dataset/SBU_captioned_photo_dataset_urls.txt', [f'http://static.flickr.com/2723/{name}.jpg' for name in ('4385058960_b0f291553e', '1_gone', '33_a')])
text('dataset/SBU_captioned_photo_dataset_captions.txt', ['a wooden chair', 'gone', 'two  birds '])
result += all_of(SBU(folder), 'photos', 'captions')
result += all_of(SBU(folder, download=False, **changed))
""",
        "folder + '/none', download=False",
    ),
    collection(
        "Flickr8k",
        """
for name in ('2513260012_03d33305cf', '2903617548_d3e38d7f88'):
    picture(f'{name}_x.jpg')
def entry(name, *captions):
    return f'<tr><td><a href="http://flickr.com/photos/1/{name}/">http://flickr.com/photos/1/{name}/</a></td><td><ul>' + ''.join(f'<li>{caption} </li>' for caption in captions) + '</ul></td></tr>'
text('page.html', ['<html><h5>Captions</h5><ul><li>no caption</li></ul><table>', entry('2903617548_d3e38d7f88', 'A boy .', 'A child &amp; a dog .'), '<tr><td>Image Not Found</td><td><ul><li>Nobody .</li></ul></td></tr>', entry('2513260012_03d33305cf', 'Two dogs .'), '</table></html>'])
result += all_of(Flickr8k(folder, folder + '/page.html'), 'ids', 'annotations', 'ann_file')
result += all_of(Flickr8k(folder, folder + '/page.html', **changed))
""",
        "folder, folder + '/none'",
    ),
    collection(
        "Flickr30k",
        """
for name in ('1000092795', '10002456'):
    picture(f'{name}.jpg')
text('captions.token', ['10002456.jpg#0\\tA man .', '1000092795.jpg#0\\tTwo men .', '10002456.jpg#1\\tA worker .'])
result += all_of(Flickr30k(folder, folder + '/captions.token'), 'ids', 'annotations', 'ann_file')
result += all_of(Flickr30k(folder, folder + '/captions.token', **changed))
""",
        "folder, folder + '/none'",
    ),
]
