import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BuiltPage } from "../../../shared/built-page.ts";
import { findPage } from "./find-page.ts";

const CODE_MARK = "</head>";
const REQUEST_MARK = "<!-- first requests -->";
const FRAME = /<!-- frame -->.*<!-- end of frame -->/s;

/** The script that applies the theme before the first paint. */
const THEME = '<script src="/theme.js"></script>';

type Chunk = { file: string; name?: string; imports?: string[] };

/** Whether the browser has a session, and the key of the project that it opened most recently. */
export type PageClient = { isSignedIn: boolean; recentProject?: string | undefined };

export type PageHtml = {
  /** The hash of the only inline script, as a source of the content security policy; undefined without one. */
  scriptHash: string | undefined;
  htmlOf: (address: string, client: PageClient) => string;
  /** The page without the code and requests of an address, for any page of a person who is signed in. */
  shell: string;
};

/**
 * The web app's HTML for an address without its leading slash. It names the page's code and first requests, so that the
 * browser loads them all at once, and shows the empty frame until that has happened. It contains the script of the theme,
 * because the first paint would have to wait a round trip for a file.
 */
export function readPageHtml(folder: string): PageHtml {
  const built = readFileSync(path.join(folder, "index.html"), "utf8");
  const file = path.join(folder, "theme.js");
  const theme = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const html = theme === undefined ? built : built.replace(THEME, () => `<script>${theme}</script>`);
  const scriptHash =
    theme === undefined ? undefined : `'sha256-${createHash("sha256").update(theme).digest("base64")}'`;
  const chunks = readBuilt<Record<string, Chunk>>(folder, "manifest.json", {});
  const pages = readBuilt<BuiltPage[]>(folder, "pages.json", []);
  // The frame of pages for signed-in users.
  const frame = Object.keys(chunks).filter((name) => chunks[name]?.name === "frame");
  const pageByCode = new Map<string, string>();
  const make = (code: readonly string[], hasFrame: boolean) => {
    const links = filesOf(chunks, code)
      .filter((file) => !html.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
    // After the styles, which the frame needs first.
    return html
      .replace(CODE_MARK, [REQUEST_MARK, ...links, CODE_MARK].join("\n    "))
      .replace(FRAME, hasFrame ? "$&" : "");
  };
  const htmlOf = (address: string, { isSignedIn, recentProject }: PageClient) => {
    const { page, project, request } = findPage(pages, address);
    const hasFrame = isSignedIn && page?.isPublic !== true;
    const code = [...(hasFrame ? frame : []), ...(page === undefined ? [] : [page.code])];
    const key = code.join();
    const known = pageByCode.get(key) ?? make(code, hasFrame);
    pageByCode.set(key, known);
    const requests = hasFrame ? [bootRequest(project, recentProject), ...request] : [];
    return known.replace(REQUEST_MARK, requests.map(requestLink).join("\n    "));
  };
  return { scriptHash, htmlOf, shell: make(frame, true).replace(REQUEST_MARK, "") };
}

function bootRequest(project: string | undefined, recentProject: string | undefined): string {
  const key = project ?? /^[A-Z0-9]+$/.exec(recentProject ?? "")?.[0];
  return `/api/boot${key === undefined ? "" : `?project=${key}`}`;
}

const requestLink = (path: string) =>
  `<link rel="preload" as="fetch" crossorigin href="${path.replaceAll("&", "&amp;")}">`;

/** Without this file of the build, the browser finds code and data by itself, a little later. */
function readBuilt<T>(folder: string, file: string, missing: T): T {
  try {
    return JSON.parse(readFileSync(path.join(folder, ".vite", file), "utf8")) as T;
  } catch {
    return missing;
  }
}

/** The files of some modules and everything they import. */
function filesOf(chunks: Record<string, Chunk>, modules: readonly string[]): string[] {
  const names = new Set(modules);
  for (const name of names) for (const next of chunks[name]?.imports ?? []) names.add(next);
  return [...names].flatMap((name) => chunks[name]?.file ?? []);
}
