import type { z } from "zod";

export type OidcSettings = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the sign-in page calls the provider. */
  name: string;
  /** Whether addresses the provider verified may link to accounts and accept invitations. */
  trustEmail: boolean;
}>;

const LOOPBACK = /^(localhost|127(\.[0-9]+){3}|\[::1\])$/;

/** The issuer as a setting: https, since identities are only as safe as the way to them; loopback goes without. */
export function oidcIssuer(value: string, context: z.RefinementCtx): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  const plain = url?.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!safe || !plain)
    context.addIssue({ code: "custom", message: "must be an address such as https://login.example.com" });
  return value;
}
