import { isIPv4, isIPv6 } from "node:net";
import type { RemoveValues } from "./rules.ts";

/** Personal data that can be recognized by its form. Matching takes linear time, because repetitions are bounded. */

const DOMAIN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}(\p{L}[\p{L}\p{N}-]{0,62})/uy;
const LOCAL_CHARACTER = /[\p{L}\p{N}._%+'-]/u;
const MAX_LOCAL_LENGTH = 64;
// Excludes Firefox's stack frames, such as `f@app.js:1:2`. No such top-level domains exist.
const CODE_FILE = /^[cm]?[jt]sx?$/;

const AT_SIGN = /@|%40/g;

export const emailAddresses: RemoveValues = (text, found) => removeEmails(text, found, () => false);

/**
 * Searches from each `@` in both directions, because most texts have none. It is `%40` in a URL. `isKept` gets what looks like a
 * domain.
 */
function removeEmails(
  text: string,
  found: (rule: string) => string,
  isKept: (domain: string) => boolean,
): string {
  if (!text.includes("@") && !text.includes("%40")) return text;
  let out = "";
  let kept = 0;
  for (const { index: at } of text.matchAll(AT_SIGN)) {
    let start = at;
    while (start > kept && at - start < MAX_LOCAL_LENGTH && LOCAL_CHARACTER.test(text.charAt(start - 1)))
      start--;
    // A quotation mark before an address is not part of it.
    while (text[start] === "'") start++;
    if (start === at) continue;
    DOMAIN.lastIndex = at + (text[at] === "@" ? 1 : 3);
    const domain = DOMAIN.exec(text);
    if (!domain || CODE_FILE.test(domain[1] ?? "") || isKept(domain[0])) continue;
    out += text.slice(kept, start) + found("email");
    kept = DOMAIN.lastIndex;
  }
  return kept === 0 ? text : out + text.slice(kept);
}

// 13 to 19 digits without separators, or grouped as on cards.
const CARD_NUMBER =
  /(?<![\p{L}\d]|\d[.-])[2-6](?:\d{12,18}|\d{3}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{3}([ -])\d{6}\2\d{4,5})(?![\p{L}\d]|[.-]\d)/gu;

export const cardNumbers: RemoveValues = (text, found) =>
  text.replace(CARD_NUMBER, (match) => (passesLuhn(match) ? found("card_number") : match));

function passesLuhn(number: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let at = number.length - 1; at >= 0; at--) {
    const digit = number.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    const value = isDoubled ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}

const IPV4 = /\d{1,3}(?:\.\d{1,3}){3,}/g;
const IPV6 = /(?<![\w:.])[\da-f]{0,4}:[\da-f:.]{0,44}[\da-f:](?![\w:])/gi;
const HAS_IPV6 = /:[\da-f]{0,4}:/i;

/** Keeps versions with four parts and loopback addresses. */
export const ipAddresses: RemoveValues = (text, found) => {
  const removeIf = (isAddress: boolean, match: string) =>
    isAddress && !IS_LOCAL.test(match) ? found("ip_address") : match;
  const withoutIPv6 = HAS_IPV6.test(text)
    ? text.replace(IPV6, (match) => removeIf(isIPv6(match) && /\d/.test(match), match))
    : text;
  return withoutIPv6.replace(IPV4, (match, at: number) =>
    removeIf(isIPv4(match) && !isVersion(withoutIPv6, at, at + match.length), match),
  );
};

const IS_LOCAL = /^(?:127\..*|0\.0\.0\.0|::1?|::ffff:127\..*)$/i;

const VERSION_BEFORE = /[\w.-]$|\bversion[ :=]{0,2}$/i;

/** `Chrome/120.0.0.0` is a version, but `database/10.0.0.5:5432` is how Java writes an address. */
function isVersion(text: string, start: number, end: number): boolean {
  if (/\w/.test(text.charAt(end))) return true;
  const before = text.slice(Math.max(0, start - 10), start);
  return VERSION_BEFORE.test(before) || (/\w\/$/.test(before) && text.charAt(end) !== ":");
}

// What follows the `@` of a package: `1.2.3-beta.rc`, `v5.0.0.Final`, or `main.a1b2c3d`, because top-level domains have no digits.
const VERSION = /^v?\d+\.\d|\.(?!xn--)[^.-]*\d[^.-]*$/i;
// Alone or after a package, `1.2.3.4` is a version. Few versions begin with a number above 99, and few addresses end with 0.
const FOUR_NUMBERS = /^(?:.*@)?v?(?:\d{1,2}\.\d+\.\d+\.\d+|\d+\.\d+\.\d+\.0)$/s;

/** Email and IP addresses in the name of a release. Keeps packages with versions: `shop@1.2.3-beta.rc`, `shop@2.4.0.1`. */
export const addressesInRelease: RemoveValues = (text, found) => {
  const withoutEmails = removeEmails(text, found, (domain) => VERSION.test(domain));
  return FOUR_NUMBERS.test(withoutEmails) ? withoutEmails : ipAddresses(withoutEmails, found);
};

/** Email and IP addresses in the name of a host or an environment. */
export const addressesInName: RemoveValues = (text, found) => ipAddresses(emailAddresses(text, found), found);

/** The queries of URLs and paths. A question mark in prose or in a pattern does not start a query. */
export const queryStrings: RemoveValues = (text, found) =>
  MAY_HAVE_QUERY.test(text)
    ? text.replace(/[^\s"'`<>]+/g, (word) => {
        const start = startOfQuery(word);
        return start === -1 ? word : word.slice(0, start + 1) + found("query_string");
      })
    : text;

const MAY_HAVE_QUERY = /[?#][\w.~%+[-]/;
const NAME_AND_VALUE = /[?#][\w.~%+[\]-]{1,100}=[^=]/;

function startOfQuery(word: string): number {
  const mark = word.indexOf("?");
  if (mark !== -1 && mark < word.length - 1 && (word.startsWith("/") || word.lastIndexOf("://", mark) !== -1))
    return mark;
  return mark === -1 && !word.includes("#") ? -1 : word.search(NAME_AND_VALUE);
}
