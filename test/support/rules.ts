import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Client } from "./client.ts";
import { makeIngestKey, makeMember, makePersonalToken, makeProjectToken, type TestUser } from "./make.ts";
import { openProject, type TestProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

/** A new project with the path of its rules. */
export type RuleProject<Rule> = TestProject & {
  url: string;
  /** An ingest key. */
  key: string;
  /** Creates a rule; fails if it is rejected. */
  create(rule: object): Promise<Rule>;
  /** The invalid fields of a rule, with their messages; fails if it is accepted. */
  errorsOf(rule: unknown): Promise<Record<string, string[]>>;
  /** Sends a Sentry event; fails unless its sender gets the id that it has sent. */
  sendSentry(event: object, options?: { http?: Client; headers?: Record<string, string> }): Promise<void>;
};

export async function openRules<Rule>(
  t: TestApp,
  workspace: { id: number; admin: TestUser },
  path: "inbound-rules" | "privacy-rules",
): Promise<RuleProject<Rule>> {
  const project = await openProject(t, workspace);
  const url = `/api/projects/${project.id}/${path}`;
  const key = await makeIngestKey(t.db, project.id);
  return {
    ...project,
    url,
    key,
    create: async (rule) => {
      const made = await project.admin.post(url, rule);
      assert.equal(made.status, 201, made.text);
      return made.body as Rule;
    },
    errorsOf: async (rule) => {
      const { status, body } = await project.admin.post(url, rule);
      assert.equal(status, 422);
      return body.errors as Record<string, string[]>;
    },
    sendSentry: async (event, { http = t.http, headers = {} } = {}) => {
      const event_id = randomUUID().replaceAll("-", "");
      const sent = await http.send({
        method: "POST",
        url: `/api/${project.id}/store/?sentry_key=${key}`,
        headers,
        payload: JSON.stringify({ event_id, ...event }),
      });
      assert.equal(sent.status, 200, sent.text);
      assert.deepEqual(sent.body, { id: event_id });
    },
  };
}

/**
 * Fails unless reading the rules requires Error Groups: Read and changing them project:update, and tokens and ingest keys
 * can do neither. `body` creates a rule.
 */
export async function checkAccessToRules(
  t: TestApp,
  admin: TestUser,
  project: RuleProject<{ id: number | null }>,
  body: object,
): Promise<void> {
  const { id, url } = project;
  const rule = `${url}/${(await project.create(body)).id}`;
  const as = async (role: "Reporter" | "Member" | "Manager") =>
    t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, id, { role })).id));
  assert.equal((await (await as("Reporter")).get(url)).status, 403);
  const member = await as("Member");
  assert.equal((await member.get(url)).status, 200);
  assert.equal((await (await as("Manager")).patch(rule, { active: false })).status, 200);
  const token = t.http.as(await makeProjectToken(t.db, id, admin.id));
  const key = t.http.as(project.key);
  for (const one of [token, key]) assert.equal((await one.get(url)).status, 403);
  for (const one of [member, token, key]) {
    assert.equal((await one.post(url, body)).status, 403);
    assert.equal((await one.patch(rule, {})).status, 403);
    assert.equal((await one.delete(rule)).status, 403);
  }
}
