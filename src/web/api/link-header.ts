/** The address of the next page in a `Link` header (RFC 8288); undefined on the last page. */
export function nextLink(header: string | null): string | undefined {
  for (const [, address, parameters = ""] of (header ?? "").matchAll(/<([^>]*)>([^,<]*)/g))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]* )?next(?: [^"]*)?"|next(?![\w-]))/i.test(parameters)) return address;
  return undefined;
}
