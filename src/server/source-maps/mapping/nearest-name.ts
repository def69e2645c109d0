/**
 * The name that is most similar to `wanted`: the same file name, or else the same apart from a content hash, and of these the one
 * with the most folders in common, counted from the file. Undefined if no file has that name.
 */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const [file = "", ...folders] = wanted.split("/").toReversed();
  let best: { name: string; score: number } | undefined;
  for (const name of names) {
    const [otherFile = "", ...otherFolders] = name
      .replace(/\.map$/, "")
      .split("/")
      .toReversed();
    if (withoutHash(otherFile) !== withoutHash(file)) continue;
    const differing = folders.findIndex((folder, n) => folder !== otherFolders[n]);
    const common = differing === -1 ? folders.length : differing;
    const score = common + (otherFile === file ? MAX_FOLDERS : 0);
    if (!best || score > best.score) best = { name, score };
  }
  return best?.name;
}

/** More than the folders of a name. */
const MAX_FOLDERS = 1_024;

/** `app.4f1d2c.js`, `app-BxK3_a9q.js` and `app.js` are alike. */
const withoutHash = (file: string): string =>
  file
    .replace(/[.-](?=[\w-]*\d)[\w-]{4,}(?=\.\w+$)/, "")
    .replace(/[.-][\w-]{8}(?=\.\w+$)/, "")
    .toLowerCase();
