/**
 * Whether a request with this `Origin` header may use a key with this list. An empty list allows every origin, and
 * programs, which send no such header, always pass. `https://*.example.com` allows every subdomain at any depth, but not
 * `https://example.com` itself.
 */
export function allowsOrigin(allowedOrigins: readonly string[], origin: string | undefined): boolean {
  if (allowedOrigins.length === 0 || origin === undefined) return true;
  const sent = origin.toLowerCase();
  return allowedOrigins.some((allowed) => matches(allowed, sent));
}

const WILDCARD = "://*.";

function matches(allowed: string, origin: string): boolean {
  const at = allowed.indexOf(WILDCARD);
  if (at === -1) return allowed === origin;
  const scheme = allowed.slice(0, at + 3);
  const domain = allowed.slice(at + WILDCARD.length - 1);
  return (
    origin.startsWith(scheme) && origin.endsWith(domain) && origin.length > scheme.length + domain.length
  );
}
