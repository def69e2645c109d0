import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { ConfigError, readConfig } from "./config.ts";

/** A folder without a .env file. */
const empty = mkdtempSync(path.join(tmpdir(), "signalbox-config-"));
after(() => rmSync(empty, { recursive: true, force: true }));

/** Reads the settings from a .env file with this content, and from the environment. */
function readWithFile(file: string, env: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-config-"));
  try {
    writeFileSync(path.join(folder, ".env"), file);
    return readConfig(env, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("every setting has a default", () => {
  const { host, port, publicUrl, dataDir, databaseUrl, ...rest } = readConfig({}, empty);
  const { setupToken, trustProxy, retentionDays, limits, logLevel, accessLog } = rest;
  assert.deepEqual(
    {
      host,
      port,
      publicUrl,
      dataDir,
      databaseUrl,
      setupToken,
      trustProxy,
      retentionDays,
      limits,
      logLevel,
      accessLog,
    },
    {
      host: "127.0.0.1",
      port: 3000,
      publicUrl: undefined,
      dataDir: path.join(empty, "data"),
      databaseUrl: undefined,
      setupToken: undefined,
      trustProxy: [],
      retentionDays: 90,
      limits: {
        api: 120,
        session: 3000,
        dismiss: 30,
        ingest: 1000,
        sign_in: 10,
        feedback_address: 10,
        feedback_key: 120,
      },
      logLevel: "info",
      accessLog: false,
    },
  );
});

test("the settings are frozen", () => {
  const config = readConfig({}, empty);
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  assert.throws(() => Object.assign(config.limits, { api: 1 }), TypeError);
});

for (const [name, value, field, expected] of [
  ["PORT", "0", "port", 0],
  ["PORT", "65535", "port", 65_535],
  ["HOST", "0.0.0.0", "host", "0.0.0.0"],
  ["PUBLIC_URL", "https://track.example.com/", "publicUrl", "https://track.example.com"],
  ["PUBLIC_URL", "http://localhost:8080", "publicUrl", "http://localhost:8080"],
  ["DATA_DIR", "/srv/data", "dataDir", "/srv/data"],
  ["DATABASE_URL", "postgres://u:p@h:5432/d", "databaseUrl", "postgres://u:p@h:5432/d"],
  ["DATABASE_URL", "postgresql:///d?host=/run/pg", "databaseUrl", "postgresql:///d?host=/run/pg"],
  ["SETUP_TOKEN", "12345678", "setupToken", "12345678"],
  [
    "TRUST_PROXY",
    "10.0.0.1, 192.168.0.0/16,::1,fd00::/8",
    "trustProxy",
    ["10.0.0.1", "192.168.0.0/16", "::1", "fd00::/8"],
  ],
  [
    "WEBHOOK_ALLOW",
    "Chat.Internal, 10.0.0.5:8080,[fd00::5]",
    "webhookAllow",
    [
      { hostname: "chat.internal", port: undefined },
      { hostname: "10.0.0.5", port: 8080 },
      { hostname: "[fd00::5]", port: undefined },
    ],
  ],
  ["OIDC_NAME", "Acme", "oidc", undefined],
  ["OIDC_TRUST_EMAIL", "true", "oidc", undefined],
  ["RETENTION_DAYS", "1", "retentionDays", 1],
  ["RETENTION_DAYS", "3650", "retentionDays", 3650],
  ["LOG_LEVEL", "silent", "logLevel", "silent"],
  ["PORT", "", "port", 3000],
  ["TRUST_PROXY", "", "trustProxy", []],
] as const)
  test(`${name}=${value} is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readConfig({ [name]: value }, empty)[field], expected);
  });

test("backups go to a folder or a store, on a schedule if one is set", () => {
  const backup = (settings: Record<string, string>) => readConfig(settings, empty).backup;
  const folder = { folder: "/srv/backups" };
  assert.deepEqual(backup({ BACKUP_URL: "/srv/backups" }), { place: folder, schedule: undefined, keep: 7 });
  const daily = { BACKUP_URL: "file:///srv/backups", BACKUP_SCHEDULE: "03:30", BACKUP_KEEP: "30" };
  const schedule = { periodSeconds: 86_400, offsetSeconds: 12_600 };
  assert.deepEqual(backup(daily), { place: folder, schedule, keep: 30 });
  const url = "s3://backups/signalbox?endpoint=https://s3.example.com&region=eu-central-1";
  assert.deepEqual(backup({ BACKUP_URL: url, BACKUP_SCHEDULE: "every 6 hours" }), {
    place: {
      bucket: "backups",
      prefix: "signalbox/",
      endpoint: "https://s3.example.com",
      region: "eu-central-1",
    },
    schedule: { periodSeconds: 21_600, offsetSeconds: 0 },
    keep: 7,
  });
});

for (const [name, field] of [
  ["LIMIT_API", "api"],
  ["LIMIT_SESSION", "session"],
  ["LIMIT_DISMISS", "dismiss"],
  ["LIMIT_INGEST", "ingest"],
  ["LIMIT_SIGN_IN", "sign_in"],
  ["LIMIT_FEEDBACK_ADDRESS", "feedback_address"],
  ["LIMIT_FEEDBACK_KEY", "feedback_key"],
] as const)
  test(`${name} sets its own limit and no other`, () => {
    const { limits } = readConfig({ [name]: "7" }, empty);
    assert.deepEqual(limits, { ...readConfig({}, empty).limits, [field]: 7 });
  });

for (const [name, value, message] of [
  ["PORT", "abc", /^PORT must be a whole number from 0 to 65535$/],
  ["PORT", "65536", /^PORT must be a whole number from 0 to 65535$/],
  ["PORT", "-1", /^PORT must be a whole number/],
  ["PORT", "80.5", /^PORT must be a whole number/],
  ["PORT", "0x50", /^PORT must be a whole number/],
  ["PORT", " 80", /^PORT must be a whole number/],
  ["RETENTION_DAYS", "0", /^RETENTION_DAYS must be a whole number from 1 to 3650$/],
  ["RETENTION_DAYS", "3651", /^RETENTION_DAYS must be a whole number/],
  ["BACKUP_URL", "backups", /^BACKUP_URL must be the absolute path of a folder/],
  ["BACKUP_URL", "s3://", /^BACKUP_URL must/],
  ["BACKUP_URL", "https://example.com/x", /^BACKUP_URL must be the absolute path of a folder/],
  ["BACKUP_SCHEDULE", "24:00", /^BACKUP_SCHEDULE must be a time of day in UTC, such as 03:30/],
  ["BACKUP_SCHEDULE", "every 5 hours", /^BACKUP_SCHEDULE must be a time of day in UTC/],
  ["DATABASE_DIRECT_URL", "postgres://localhost/signalbox", /^DATABASE_URL must be set together/],
  ["BACKUP_SCHEDULE", "03:30", /^BACKUP_URL must be set together with BACKUP_SCHEDULE/],
  ["BACKUP_KEEP", "0", /^BACKUP_KEEP must be a whole number from 1 to 1000$/],
  ["PROJECT_STORAGE_MB", "0", /^PROJECT_STORAGE_MB must be a whole number/],
  ["LIMIT_API", "0", /^LIMIT_API must be a whole number/],
  ["LIMIT_INGEST", "1e3", /^LIMIT_INGEST must be a whole number/],
  ["LIMIT_SIGN_IN", "none", /^LIMIT_SIGN_IN must be a whole number/],
  ["LIMIT_DISMISS", "99999999999", /^LIMIT_DISMISS must be a whole number/],
  ["PUBLIC_URL", "track.example.com", /^PUBLIC_URL must be an address such as https:/],
  ["PUBLIC_URL", "ftp://example.com", /^PUBLIC_URL must be an address such as https:/],
  ["PUBLIC_URL", "https://example.com/track", /^PUBLIC_URL must not have a path$/],
  ["PUBLIC_URL", "https://example.com/?a=b", /^PUBLIC_URL must not have a path$/],
  ["DATABASE_URL", "mysql://u:s3cret@h/d", /^DATABASE_URL must be an address such as postgres:/],
  ["DATABASE_URL", "s3cret", /^DATABASE_URL must be an address such as postgres:/],
  ["SETUP_TOKEN", "1234567", /^SETUP_TOKEN must have at least 8 characters$/],
  ["TRUST_PROXY", "proxy.local", /^TRUST_PROXY must list addresses .* not "proxy\.local"$/],
  ["TRUST_PROXY", "10.0.0.0/33", /^TRUST_PROXY must list addresses/],
  ["TRUST_PROXY", "10.0.0.1,,::1", /^TRUST_PROXY must list addresses .* not ""$/],
  ["TRUST_PROXY", "10.0.0.1/8/8", /^TRUST_PROXY must list addresses/],
  ["WEBHOOK_ALLOW", "https://a.example", /^WEBHOOK_ALLOW must list hosts .* not "https:\/\/a\.example"$/],
  ["WEBHOOK_ALLOW", "a.example:0", /^WEBHOOK_ALLOW must list hosts/],
  ["WEBHOOK_ALLOW", "a.example/hook", /^WEBHOOK_ALLOW must list hosts/],
  ["WEBHOOK_ALLOW", "10.0.0.0/8", /^WEBHOOK_ALLOW must list hosts/],
  ["TRUST_PROXY", "10.0.0.1\nx", /^TRUST_PROXY must list addresses/],
  ["OIDC_ISSUER", "login.example.com", /^OIDC_ISSUER must be an address such as https:/],
  ["OIDC_ISSUER", "http://login.example.com", /^OIDC_ISSUER must be an address such as https:/],
  ["OIDC_ISSUER", "http://127.0.0.1.example.com", /^OIDC_ISSUER must be an address such as https:/],
  ["OIDC_ISSUER", "https://u:s3cret@login.example.com", /^OIDC_ISSUER must be an address such as https:/],
  ["OIDC_ISSUER", "https://login.example.com/?a=b", /^OIDC_ISSUER must be an address such as https:/],
  [
    "OIDC_ISSUER",
    "https://login.example.com",
    /^OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set/,
  ],
  [
    "OIDC_CLIENT_ID",
    "signalbox",
    /^OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together$/,
  ],
  [
    "OIDC_CLIENT_SECRET",
    "s3cret",
    /^OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together$/,
  ],
  ["OIDC_TRUST_EMAIL", "yes", /^OIDC_TRUST_EMAIL must be true or false$/],
  ["OIDC_NAME", "x".repeat(61), /^OIDC_NAME must be at most 60 characters$/],
  ["OIDC_CLIENT", "x", /^OIDC_CLIENT is not a setting\./],
  ["LOG_LEVEL", "loud", /^LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent$/],
  ["RETENTION_DAY", "7", /^RETENTION_DAY is not a setting\. Settings are: HOST, PORT, /],
  ["LIMIT_INGESTION", "7", /^LIMIT_INGESTION is not a setting\./],
  ["DATA_DIR_PATH", "x", /^DATA_DIR_PATH is not a setting\./],
  ["SETUP", "x", /^SETUP is not a setting\./],
  ["DATABASE_URL_FILE", "x", /^DATABASE_URL_FILE is not a setting\./],
  ["DATABASE_URI", "s3cret", /^DATABASE_URI is not a setting\./],
  ["PUBLIC_URLS", "x", /^PUBLIC_URLS is not a setting\./],
  ["LOG_LEVL", "debug", /^LOG_LEVL is not a setting\./],
  ["DATADIR", "x", /^DATADIR is not a setting\./],
  ["RETNETION_DAYS", "7", /^RETNETION_DAYS is not a setting\./],
] as const)
  test(`${name}=${JSON.stringify(value)} is rejected with one line that names it and contains no secret`, () => {
    assert.throws(
      () => readConfig({ [name]: value }, empty),
      (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n|s3cret/);
        return true;
      },
    );
  });

test("an identity provider needs three settings; its name defaults to the issuer's host, and its addresses are not trusted by default", () => {
  const three = {
    OIDC_ISSUER: "https://login.example.com/acme",
    OIDC_CLIENT_ID: "signalbox",
    OIDC_CLIENT_SECRET: "x",
  };
  const { oidc } = readConfig(three, empty);
  assert.deepEqual(oidc, {
    issuer: "https://login.example.com/acme",
    clientId: "signalbox",
    clientSecret: "x",
    name: "login.example.com",
    trustEmail: false,
  });
  assert.throws(() => Object.assign(oidc as object, { trustEmail: true }), TypeError);
  const more = readConfig({ ...three, OIDC_NAME: "Acme", OIDC_TRUST_EMAIL: "true" }, empty).oidc;
  assert.deepEqual([more?.name, more?.trustEmail], ["Acme", true]);
  for (const OIDC_ISSUER of ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"])
    assert.equal(readConfig({ ...three, OIDC_ISSUER }, empty).oidc?.issuer, OIDC_ISSUER);
});

test("variables of other programs in the environment are ignored", () => {
  const config = readConfig({ PATH: "/bin", DATABASE: "x", PORTAL: "x", LIMITS: "x", HOSTNAME: "x" }, empty);
  assert.deepEqual(config, readConfig({}, empty));
});

test("a .env file sets what the environment does not", () => {
  const file = "PORT=4000\nRETENTION_DAYS=7 # a week\n\n# SETUP_TOKEN=x\nHOST='0.0.0.0'\n";
  const config = readWithFile(file, { PORT: "5000" });
  assert.deepEqual(
    [config.port, config.retentionDays, config.setupToken, config.host],
    [5000, 7, undefined, "0.0.0.0"],
  );
});

for (const [name, file, message] of [
  ["an unknown setting", "PROT=4000", /^PROT in \.env is not a setting\./],
  ["a malformed value", "PORT=x", /^PORT must be a whole number/],
] as const)
  test(`a .env file with ${name} is rejected`, () => {
    assert.throws(() => readWithFile(`${file}\n`), { message });
  });

test("a .env that cannot be read is rejected with one line", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-config-"));
  try {
    mkdirSync(path.join(folder, ".env"));
    assert.throws(() => readConfig({}, folder), { message: /^\.env cannot be read: [^\n]+$/ });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
