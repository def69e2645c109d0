import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { TestProject } from "./project.ts";

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
