import type { z } from "zod";

export type OidcSettings = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name of the provider on the sign-in page. */
  name: string;
  /** Whether an address that the provider has verified may be linked to an account and accept invitations. */
  trustEmail: boolean;
}>;

const LOOPBACK = /^(localhost|127(\.[0-9]+){3}|\[::1\])$/;

/** For a zod `transform`. The issuer must use https, because it vouches for identities; loopback addresses need not. */
export function oidcIssuer(value: string, context: z.RefinementCtx): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  const plain = url?.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!safe || !plain)
    context.addIssue({ code: "custom", message: "must be an address such as https://login.example.com" });
  return value;
}
