import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { BackupSettings } from "./backup-settings.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { settings, type Settings } from "./settings.ts";
import type { MailSettings } from "./smtp-url.ts";
import { StartError } from "./start-error.ts";
import type { S3Settings, StorageUrl } from "./storage-url.ts";

/** A setting is malformed, unknown or missing. */
export class ConfigError extends StartError {}

export type Limits = {
  api: number;
  session: number;
  dismiss: number;
  ingest: number;
  sign_in: number;
  feedback_address: number;
  feedback_key: number;
};

export type Config = Readonly<{
  host: string;
  port: number;
  /** How long the server keeps accepting requests after SIGTERM, while it reports that it is not ready. */
  drainSeconds: number;
  /** undefined: http://localhost with the port that the server listens on. */
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** PostgreSQL itself, if `databaseUrl` leads to a connection pooler in transaction mode. */
  databaseDirectUrl: string | undefined;
  /** undefined: a folder in the data directory. */
  storage: S3Settings | undefined;
  /** undefined: backups are made only by the command, to the file that it names. */
  backup: BackupSettings | undefined;
  setupToken: string | undefined;
  /** undefined: emails are kept, not sent. */
  mail: MailSettings | undefined;
  trustProxy: readonly string[];
  /** Hosts that webhooks may reach over http and on private addresses. */
  webhookAllow: AllowedHosts;
  /** undefined: sign-in with an identity provider is off. */
  oidc: OidcSettings | undefined;
  retentionDays: number;
  /** Bytes that the attachments of a project may take up; undefined: any number. */
  projectStorage: number | undefined;
  /** Bytes that the events of a project may add to the database per UTC day; beyond them, events are stored without details. */
  eventStorage: number;
  limits: Readonly<Limits>;
  /** Whether programs on this machine may read the metrics without a token. */
  metricsLoopback: boolean;
  logLevel: string;
  /** Whether every request is logged, with the client's address. */
  accessLog: boolean;
}>;

const KNOWN = Object.keys(settings.shape);

/** Names that start like one of our settings. An unknown one is most likely a typo, which would have no effect. */
const OUR_PREFIX =
  /^(ACCESS_LOG|BACKUP|DRAIN|LIMIT|METRICS|RETENTION|SETUP|PUBLIC_URL|DATA_DIR|DATABASE_URL|DATABASE_DIRECT|TRUST_PROXY|SMTP|STORAGE|MAIL|OIDC|PROJECT_STORAGE|WEBHOOK_ALLOW)(_|$)/;

/**
 * Reads the settings from the environment, and from `.env` those that the environment does not set. Throws ConfigError
 * with one line for a malformed or unknown setting.
 */
export function readConfig(env: NodeJS.ProcessEnv, cwd = process.cwd()): Config {
  const given = givenSettings(env, path.join(cwd, ".env"));
  const value = readSettings(given);
  return Object.freeze({
    host: value.HOST,
    port: value.PORT,
    drainSeconds: value.DRAIN_SECONDS,
    publicUrl: value.PUBLIC_URL && new URL(value.PUBLIC_URL).origin,
    dataDir: path.resolve(cwd, value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    storage: value.STORAGE_URL && s3Settings(value.STORAGE_URL, given),
    backup: value.BACKUP_URL && {
      place: "folder" in value.BACKUP_URL ? value.BACKUP_URL : s3Settings(value.BACKUP_URL, given),
      schedule: value.BACKUP_SCHEDULE,
      keep: value.BACKUP_KEEP,
    },
    setupToken: value.SETUP_TOKEN,
    mail:
      value.SMTP_URL && value.MAIL_FROM
        ? Object.freeze({ smtp: value.SMTP_URL, from: value.MAIL_FROM })
        : undefined,
    trustProxy: Object.freeze(value.TRUST_PROXY ?? []),
    webhookAllow: Object.freeze(value.WEBHOOK_ALLOW ?? []),
    oidc: oidcSettings(value),
    retentionDays: value.RETENTION_DAYS,
    projectStorage: value.PROJECT_STORAGE_MB && value.PROJECT_STORAGE_MB * 1_048_576,
    eventStorage: value.PROJECT_EVENT_STORAGE_MB * 1_048_576,
    limits: Object.freeze({
      api: value.LIMIT_API,
      session: value.LIMIT_SESSION,
      dismiss: value.LIMIT_DISMISS,
      ingest: value.LIMIT_INGEST,
      sign_in: value.LIMIT_SIGN_IN,
      feedback_address: value.LIMIT_FEEDBACK_ADDRESS,
      feedback_key: value.LIMIT_FEEDBACK_KEY,
    }),
    metricsLoopback: value.METRICS_LOOPBACK === "true",
    logLevel: value.LOG_LEVEL,
    accessLog: value.ACCESS_LOG === "true",
  });
}

/** The variables of the environment, and of the file those that the environment does not set. */
function givenSettings(env: NodeJS.ProcessEnv, file: string): Record<string, string | undefined> {
  const fromFile = readEnvFile(file);
  for (const name of Object.keys(fromFile))
    if (!KNOWN.includes(name) && !/^(AWS_|NODE_)/.test(name)) throw unknownSetting(name, " in .env");
  for (const name of Object.keys(env))
    if (!KNOWN.includes(name) && (OUR_PREFIX.test(name) || KNOWN.some((known) => isTypoOf(known, name))))
      throw unknownSetting(name);
  return { ...fromFile, ...env };
}

function readSettings(given: Record<string, string | undefined>): Settings {
  const result = settings.safeParse(
    Object.fromEntries(KNOWN.map((name) => [name, given[name] || undefined])),
  );
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ConfigError(`${String(issue?.path[0])} ${issue?.message}`);
  }
  const value = result.data;
  if (value.SMTP_URL && !value.MAIL_FROM)
    throw new ConfigError("MAIL_FROM must be set together with SMTP_URL: it is the sender of emails");
  if (value.DATABASE_DIRECT_URL && !value.DATABASE_URL)
    throw new ConfigError(
      "DATABASE_URL must be set together with DATABASE_DIRECT_URL: it leads to the pooler",
    );
  if (value.BACKUP_SCHEDULE && !value.BACKUP_URL)
    throw new ConfigError("BACKUP_URL must be set together with BACKUP_SCHEDULE: it is where backups go");
  return value;
}

function oidcSettings(value: Settings): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_TRUST_EMAIL } = value;
  if (!OIDC_ISSUER && !OIDC_CLIENT_ID && !OIDC_CLIENT_SECRET) return undefined;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET)
    throw new ConfigError("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together");
  return Object.freeze({
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME ?? new URL(OIDC_ISSUER).host,
    trustEmail: OIDC_TRUST_EMAIL === "true",
  });
}

/** Reads the AWS variables from .env too. Without a key, the S3 client searches its default places for one. */
function s3Settings(url: StorageUrl, given: Record<string, string | undefined>): S3Settings {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = given;
  const settings = { ...url, region: url.region ?? (AWS_REGION || "us-east-1") };
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return settings;
  const session = AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {};
  const key = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return { ...settings, credentials: { ...key, ...session } };
}

function readEnvFile(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`.env cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Whether the name differs by one added, missing or replaced character, or by two swapped ones. Short names do not count,
 * because other programs have variables like HOST and PORT.
 */
function isTypoOf(setting: string, name: string): boolean {
  const longer = Math.max(setting.length, name.length);
  if (setting.length < 8 || longer - Math.min(setting.length, name.length) > 1) return false;
  let start = 0;
  while (start < longer && setting[start] === name[start]) start++;
  let end = 0;
  while (end < longer - start && setting.at(-1 - end) === name.at(-1 - end)) end++;
  const between = longer - start - end;
  const isSwapped = between === 2 && setting[start] === name[start + 1] && setting[start + 1] === name[start];
  return between <= 1 || isSwapped;
}

function unknownSetting(name: string, where = "") {
  return new ConfigError(`${name}${where} is not a setting. Settings are: ${KNOWN.join(", ")}`);
}
