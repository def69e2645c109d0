import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { GitHost, NewGitConnection } from "../../src/shared/git.ts";
import type { Issue } from "../../src/shared/issues.ts";
import { processDeliveries } from "../../src/server/integrations/git/process-deliveries.ts";
import type { Answer } from "./client.ts";
import type { TestUser } from "./make.ts";
import { openProject, type TestProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

const FIXTURES = path.join(import.meta.dirname, "../fixtures/git");

// oxlint-disable-next-line typescript/no-explicit-any -- a payload is whatever the host sends; tests change parts of it
export type Payload = any;

/** The events by host, with the names of their payloads in the fixtures. */
const EVENTS: Record<GitHost, Record<string, string>> = {
  github: {},
  gitlab: { push: "Push Hook", merge_request: "Merge Request Hook", pipeline: "Pipeline Hook" },
  gitea: {},
};

/** A project with a Git connection and an issue, `WEB-12` in the fixtures. */
export type GitProject = TestProject & {
  connection: NewGitConnection;
  issue: Issue;
  /** The path of the connection's address. */
  address: string;
  /** A payload from the fixtures, changed by `change`. */
  payload(name: string, change?: (payload: Payload) => void): Promise<Payload>;
  /** Sends a payload as the host does. */
  deliver(event: string, payload: Payload, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a payload from the fixtures, and processes it. */
  receive(name: string, change?: (payload: Payload) => void): Promise<void>;
  /** Processes all deliveries; fails if one could not be. */
  process(): Promise<void>;
  readIssue(): Promise<Issue>;
  readGroup(id: number): Promise<ErrorGroup>;
};

export async function openGit(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
  { host = "github", ...body }: { host?: GitHost; on_open?: "doing" } = {},
): Promise<GitProject> {
  const project = await openProject(t, workspace);
  const { admin, id } = project;
  const made = await admin.post(`/api/projects/${id}/git-connections`, { host, ...body });
  assert.equal(made.status, 201, made.text);
  const connection = made.body as NewGitConnection;
  const issue = (await admin.post(`/api/projects/${id}/issues`, { title: "The cart is empty" }))
    .body as Issue;
  const address = new URL(connection.url).pathname;
  const payload = async (name: string, change: (payload: Payload) => void = () => {}) => {
    const text = await readFile(path.join(FIXTURES, host, `${name}.json`), "utf8");
    const parsed: Payload = JSON.parse(text.replaceAll("WEB-12", issue.key));
    change(parsed);
    return parsed;
  };
  const deliver = (event: string, content: Payload, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(content);
    const signed = signatureOf(connection, text, EVENTS[host][event] ?? event);
    return t.http.send({ method: "POST", url: address, headers: { ...signed, ...headers }, payload: text });
  };
  const process = async () => {
    await processDeliveries(t.db, new AbortController().signal);
    const failed = await t.db
      .selectFrom("git_deliveries")
      .select("error")
      .where("connection_id", "=", connection.id)
      .where("error", "is not", null)
      .execute();
    assert.deepEqual(failed, []);
  };
  return {
    ...project,
    connection,
    issue,
    address,
    payload,
    deliver,
    process,
    receive: async (name, change) => {
      const answer = await deliver(name, await payload(name, change));
      assert.equal(answer.status, 202, answer.text);
      await process();
    },
    readIssue: async () => (await admin.get(`/api/projects/${id}/issues/${issue.id}`)).body as Issue,
    readGroup: async (groupId) => (await admin.get(`${project.groups}/${groupId}`)).body as ErrorGroup,
  };
}

/** The headers of a delivery, with the signature of the host. */
export function signatureOf(
  { host, secret }: NewGitConnection,
  body: string,
  event: string,
): Record<string, string> {
  const id = randomUUID();
  const json = { "content-type": "application/json" };
  const hex = createHmac("sha256", secret).update(body).digest("hex");
  if (host === "github")
    return {
      ...json,
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${hex}`,
    };
  if (host === "gitea")
    return { ...json, "x-gitea-event": event, "x-gitea-delivery": id, "x-gitea-signature": hex };
  const time = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return {
    ...json,
    "x-gitlab-event": event,
    "idempotency-key": id,
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
}
