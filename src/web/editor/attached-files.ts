/** Files that were added while writing, by their address, until a comment takes them over. */
const added = new Map<string, number>();

export function rememberFile(url: string, id: number): void {
  added.set(url, id);
}

/** The ids of the files in a text that were added there (`path`) while writing. */
export function filesIn(text: string, path: string): number[] {
  return [...added].filter(([url]) => url.startsWith(`${path}/`) && text.includes(url)).map(([, id]) => id);
}

/** A comment has taken the files over, so that no other can. */
export function forgetFiles(ids: readonly number[]): void {
  for (const [url, id] of added) if (ids.includes(id)) added.delete(url);
}
