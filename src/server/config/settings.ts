import { isIP } from "node:net";
import { z } from "zod";
import { allowedHosts } from "./allowed-hosts.ts";
import { backupSchedule, backupUrl } from "./backup-settings.ts";
import { oidcIssuer } from "./oidc-settings.ts";
import { mailFrom, smtpUrl } from "./smtp-url.ts";
import { storageUrl } from "./storage-url.ts";

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
export const settings = z.object({
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
  WEBHOOK_ALLOW: z.string().transform(allowedHosts).optional(),
  OIDC_ISSUER: z.string().transform(oidcIssuer).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "must be at most 60 characters").optional(),
  OIDC_TRUST_EMAIL: z.enum(["true", "false"], { error: "must be true or false" }).default("false"),
  RETENTION_DAYS: wholeNumber(1, 3650).default(90),
  PROJECT_STORAGE_MB: wholeNumber(1, 999_999_999).optional(),
  PROJECT_EVENT_STORAGE_MB: wholeNumber(1, 999_999_999).default(2048),
  LIMIT_API: perMinute.default(120),
  LIMIT_SESSION: perMinute.default(3000),
  LIMIT_DISMISS: perMinute.default(30),
  LIMIT_INGEST: perMinute.default(1000),
  LIMIT_SIGN_IN: perMinute.default(10),
  LIMIT_FEEDBACK_ADDRESS: perMinute.default(10),
  LIMIT_FEEDBACK_KEY: perMinute.default(120),
  METRICS_LOOPBACK: z.enum(["true", "false"], { error: "must be true or false" }).default("false"),
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

export type Settings = z.output<typeof settings>;
