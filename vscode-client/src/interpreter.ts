// Which commands may start the server, best first. No `vscode` here: plain logic, tested by itself.

import { substitute, type Places } from './substitute';

/** How to call mindport: `command ...args` followed by its own arguments, such as `serve --stdio`. */
export interface Launcher {
    readonly command: string;
    readonly args: readonly string[];
    /**
     * Where the command comes from: the settings `mindport.path` and `mindport.interpreter`, the Python
     * extension, the PATH, or the private environment made from what is bundled.
     */
    readonly origin: 'pathSetting' | 'interpreterSetting' | 'pythonExtension' | 'path' | 'private';
    /** True when `command` is a Python interpreter, which can be asked for its own version. */
    readonly isInterpreter: boolean;
}

/** What the user chose, and what the choice of a server depends on beside that. */
export interface Surroundings {
    /** The value of `mindport.path`, as the user wrote it. */
    readonly path: readonly string[];
    /** The value of `mindport.importStrategy`. */
    readonly importStrategy: 'fromEnvironment' | 'useBundled';
    /** The value of `mindport.interpreter`, as the user wrote it. */
    readonly interpreter: readonly string[];
    /** The interpreter of the environment that is active in the Python extension, if any. */
    readonly activeEnvironment: string | undefined;
    readonly places: Places;
}

/** The minor versions of Python 3 that are looked for by name where `python3` is too old or absent. */
const NAMED_MINORS = [14, 13, 12, 11, 10];

/** The programs named by `mindport.path`, in order; none if it is not set. */
export function pathLaunchers({ path, places }: Surroundings): Launcher[] {
    return stated(path).map((entry) => ({
        command: substitute(entry, places),
        args: [],
        origin: 'pathSetting',
        isInterpreter: false,
    }));
}

/** The entries of a list in which something is written. */
export function stated(entries: readonly string[]): readonly string[] {
    return entries.filter((entry) => entry.trim() !== '');
}

/** The commands that may run a mindport the user installed, in order. A setting excludes all others. */
export function environmentLaunchers(surroundings: Surroundings): Launcher[] {
    const chosen = chosenInterpreters(surroundings);
    if (stated(surroundings.interpreter).length > 0) {
        return chosen;
    }
    const script: Launcher = { command: 'mindport', args: [], origin: 'path', isInterpreter: false };
    const [first = 'python3', second = 'python'] = plainNames(surroundings.places.platform);
    return [...chosen, script, interpreter(first, 'path'), interpreter(second, 'path')];
}

/** The interpreters a private environment may be made with, in order. A setting excludes all others. */
export function basePythons(surroundings: Surroundings): Launcher[] {
    const chosen = chosenInterpreters(surroundings);
    if (stated(surroundings.interpreter).length > 0) {
        return chosen;
    }
    const { platform } = surroundings.places;
    const named = platform === 'win32' ? ['py'] : NAMED_MINORS.map((minor) => `python3.${minor}`);
    return [...chosen, ...[...plainNames(platform), ...named].map((name) => interpreter(name, 'path'))];
}

/** The interpreters of the setting, else the one of the Python extension; none without either. */
function chosenInterpreters({ interpreter: setting, activeEnvironment, places }: Surroundings): Launcher[] {
    const named = stated(setting);
    if (named.length > 0) {
        return named.map((entry) => interpreter(substitute(entry, places), 'interpreterSetting'));
    }
    return activeEnvironment === undefined ? [] : [interpreter(activeEnvironment, 'pythonExtension')];
}

/** Isolated, so that Python imports nothing from the current folder or from what environment variables name. */
function interpreter(command: string, origin: Launcher['origin']): Launcher {
    return { command, args: ['-I', '-m', 'mindport'], origin, isInterpreter: true };
}

function plainNames(platform: NodeJS.Platform): string[] {
    return platform === 'win32' ? ['python', 'python3'] : ['python3', 'python'];
}
