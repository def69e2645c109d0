import { MAX_ARTIFACT_NAME } from "../../../shared/source-maps.ts";
import { exceedsCodePoints } from "../../../shared/text.ts";

/** Why a name is not one of an artifact; undefined if it is. */
export function nameError(name: string): string | undefined {
  if (!name.startsWith("~/") || name === "~/")
    return "must have a name of ~/ and a path, such as ~/assets/app.js.map";
  if (exceedsCodePoints(name, MAX_ARTIFACT_NAME))
    return `must have a name of at most ${MAX_ARTIFACT_NAME} characters`;
  const path = name.slice(2);
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "must have a name with a relative path after ~/";
  if (path.split("/").includes("..")) return "must have a name without ..";
  if (path.includes("\\")) return "must have a name without backslashes";
  if (FORBIDDEN.test(path) || !path.isWellFormed()) return "must have a name without control characters";
  return undefined;
}

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The name of a file at this address or path, such as `https://example.com/assets/app.js?v=2` or `/assets/app.js`: `~/assets/app.js`. */
export function nameOfUrl(url: string): string {
  if (url.startsWith("~/")) return url;
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  return `~/${path.replace(/^\/+/, "")}`;
}

/** The name of the source map that a file names: relative to the file, unless it has an origin or begins with `/`. Null for inline maps. */
export function nameOfMap(file: string, reference: string): string | null {
  if (reference.startsWith("data:")) return null;
  const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:\/\/|\/|~\/)/i.test(reference);
  const name = isAbsolute ? nameOfUrl(reference) : nameOfUrl(`~/${resolve(file.slice(2), reference)}`);
  const withoutQuery = name.replace(/[?#].*$/s, "");
  return nameError(withoutQuery) === undefined ? withoutQuery : null;
}

/** The path that `reference` means in the folder of `file`. Above the top, `..` has no effect. */
function resolve(file: string, reference: string): string {
  const parts = file.split("/").slice(0, -1);
  for (const part of reference.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
