import { normalizeTrace } from "../../normalize-trace.ts";
import { digest } from "../../own-fingerprint.ts";
import type { NamedFrame } from "./frames.ts";

/** Part of every fingerprint. Increase it when the normalization changes, which splits groups. */
const NORMALIZATION = 1;

/** The fingerprint of an event by its class and what `normalizedFrames` returns. */
export const fingerprintOfFrames = (exceptionClass: string, normalized: string): Buffer =>
  digest(`sentry ${NORMALIZATION} ${exceptionClass.length}\n${exceptionClass}\n${normalized}`);

/** The lines that identify where an error occurred: function and file of each frame, newest first. */
export function normalizedFrames(frames: readonly NamedFrame[]): string {
  const own = frames.filter(({ isOwn }) => isOwn);
  const lines = (own.length > 0 ? own : frames).map(
    ({ name, file }) => `at ${name} (${normalizedFile(file ?? "")})`,
  );
  return normalizeTrace(lines.join("\n"));
}

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i;
const LIBRARY_FOLDERS = ["node_modules/", "site-packages/", "dist-packages/", "go/pkg/mod/"];

/** Removes what differs by host, origin and build: `https://a.example/assets/cart-9f8e7d6c.js` becomes `/assets/cart.js`. */
function normalizedFile(file: string): string {
  return withoutHash(withinLibrary(file.replaceAll("\\", "/").replace(ORIGIN, "")));
}

/** The path within a library, independent of the folder where libraries are installed. */
function withinLibrary(path: string): string {
  for (const folder of LIBRARY_FOLDERS) {
    // Few paths contain it, and a forward search takes a fraction of the time.
    if (!path.includes(folder)) continue;
    const start = path.lastIndexOf(folder);
    if (start === 0 || path[start - 1] === "/") return path.slice(start + folder.length);
  }
  if (!path.includes("/gems/")) return path;
  const gem = path.lastIndexOf("/gems/") + 6;
  const end = path.indexOf("/", gem);
  return end !== -1 && /-\d/.test(path.slice(gem, end)) ? path.slice(end + 1) : path;
}

// Rollup and Vite use hashes of 8 characters, which may contain `-` and `_`.
const HASH_AT_END = [/[.\-_~]([\da-zA-Z_-]{8})$/, /[.\-_~]([\da-zA-Z]{6,64})$/];
const SCRIPT_END = /(?:\.(?:chunk|bundle|min|module|esm)){0,3}\.[cm]?js$/;

/** Removes the content hash from names such as `main.9f8e7d6c.chunk.js` and `cart-BkR3aZ1x.js`. */
function withoutHash(file: string): string {
  const end = file.endsWith("js") ? SCRIPT_END.exec(file) : null;
  if (!end) return file;
  const base = file.slice(0, end.index);
  const hashed = HASH_AT_END.map((pattern) => pattern.exec(base)).find(
    (match) => match && isHash(match[1] ?? ""),
  );
  return hashed ? base.slice(0, hashed.index) + end[0] : file;
}

/** Unlike hashes, words have no digits and rarely more than two capitals. */
function isHash(part: string): boolean {
  if (/^[\da-f]+$/.test(part)) return /\d/.test(part);
  return (part.length === 8 || part.length >= 16) && /\d|[A-Z].*[A-Z].*[A-Z]/.test(part);
}
