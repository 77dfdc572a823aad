// The environment variables that the server is started with. No `vscode` here.

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Tells the server where the packages are that the project uses: in the environment that is active in the Python
 * extension, else in one that was active when the editor was started, else beside the Python that the private
 * environment was made with. The server looks for it in VIRTUAL_ENV and CONDA_PREFIX, in this order.
 */
export function serverEnvironment(
    inherited: Variables,
    active: string | undefined,
    basePrefix: string | undefined,
): Variables {
    const isActivated = Boolean(inherited['VIRTUAL_ENV'] || inherited['CONDA_PREFIX']);
    const folder = active ?? (isActivated ? undefined : basePrefix);
    return folder === undefined ? inherited : { ...inherited, VIRTUAL_ENV: folder };
}
