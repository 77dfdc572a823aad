"""torchaudio.datasets: data sets of speech, in the folders of their archives, downloaded if asked."""

import csv
import os
from pathlib import Path


class SpeechDatasetBase(Dataset):
    """What data sets of speech have in common: a folder, and for each sample its file."""

    _path = ""

    def _expect(self, root, folder, download, url):
        """Says where the files are, and gets them if asked for."""
        self._path = os.path.join(os.fspath(root), folder)
        if download and not os.path.isdir(self._path):
            download_and_extract_archive(url, os.fspath(root))
        if not os.path.exists(self._path):
            message = "Please check the ``root`` path or set `download=True` to download it"
            raise RuntimeError(f"The path {self._path} doesn't exist. {message}")

    def _sound(self, path, sample_rate):
        """A file's wave, which has to have the rate of the data set."""
        waveform, found = load_sound(path)
        if found != sample_rate:
            raise ValueError(f"sample rate should be {sample_rate}, but got {found}")
        return waveform

    def __len__(self):
        return len(self._walker)


class SPEECHCOMMANDS(SpeechDatasetBase):
    """torchaudio.datasets.SPEECHCOMMANDS."""

    def __init__(
        self,
        root,
        url="speech_commands_v0.02",
        folder_in_archive="SpeechCommands",
        download=False,
        subset=None,
    ):
        if subset is not None and subset not in ("training", "validation", "testing"):
            raise ValueError(
                "When `subset` is not None, it must be one of ['training', 'validation', 'testing']."
            )
        version = os.path.basename(url).split(".tar")[0]
        address = url if "/" in url else f"https://download.tensorflow.org/data/{url}.tar.gz"
        self._archive = os.path.join(os.fspath(root), folder_in_archive)
        if download and not os.path.isdir(os.path.join(self._archive, version)):
            download_and_extract_archive(address, os.fspath(root), os.path.join(self._archive, version))
        self._expect(self._archive, version, False, address)
        self._walker = self._files_of(subset)

    def _listed(self, name):
        with open(os.path.join(self._path, name), encoding="utf-8") as lines:
            return [os.path.normpath(os.path.join(self._path, line.strip())) for line in lines]

    def _files_of(self, subset):
        if subset in ("validation", "testing"):
            return self._listed(f"{subset}_list.txt")
        left = set()
        if subset == "training":
            left = {*self._listed("validation_list.txt"), *self._listed("testing_list.txt")}
        every = sorted(str(path) for path in Path(self._path).glob("*/*.wav"))
        return [
            path
            for path in every
            if "_nohash_" in path and "_background_noise_" not in path and os.path.normpath(path) not in left
        ]

    def get_metadata(self, n):
        """The file, its rate, the word, the speaker and the number of the utterance."""
        path = os.path.relpath(self._walker[n], self._archive)
        folder, name = os.path.split(path)
        speaker, number = os.path.splitext(os.path.splitext(name)[0])[0].split("_nohash_")
        return path, 16000, os.path.split(folder)[1], speaker, int(number)

    def __getitem__(self, n):
        path, *known = self.get_metadata(n)
        return (self._sound(os.path.join(self._archive, path), known[0]), *known)


class YESNO(SpeechDatasetBase):
    """torchaudio.datasets.YESNO."""

    def __init__(
        self,
        root,
        url="http://www.openslr.org/resources/1/waves_yesno.tar.gz",
        folder_in_archive="waves_yesno",
        download=False,
    ):
        self._expect(root, folder_in_archive, download, url)
        self._walker = sorted(path.stem for path in Path(self._path).glob("*.wav"))

    def __getitem__(self, n):
        name = self._walker[n]
        waveform, rate = load_sound(os.path.join(self._path, name + ".wav"))
        return waveform, rate, [int(each) for each in name.split("_")]


class LIBRISPEECH(SpeechDatasetBase):
    """torchaudio.datasets.LIBRISPEECH."""

    def __init__(self, root, url="train-clean-100", folder_in_archive="LibriSpeech", download=False):
        part = os.path.basename(url).split(".tar")[0]
        address = url if "/" in url else f"http://www.openslr.org/resources/12/{url}.tar.gz"
        self._archive = os.path.join(os.fspath(root), folder_in_archive)
        self._url = part
        self._expect(root, os.path.join(folder_in_archive, part), download, address)
        self._walker = sorted(path.stem for path in Path(self._path).glob("*/*/*.flac"))

    def get_metadata(self, n):
        """The file, its rate, what is said, the speaker, the chapter and the utterance."""
        name = self._walker[n]
        speaker, chapter, utterance = name.split("-")
        path = os.path.join(self._url, speaker, chapter, name + ".flac")
        texts = os.path.join(self._path, speaker, chapter, f"{speaker}-{chapter}.trans.txt")
        with open(texts, encoding="utf-8") as lines:
            spoken = dict(line.strip().split(" ", 1) for line in lines)
        if name not in spoken:
            raise FileNotFoundError(f"Translation not found for {name}")
        return path, 16000, spoken[name], int(speaker), int(chapter), int(utterance)

    def __getitem__(self, n):
        path, *known = self.get_metadata(n)
        return (self._sound(os.path.join(self._archive, path), known[0]), *known)


class LJSPEECH(SpeechDatasetBase):
    """torchaudio.datasets.LJSPEECH."""

    def __init__(
        self,
        root,
        url="https://data.keithito.com/data/speech/LJSpeech-1.1.tar.bz2",
        folder_in_archive="wavs",
        download=False,
    ):
        version = os.path.basename(url).split(".tar")[0]
        self._expect(root, version, download, url)
        self._sounds = os.path.join(self._path, folder_in_archive)
        with open(os.path.join(self._path, "metadata.csv"), newline="", encoding="utf-8") as lines:
            self._walker = list(csv.reader(lines, delimiter="|", quoting=csv.QUOTE_NONE))

    def __getitem__(self, n):
        name, transcript, normalized = self._walker[n]
        waveform, rate = load_sound(os.path.join(self._sounds, name + ".wav"))
        return waveform, rate, transcript, normalized


class LIBRITTS(SpeechDatasetBase):
    """torchaudio.datasets.LIBRITTS."""

    def __init__(self, root, url="train-clean-100", folder_in_archive="LibriTTS", download=False):
        part = os.path.basename(url).split(".tar")[0]
        address = url if "/" in url else f"http://www.openslr.org/resources/60/{url}.tar.gz"
        self._expect(root, os.path.join(folder_in_archive, part), download, address)
        self._walker = sorted(path.stem for path in Path(self._path).glob("*/*/*.wav"))

    def __getitem__(self, n):
        name = self._walker[n]
        speaker, chapter, _, _ = name.split("_")
        start = os.path.join(self._path, speaker, chapter, name)
        texts = []
        for ending in (".original.txt", ".normalized.txt"):
            with open(start + ending, encoding="utf-8") as lines:
                texts.append(lines.readline())
        waveform, rate = load_sound(start + ".wav")
        return (waveform, rate, *texts, int(speaker), int(chapter), name)


class CMUARCTIC(SpeechDatasetBase):
    """torchaudio.datasets.CMUARCTIC."""

    def __init__(self, root, url="aew", folder_in_archive="ARCTIC", download=False):
        part = os.path.basename(url).split(".tar")[0]
        part = part if "/" in url else f"cmu_us_{part}_arctic"
        packed = f"http://festvox.org/cmu_arctic/packed/{part}.tar.bz2"
        self._expect(root, os.path.join(folder_in_archive, part), download, url if "/" in url else packed)
        with open(os.path.join(self._path, "etc", "txt.done.data"), encoding="utf-8") as lines:
            self._walker = [line.strip() for line in lines]

    def __getitem__(self, n):
        name, transcript = self._walker[n].split(" ", 2)[1:]
        waveform, rate = load_sound(os.path.join(self._path, "wav", name + ".wav"))
        return waveform, rate, transcript[1:-3], name.split("_")[1]


class COMMONVOICE(SpeechDatasetBase):
    """torchaudio.datasets.COMMONVOICE."""

    def __init__(self, root, tsv="train.tsv"):
        self._path = os.fspath(root)
        with open(os.path.join(self._path, tsv), encoding="utf-8") as lines:
            rows = csv.reader(lines, delimiter="\t")
            self._header = next(rows)
            self._walker = list(rows)

    def __getitem__(self, n):
        row = self._walker[n]
        path = os.path.join(self._path, "clips", row[1])
        waveform, rate = load_sound(path if path.endswith(".mp3") else path + ".mp3")
        return waveform, rate, dict(zip(self._header, row))


class VCTK_092(SpeechDatasetBase):
    """torchaudio.datasets.VCTK_092."""

    def __init__(
        self,
        root,
        mic_id="mic2",
        download=False,
        url="https://datashare.is.ed.ac.uk/bitstream/handle/10283/3443/VCTK-Corpus-0.92.zip",
        audio_ext=".flac",
    ):
        if mic_id not in ("mic1", "mic2"):
            raise RuntimeError(f'`mic_id` has to be either "mic1" or "mic2". Found: {mic_id}')
        self._path = os.path.join(os.fspath(root), "VCTK-Corpus-0.92")
        if download and not os.path.isdir(self._path):
            download_and_extract_archive(url, os.fspath(root), self._path)
        self._expect(root, "VCTK-Corpus-0.92", False, url)
        self._mic_id, self._audio_ext = mic_id, audio_ext
        self._walker = list(self._samples())

    def _samples(self):
        texts, sounds = (os.path.join(self._path, name) for name in ("txt", "wav48_silence_trimmed"))
        for speaker in sorted(os.listdir(texts)):
            if speaker == "p280" and self._mic_id == "mic2":
                continue  # recorded with the other microphone alone
            for path in sorted(Path(texts, speaker).glob("*.txt")):
                name = f"{path.stem}_{self._mic_id}{self._audio_ext}"
                if speaker == "p362" and not os.path.isfile(os.path.join(sounds, speaker, name)):
                    continue
                yield speaker, path.stem.split("_")[1]

    def __getitem__(self, n):
        speaker, utterance = self._walker[n]
        with open(os.path.join(self._path, "txt", speaker, f"{speaker}_{utterance}.txt")) as lines:
            transcript = lines.readlines()[0]
        name = f"{speaker}_{utterance}_{self._mic_id}{self._audio_ext}"
        sound = os.path.join(self._path, "wav48_silence_trimmed", speaker, name)
        return (*load_sound(sound), transcript, speaker, utterance)
