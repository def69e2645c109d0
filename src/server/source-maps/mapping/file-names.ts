/** Names of minified files, their artifacts and their original sources. Addresses in them are never fetched. */

type Placed = { line?: number | null | undefined; column?: number | null | undefined };

/** Whether a frame of this file can be minified JavaScript: it has a position, and is part neither of the runtime nor of TypeScript. */
export function isMinifiedPlace(file: string | null | undefined, { line, column }: Placed): file is string {
  if (!file || !line || !column) return false;
  if (/^(?:node:|internal\/|native\b|webpack-internal:|<)/.test(file)) return false;
  const isPage = /^https?:/i.test(file);
  const extension = /\.(\w+)$/.exec(pathOf(file).split("/").at(-1) ?? "")?.[1]?.toLowerCase();
  if (extension === undefined) return isPage;
  return SCRIPT_EXTENSIONS.has(extension) || (isPage && PAGE_EXTENSIONS.has(extension));
}

const SCRIPT_EXTENSIONS = new Set(["js", "mjs", "cjs", "jsx", "bundle", "jsbundle"]);

/** Pages with scripts in them. */
const PAGE_EXTENSIONS = new Set(["html", "htm", "php", "aspx", "jsp"]);

/** `https://any.host/a/b.js?c#d`, `app:///a/b.js`, `C:\a\b.js` and `/a/b.js` are all `~/a/b.js`. */
export const artifactName = (file: string): string =>
  // PostgreSQL stores no NUL.
  `~/${pathOf(file).replace(/^\/+/, "").replaceAll("\0", "\uFFFD")}`;

function pathOf(file: string): string {
  const slashes = file.replaceAll("\\", "/");
  const url = /^([a-z][a-z\d+.-]+):\/\/[^/]*(\/.*)?$/is.exec(slashes);
  const path = (url ? (url[2] ?? "/") : slashes.replace(/^[a-z]:/i, "")).replace(/[?#].*$/s, "");
  return withoutDots(/^https?$/i.test(url?.[1] ?? "") ? decoded(path) : path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The path of an original source: `webpack://shop/./src/cart.ts?1f2e` and `../../src/cart.ts` are `src/cart.ts`. */
export function sourcePath(source: string, sourceRoot = ""): string {
  const isWhole = sourceRoot === "" || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(source);
  const whole = isWhole ? source : `${sourceRoot.replace(/\/+$/, "")}/${source}`;
  return /^[a-z][a-z\d+.-]+:\/\//i.test(whole) ? pathOf(whole).replace(/^\/+/, "") : pathOf(whole);
}

/** Resolves `.` and `..`, without leaving the top. */
function withoutDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") {
      if (parts.length > 0 && parts.at(-1) !== "") parts.pop();
    } else if (part !== ".") parts.push(part);
  return parts.join("/");
}
