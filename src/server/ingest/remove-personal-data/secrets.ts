import type { RemoveValues } from "./rules.ts";

/**
 * Secrets that can be recognized by their form. Matching takes linear time: each pattern begins with a fixed word or at the
 * start of a run of characters, and what follows an unbounded repetition never matches the repeated characters.
 */

// A key that was cut off has no last line.
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;

export const privateKeys: RemoveValues = (text, found) =>
  text.includes("PRIVATE KEY") ? text.replace(PRIVATE_KEY, () => found("private_key")) : text;

// Header and content start with `{"`, which is `eyJ` in Base64. A token that was cut off has no signature.
const JWT = /(?<![\w-])eyJ[\w-]{5,}\.eyJ[\w-]{5,}(?:\.[\w-]*)*/g;

export const jwts: RemoveValues = (text, found) =>
  text.includes("eyJ") ? text.replace(JWT, () => found("jwt")) : text;

// Some clients put the word before a header that has it already.
const BEARER = /\b(bearer\s+)(?!bearer\s)([\w.~+/=-]{6,})/gi;
// A short word without digits follows in prose: "Bearer authentication failed".
const PLAIN_WORD = /^[a-z]{1,15}[.=]?$/i;

export const bearerTokens: RemoveValues = (text, found) =>
  text.replace(BEARER, (match, scheme: string, token: string) =>
    PLAIN_WORD.test(token) ? match : scheme + found("bearer_token"),
  );

const BASIC = /\b(basic\s+)([\w+/-]{6,}={0,2})/gi;

export const basicCredentials: RemoveValues = (text, found) =>
  text.replace(BASIC, (match, scheme: string, credentials: string) =>
    Buffer.from(credentials.slice(0, 400), "base64").includes(":")
      ? scheme + found("basic_credentials")
      : match,
  );

const ACCESS_KEY =
  /(?<![A-Za-z0-9])(?:[spr]k_(?:live|test)_\w{8,}|sk-[\w-]{20,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|sbx_(?:pat|prj)_\w{20,})/g;

export const accessKeys: RemoveValues = (text, found) => text.replace(ACCESS_KEY, () => found("access_key"));

// `user:password@` of a URL.
const URL_CREDENTIALS = /:\/\/[^\s/?#@:"'<>`]{0,100}:[^\s/?#@"'<>`]{1,200}@/g;

export const urlCredentials: RemoveValues = (text, found) =>
  text.includes("://") ? text.replace(URL_CREDENTIALS, () => `://${found("url_credentials")}@`) : text;
