/** Where a client of Sentry's protocol sends to: `https://KEY@host/path/42`. */
export type SentryDsn = {
  /** The address before `/api/`, without a slash at its end. */
  base: string;
  key: string;
  projectId: string;
};

const PATH = /^((?:\/[^/]+)*)\/([0-9]{1,20})\/?$/;
const KEY = /^[\w-]{1,100}$/;

/** Undefined if the text is not a DSN. Old DSNs also have a secret, with which this is not one. */
export function readSentryDsn(text: string): SentryDsn | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.port === "0") return undefined;
  const [, path = "", projectId] = PATH.exec(url.pathname) ?? [];
  const hasMore = url.password !== "" || url.search !== "" || url.hash !== "";
  if (projectId === undefined || hasMore || !KEY.test(url.username)) return undefined;
  return { base: url.origin + path, key: url.username, projectId };
}

/** The DSN without its key, of which the last four characters remain unless it is short. Empty if the text is not a DSN. */
export function maskSentryDsn(text: string): string {
  const dsn = readSentryDsn(text);
  if (!dsn) return "";
  const shown = dsn.key.length > 8 ? `…${dsn.key.slice(-4)}` : "…";
  return `${dsn.base.replace("//", `//${shown}@`)}/${dsn.projectId}`;
}
