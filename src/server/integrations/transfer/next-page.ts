import { ImportError } from "./import-error.ts";

/**
 * The address in the `Link` header of a page; null on the last one. Throws `ImportError` if it is on another server, because the
 * token must not go there.
 */
export function nextPage(headers: Headers, page: URL): URL | null {
  for (const [, address = "", parameters = ""] of (headers.get("link") ?? "").matchAll(
    /<([^<>]{1,4096})>([^<>]{0,1024})/g,
  )) {
    if (!/\brel="?next\b/.test(parameters)) continue;
    const next = URL.parse(address, page.href);
    if (next?.origin !== page.origin)
      throw new ImportError(`${page.host} continues on another server: ${address}.`);
    if (next.href === page.href) throw new ImportError(`${page.host} repeats a page: ${address}.`);
    return next;
  }
  return null;
}
