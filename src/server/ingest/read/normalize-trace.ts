import { PathScanner, startOfPlainPath } from "./path-start.ts";

/**
 * Removes from a trace what differs between hosts that run the same code: line ends become `\n`, each path loses everything
 * before its last `vendor/` directory, and `/var/www/` and `/home/<user>/` are removed at the start of paths. Normalizing
 * twice changes nothing more. Takes linear time.
 *
 * A path starts
 * - at the start of a line, and after whitespace, a quote or one of `,;|<>`;
 * - after `://`: what follows `file://` is a path, and what follows `https://` starts with the host;
 * - after a colon followed by a slash, unless it is the colon of a drive;
 * - after one of `([{=@:` if a slash follows, or if the path so far has no slash (`/app/[id]/a.js` is one path).
 *
 * It ends where the next path starts. An absolute path may contain whitespace, except before a slash, in three cases:
 * between two equal quotes, between parentheses, and at the start of a frame if its line number follows:
 * `#0 /srv/my app/a.php(12)`, `from /srv/my app/a.rb:3`.
 */
export function normalizeTrace(trace: string): string {
  const text = trace.includes("\r") ? trace.replace(/\r\n?/g, "\n") : trace;
  return collapseVendors(text).replace(HOST_PREFIX, "");
}

// Matches the first slash of the prefix, then looks back at what may precede a path: the characters in path-start.ts except
// the colon of a drive, and `://`. Removes all slashes after the prefix, or the rest could contain another prefix:
// `/var/www//home/u/`.
const HOST_PREFIX =
  /\/(?<=(?:^|[\t-\r "'`,;|<>([{=@]|(?<!(?:^|[^A-Za-z])[A-Za-z]):(?:\/\/)?)\/)(?:var\/www|home\/[^\t-\r "'`,;|<>([{=:/]+)\/+/g;

/** Removes everything before the last `vendor/` directory of each path. */
function collapseVendors(text: string): string {
  let hit = nextVendor(text, 0);
  if (hit === -1) return text;
  let paths: PathScanner | undefined;
  let out = "";
  let kept = 0;
  for (; hit !== -1; hit = nextVendor(text, hit + 7)) {
    let start = startOfPlainPath(text, hit, kept);
    if (start === -1) start = (paths ??= new PathScanner(text)).startOfPathAt(hit);
    // If the start is at or before `kept`, this is another vendor directory of the same path.
    if (start > kept) out += text.slice(kept, start);
    kept = hit;
  }
  return out + text.slice(kept);
}

/** The next `vendor/` that is a directory in a path. Windows paths often mix both kinds of slashes. */
function nextVendor(text: string, from: number): number {
  for (let at = text.indexOf("vendor/", from); at !== -1; at = text.indexOf("vendor/", at + 7)) {
    const before = text.charCodeAt(at - 1);
    if (before === 47 || before === 92) return at;
  }
  return -1;
}
