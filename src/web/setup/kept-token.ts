const keyOf = (projectId: number) => `setup-token-${projectId}`;

/**
 * The token that setup created, for a reload of its page. The server shows it once. It is kept in this tab only, and
 * only until setup is finished.
 */
export const keptToken = {
  read: (projectId: number) => attempt(() => sessionStorage.getItem(keyOf(projectId))) ?? undefined,
  keep: (projectId: number, token: string) => attempt(() => sessionStorage.setItem(keyOf(projectId), token)),
  forget: (projectId: number) => attempt(() => sessionStorage.removeItem(keyOf(projectId))),
};

/** Storage may be blocked. Then the token lives as long as the page. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
