import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { backupSchedule, backupUrl, type BackupSettings } from "./backup-settings.ts";
import { mailFrom, smtpUrl, type MailSettings } from "./smtp-url.ts";
import { oidcIssuer, type OidcSettings } from "./oidc-settings.ts";
import { StartError } from "./start-error.ts";
import { storageUrl, type S3Settings, type StorageUrl } from "./storage-url.ts";

/** A setting is malformed, unknown or missing. */
export class ConfigError extends StartError {}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const url = (protocols: string[], example: string) =>
  z.string().refine((value) => {
    return URL.canParse(value) && protocols.includes(new URL(value).protocol);
  }, `must be an address such as ${example}`);

const perMinute = wholeNumber(1, 10_000_000);

/** Every setting, described in docs/running.md. None is required. */
const settings = z.object({
  HOST: z.string().min(1, "must not be empty").default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3000),
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
  PUBLIC_URL: url(["http:", "https:"], "https://signalbox.example.com")
    .refine((value) => !URL.canParse(value) || isOrigin(new URL(value)), "must not have a path")
    .optional(),
  DATA_DIR: z.string().min(1, "must not be empty").default("data"),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgres://user:password@host/database").optional(),
  DATABASE_DIRECT_URL: url(["postgres:", "postgresql:"], "postgres://user:password@host/database").optional(),
  STORAGE_URL: z.string().transform(storageUrl).optional(),
  SETUP_TOKEN: z.string().min(8, "must have at least 8 characters").optional(),
  SMTP_URL: z.string().transform(smtpUrl).optional(),
  MAIL_FROM: z.string().transform(mailFrom).optional(),
  TRUST_PROXY: z.string().transform(addresses).optional(),
  OIDC_ISSUER: z.string().transform(oidcIssuer).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "must be at most 60 characters").optional(),
  OIDC_TRUST_EMAIL: z.enum(["true", "false"], { error: "must be true or false" }).default("false"),
  RETENTION_DAYS: wholeNumber(1, 3650).default(90),
  PROJECT_STORAGE_MB: wholeNumber(1, 999_999_999).optional(),
  LIMIT_API: perMinute.default(120),
  LIMIT_SESSION: perMinute.default(3000),
  LIMIT_DISMISS: perMinute.default(30),
  LIMIT_INGEST: perMinute.default(1000),
  LIMIT_SIGN_IN: perMinute.default(10),
  ACCESS_LOG: z.enum(["true", "false"], { error: "must be true or false" }).default("false"),
  BACKUP_URL: z.string().transform(backupUrl).optional(),
  BACKUP_SCHEDULE: z.string().transform(backupSchedule).optional(),
  BACKUP_KEEP: wholeNumber(1, 1_000).default(7),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
});

const isOrigin = ({ href, origin }: URL) => href === `${origin}/`;

function addresses(value: string, context: z.RefinementCtx): string[] {
  const list = value.split(",").map((entry) => entry.trim());
  for (const entry of list) {
    const [address = "", bits, ...rest] = entry.split("/");
    const width = isIP(address) === 6 ? 128 : 32;
    const fits = bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= width);
    if (isIP(address) === 0 || !fits || rest.length > 0)
      context.addIssue({
        code: "custom",
        message: `must list addresses such as 10.0.0.1 or 10.0.0.0/8, not ${JSON.stringify(entry)}`,
      });
  }
  return list;
}

export type Limits = { api: number; session: number; dismiss: number; ingest: number; sign_in: number };

export type Config = Readonly<{
  host: string;
  port: number;
  /** How long the server accepts requests after SIGTERM, while it is no longer ready. */
  drainSeconds: number;
  /** undefined: http://localhost with the port on which the server listens. */
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Leads to PostgreSQL itself when `databaseUrl` leads to a connection pooler in transaction mode. */
  databaseDirectUrl: string | undefined;
  /** undefined: a folder in the data directory. */
  storage: S3Settings | undefined;
  /** undefined: backups are made only by the command, to the file that it names. */
  backup: BackupSettings | undefined;
  setupToken: string | undefined;
  /** undefined: emails are kept, not sent. */
  mail: MailSettings | undefined;
  trustProxy: readonly string[];
  /** undefined: sign-in with an identity provider is off. */
  oidc: OidcSettings | undefined;
  retentionDays: number;
  /** Bytes that the attachments of a project may take up; undefined: any number. */
  projectStorage: number | undefined;
  limits: Readonly<Limits>;
  logLevel: string;
  /** Whether every request is logged, with the client's address. */
  accessLog: boolean;
}>;

/** Names that start like one of our settings. An unknown one is most likely a typo, which would have no effect. */
const OUR_PREFIX =
  /^(ACCESS_LOG|BACKUP|DRAIN|LIMIT|RETENTION|SETUP|PUBLIC_URL|DATA_DIR|DATABASE_URL|DATABASE_DIRECT|TRUST_PROXY|SMTP|STORAGE|MAIL|OIDC|PROJECT_STORAGE)(_|$)/;

/**
 * Reads the settings from the environment, and from `.env` those that the environment does not set. Throws ConfigError
 * with one line for a malformed or unknown setting.
 */
export function readConfig(env: NodeJS.ProcessEnv, cwd = process.cwd()): Config {
  const fromFile = readEnvFile(path.join(cwd, ".env"));
  const known = Object.keys(settings.shape);
  for (const name of Object.keys(fromFile))
    if (!known.includes(name) && !/^(AWS_|NODE_)/.test(name)) throw unknownSetting(name, known, " in .env");
  for (const name of Object.keys(env))
    if (OUR_PREFIX.test(name) && !known.includes(name)) throw unknownSetting(name, known);

  const given = { ...fromFile, ...env };
  const result = settings.safeParse(
    Object.fromEntries(known.map((name) => [name, given[name] || undefined])),
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
    oidc: oidcSettings(value),
    retentionDays: value.RETENTION_DAYS,
    projectStorage: value.PROJECT_STORAGE_MB && value.PROJECT_STORAGE_MB * 1_048_576,
    limits: Object.freeze({
      api: value.LIMIT_API,
      session: value.LIMIT_SESSION,
      dismiss: value.LIMIT_DISMISS,
      ingest: value.LIMIT_INGEST,
      sign_in: value.LIMIT_SIGN_IN,
    }),
    logLevel: value.LOG_LEVEL,
    accessLog: value.ACCESS_LOG === "true",
  });
}

function oidcSettings(value: z.output<typeof settings>): OidcSettings | undefined {
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

function unknownSetting(name: string, known: string[], where = "") {
  return new ConfigError(`${name}${where} is not a setting. Settings are: ${known.join(", ")}`);
}
