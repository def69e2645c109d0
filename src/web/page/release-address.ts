/** Browsers resolve "." and ".." in paths, and proxies may decode the others. */
const CHANGED_IN_PATHS = /^\.{1,2}$|[/\\%]/;

/** Where the page of a release is: the version is in the path if every client and proxy leaves it as it is. */
export const releaseAddress = (projectKey: string, version: string) =>
  CHANGED_IN_PATHS.test(version)
    ? ({ to: "/projects/$projectKey/release", params: { projectKey }, search: { version } } as const)
    : ({ to: "/projects/$projectKey/releases/$version", params: { projectKey, version } } as const);
