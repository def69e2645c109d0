import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Expected } from "./programs.ts";

/** Fails if the group differs from what the program sent: two equal errors of two users. */
export function checkGroup(group: ErrorGroup, environment: string, expected: Expected) {
  assert.equal(group.occurrence_count, 2, "events");
  assert.equal(group.affected_users, 2, "users");
  assert.equal(group.environment, environment);
  assert.equal(group.last_release, "shop@1.4.2");
  assert.equal(group.exception_class, expected.exception_class);
  assert.match(group.latest_message, expected.message);
  assert.match(group.latest_stack_trace.split("\n")[0] ?? "", expected.frame);
  assert.deepEqual(
    group.previous_exceptions.map((previous) => previous.exception_class),
    expected.chain,
    "chain",
  );
  assert.deepEqual(group.context, expected.context, "context");
  assert.deepEqual(
    group.hosts.map(({ name }) => name),
    expected.host === null ? [] : [expected.host],
    "hosts",
  );
  assert.match(`${group.runtime.name} ${group.runtime.version}`, expected.runtime);
  if (expected.framework !== undefined) assert.equal(group.framework.name, expected.framework, "framework");
}
