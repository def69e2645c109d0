import { fetchJson, type FetchOptions } from "./fetch-json.ts";
import { ImportError } from "./import-error.ts";

/** The API of a Sentry-compatible server. Paths are relative to `…/api/0/`. */
export type SentryApi = {
  organization: string;
  /** The part after `?` of the address that was given, for example `project=42`. */
  query: URLSearchParams;
  get(path: string): Promise<unknown>;
  /** The pages of a list. */
  pages(path: string, query?: URLSearchParams): AsyncGenerator<unknown[]>;
};

/**
 * Opens the API by the address of an organization: `https://sentry.io/api/0/organizations/acme/issues/?project=42`, with or without
 * what follows the organization. Throws `ImportError` for another address.
 */
export function openSentryApi(
  url: URL,
  token: string | null,
  options: Omit<FetchOptions, "headers">,
): SentryApi {
  const [, start, organization] =
    /^(.*?)(?:\/api\/0)?\/organizations\/([^/]+)(?:\/|$)/.exec(url.pathname) ?? [];
  if (start === undefined || organization === undefined || !/^https?:$/.test(url.protocol))
    throw new ImportError(
      "Give the address of the organization's issues, for example https://sentry.io/api/0/organizations/acme/issues/?project=42.",
    );
  const root = new URL(`${start}/api/0/`, url.origin);
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const read = (address: URL) => fetchJson(address, { ...options, headers });
  return {
    organization,
    query: url.searchParams,
    get: async (path) => (await read(new URL(path, root))).body,
    async *pages(path, query = new URLSearchParams()) {
      const address = new URL(`${path}?${query.toString()}`, root);
      const cursors = new Set<string>();
      for (;;) {
        const { body, headers: sent } = await read(address);
        if (!Array.isArray(body))
          throw new ImportError(`${address.origin}${address.pathname} is not a list.`);
        yield body;
        const cursor = nextCursor(sent.get("link") ?? "");
        if (cursor === null) return;
        if (cursors.has(cursor)) throw new ImportError(`${address.host} repeats a page of ${path}.`);
        cursors.add(cursor);
        address.searchParams.set("cursor", cursor);
      }
    },
  };
}

/**
 * The cursor of the next page. There is a next link even on the last page, with `results="false"`. Only its cursor is used: behind
 * a proxy, the address may name another host. GlitchTip writes the header as a set of Python, in braces and quotes.
 */
function nextCursor(header: string): string | null {
  for (const [, address, parameters] of header.matchAll(/<([^<>]{1,4096})>([^<>]{0,1024})/g)) {
    if (!/\brel="?next\b/.test(parameters ?? "") || /\bresults="?false\b/.test(parameters ?? "")) continue;
    return URL.parse(address as string, "http://localhost")?.searchParams.get("cursor") ?? null;
  }
  return null;
}
