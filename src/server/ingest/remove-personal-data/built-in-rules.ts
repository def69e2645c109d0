import { assignments } from "./assignments.ts";
import { matchKeys, type KeyRule } from "./key-rules.ts";
import { cardNumbers, emailAddresses, ipAddresses, queryStrings } from "./personal-values.ts";
import type { RemoveValues, Rules } from "./rules.ts";
import { accessKeys, basicCredentials, bearerTokens, jwts, privateKeys, urlCredentials } from "./secrets.ts";

const KEY_RULES: readonly KeyRule[] = [
  { name: "password", phrases: ["password", "passwd", "passphrase", "passcode", "pwd", "pw"] },
  { name: "api_key", phrases: ["api key", "apikey", "access key", "accesskey", "private key", "privatekey"] },
  { name: "csrf", phrases: ["csrf", "xsrf", "csrftoken", "xsrftoken", "csrfmiddlewaretoken"] },
  { name: "session", phrases: ["session", "sessionid", "sessid", "phpsessid", "jsessionid", "sid"] },
  { name: "secret", phrases: ["secret", "clientsecret", "secretkey", "credential"] },
  {
    name: "token",
    phrases: ["token", "accesstoken", "refreshtoken", "idtoken", "authtoken", "jwt", "bearer", "otp", "totp"],
  },
  { name: "authorization", phrases: ["authorization", "auth"] },
  { name: "cookie", phrases: ["cookie"] },
  { name: "card", phrases: ["card", "creditcard", "cardnumber", "cvv", "cvc"] },
  { name: "iban", phrases: ["iban"] },
  { name: "ssn", phrases: ["ssn", "social security number"] },
  {
    name: "ip_address",
    phrases: ["ip", "ip address", "ipaddress", "remote addr", "x forwarded for"],
    atEnd: true,
  },
  { name: "header", phrases: ["header"], atEnd: true },
  { name: "body", phrases: ["body"], atEnd: true },
  {
    name: "query_string",
    phrases: [
      "query string",
      "querystring",
      "http query",
      "http fragment",
      "url query",
      "url fragment",
      "query param",
    ],
    atEnd: true,
  },
];

const ruleOfKey = matchKeys(KEY_RULES);

// A quick check: every value that a rule below removes contains one of these, such as a URL, an IP address or the start of a
// card number. Most texts contain none of them and are not searched any further. They do not match dates, times and versions.
const MARKS = String.raw`:\/\/|::|(?::[\da-fA-F]{1,4}){5}|\d\.\d{1,3}\.\d{1,3}\.\d|[2-6]\d{3}(?:\d{9}|[ -]\d{4}[ \d-]\d)|eyJ|PRIV|[Bb][Ee][Aa][Rr]|[Bb][Aa][Ss][Ii][Cc]|k[_-]|h\w_|glpat|xox|AKIA|AIza|sbx_`;
const SUSPICIOUS = new RegExp(`[@?#=%]|":|${MARKS}`);
// The check for source code leaves out the characters of queries and assignments: code is full of them, and no rule for
// code removes those.
const SUSPICIOUS_IN_CODE = new RegExp(`[@%]|${MARKS}`);

const ifSuspicious =
  (suspicious: RegExp, rules: readonly RemoveValues[]): RemoveValues =>
  (text, found) => {
    if (!suspicious.test(text)) return text;
    let rest = text;
    for (const remove of rules) rest = remove(rest, found);
    return rest;
  };

// Secrets that contain other values come first: a URL with a password would otherwise look like an email address.
const SECRETS = [privateKeys, jwts, bearerTokens, basicCredentials, accessKeys, urlCredentials];
const PERSONAL = [emailAddresses, cardNumbers, ipAddresses];

/** The rules that apply in every project. */
export const BUILT_IN: Rules = {
  ruleOfKey,
  inText: [ifSuspicious(SUSPICIOUS, [...SECRETS, queryStrings, assignments(ruleOfKey), ...PERSONAL])],
  inCode: [ifSuspicious(SUSPICIOUS_IN_CODE, [...SECRETS, ...PERSONAL])],
};

const VALUES: Readonly<Record<string, string>> = {
  private_key: "private keys in PEM form",
  jwt: "JSON Web Tokens",
  bearer_token: "tokens after the word Bearer",
  basic_credentials: "names and passwords after the word Basic",
  access_key: "access keys of well-known services, recognized by their prefix",
  url_credentials: "names and passwords in URLs",
  query_string: "queries of URLs and paths",
  email: "email addresses",
  card_number: "card numbers (13 to 19 digits with a valid check digit)",
  ip_address: "IP addresses, except those of the machine itself",
  user: "what a Sentry SDK says about the event’s user, wherever it occurs in the event",
  unchecked:
    "texts that could not be searched with the project’s own rules: those after 16,384 characters, after 100 matches of a rule, and all others once these rules have taken 0.1 s of computing time in an event",
};

/** What each built-in rule removes, for people to read. */
export const BUILT_IN_RULES: readonly { name: string; removes: string }[] = [
  ...KEY_RULES.map(({ name, phrases, atEnd }) => {
    const keys = `values whose key ${atEnd ? "ends with" : "contains"} ${phrases.join(", ")}`;
    return { name, removes: name in VALUES ? `${keys}; ${VALUES[name]}` : keys };
  }),
  ...Object.entries(VALUES)
    .filter(([name]) => !KEY_RULES.some((rule) => rule.name === name))
    .map(([name, removes]) => ({ name, removes })),
];
