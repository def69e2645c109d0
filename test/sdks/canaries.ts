/** Values that the programs send as users, headers, cookies, bodies and so on. None may be stored. */
export const CANARIES = {
  users: ["canary-user-4711", "canary-user-4712"],
  email: "canary.ann@example.com",
  name: "canary-name",
  ip: "203.0.113.77",
  cookie: "canary-cookie",
  header: "canary-header",
  authorization: "canary-authorization",
  query: "canary-query",
  body: "canary-body",
  environment: "canary-environment",
};

/** The environment of the programs: the values as JSON, and apart for languages without JSON. */
export const canaryVariables = {
  CANARIES: JSON.stringify(CANARIES),
  ...Object.fromEntries(
    Object.entries(CANARIES).map(([name, value]) => [`CANARY_${name.toUpperCase()}`, String(value)]),
  ),
};

/** Each value as it may be stored: as text, in a URL, as bytes, and in Base64 at any offset. */
export const CANARY_FORMS = Object.values(CANARIES)
  .flat()
  .flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString("hex"),
    ...[0, 1, 2].map((offset) => base64At(offset, value)),
  ]);

/** What Base64 always makes of the value after `offset` bytes: without the characters that its neighbors share. */
function base64At(offset: number, value: string): string {
  const text = Buffer.from("\0".repeat(offset) + value)
    .toString("base64")
    .replace(/=+$/, "");
  return text.slice(Math.ceil((offset * 8) / 6), -1);
}
