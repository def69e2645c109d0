import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Client } from "./client.ts";
import { anEvent } from "./error-events.ts";
import type { TestUser } from "./make.ts";
import { openProject, type TestProject } from "./project.ts";
import type { TestApp } from "./test-app.ts";

/** Stack traces of different fingerprints, by name. */
export const traceOf = (name: string) => `#0 /srv/app/src/${name}.php(12): run()\n#1 {main}`;

/** Sends an event with the fingerprint of this name, and returns its group. */
export async function sendAs(
  project: TestProject,
  name: string,
  overrides: Record<string, unknown> = {},
): Promise<ErrorGroup> {
  await project.send({ stack_trace: traceOf(name), exception_class: name, message: name, ...overrides });
  const { data } = (await project.admin.get(project.groups)).body as { data: ErrorGroup[] };
  return (await project.admin.get(`${project.groups}/${data[0]?.id}`)).body as ErrorGroup;
}

export async function mergeInto(project: TestProject, target: number, ids: number[]): Promise<ErrorGroup> {
  const answer = await project.admin.post(`${project.groups}/${target}/merge`, { error_group_ids: ids });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

export const readGroup = async (project: TestProject, id: number) =>
  (await project.admin.get(`${project.groups}/${id}`)).body as ErrorGroup;

export async function listGroups(project: TestProject): Promise<ErrorGroup[]> {
  return ((await project.admin.get(project.groups)).body as { data: ErrorGroup[] }).data;
}

/** A project with the groups A and B. */
export async function openTwoGroups(t: TestApp, workspace: { id: number; admin: TestUser }) {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const send = (name: string, more: object = {}, sender: Client = project.sender) =>
    sender.post(project.events, anEvent({ stack_trace: traceOf(name), exception_class: name, ...more }));
  const merge = (into = a.id, ids = [b.id]) =>
    project.admin.post(`${project.groups}/${into}/merge`, { error_group_ids: ids });
  /** The class of each group, which is its name, and how many events it has. */
  const counts = async () =>
    (await listGroups(project))
      .map(({ exception_class, occurrence_count }) => [exception_class, occurrence_count] as const)
      .toSorted(([one], [other]) => one.localeCompare(other));
  return { project, p: `/api/projects/${project.id}`, a, b, send, merge, counts };
}

/** For `collide`. */
export const lockGroup = ({ id }: { id: number }) => `select from error_groups where id = ${id} for update`;
