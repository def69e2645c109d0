import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import {
  canAnyBecome,
  canMerge,
  canPromote,
  commandTargets,
  leavingIds,
  mayChange,
  mayUpdateIn,
} from "./error-commands.ts";

const group = (id: number, overrides: Partial<ErrorGroupListItem> = {}) =>
  ({
    id,
    project_id: 1,
    environment: "production",
    exception_class: `Error${id}`,
    status: 0,
    regressed_at: null,
    linked_issue_id: null,
    ...overrides,
  }) as ErrorGroupListItem;
const ids = (groups: readonly ErrorGroupListItem[]) => groups.map(({ id }) => id);
const nothing = { selected: [], peeked: null, current: undefined };

test("commands act on the selected errors, whatever is in the preview", () => {
  const { targets, what } = commandTargets({
    selected: [group(1), group(2)],
    peeked: group(3),
    current: group(4),
  });
  assert.deepEqual(ids(targets), [1, 2]);
  assert.equal(what, "2 errors");
});

test("without a selection, commands act on the error in the preview", () => {
  const { targets, what } = commandTargets({ ...nothing, peeked: group(3), current: group(4) });
  assert.deepEqual(ids(targets), [3]);
  assert.equal(what, "Error3");
});

test("without selection and preview, commands act on the row of the cursor", () => {
  assert.deepEqual(ids(commandTargets({ ...nothing, current: group(4) }).targets), [4]);
});

test("a single selected error is named by its class", () => {
  assert.equal(commandTargets({ ...nothing, selected: [group(1)] }).what, "Error1");
});

test("an issue is created from the error in the preview, also while others are selected", () => {
  assert.equal(commandTargets({ ...nothing, selected: [group(1)], peeked: group(3) }).target?.id, 3);
});

test("without any error, commands have no target", () => {
  assert.deepEqual(commandTargets(nothing), { target: undefined, targets: [], what: "" });
});

const projectWith = (...permissions: string[]) => ({ permissions }) as unknown as Project;

test("an error can be changed with the permission to update errors of its project", () => {
  assert.equal(mayUpdateIn(() => projectWith("error-groups:update"))(group(1)), true);
  assert.equal(mayUpdateIn(() => projectWith("error-groups:read"))(group(1)), false);
});

test("an error of a project that the user cannot access cannot be changed", () => {
  assert.equal(mayUpdateIn(() => undefined)(group(1)), false);
});

const ofFirstProject = ({ project_id }: ErrorGroupListItem) => project_id === 1;
const inAll = { mayUpdate: ofFirstProject, mayUpdateAny: true };

test("a selection can be changed if the user may update any error of the list", () => {
  assert.equal(mayChange({ ...nothing, selected: [group(1, { project_id: 2 })] }, inAll), true);
});

test("without a selection, only an error that the user may update can be changed", () => {
  assert.equal(mayChange({ ...nothing, current: group(1) }, inAll), true);
  assert.equal(mayChange({ ...nothing, current: group(1, { project_id: 2 }) }, inAll), false);
  assert.equal(mayChange(nothing, inAll), false);
});

test("a user who may update no error of the list changes nothing", () => {
  const inNone = { mayUpdate: () => false, mayUpdateAny: false };
  assert.equal(mayChange({ ...nothing, selected: [group(1)] }, inNone), false);
});

test("a status is offered if it would change one of the errors", () => {
  assert.equal(canAnyBecome([group(1), group(2, { status: 1 })], 1), true);
  assert.equal(canAnyBecome([group(2, { status: 1 })], 1), false);
});

test("an issue can be created only from an error that has none", () => {
  assert.equal(
    canPromote(group(1), () => true),
    true,
  );
  assert.equal(
    canPromote(group(1, { linked_issue_id: 12 }), () => true),
    false,
  );
  assert.equal(
    canPromote(undefined, () => true),
    false,
  );
});

test("an issue can be created only from an error that the user may update", () => {
  assert.equal(
    canPromote(group(1), () => false),
    false,
  );
});

test("errors of one project and environment can be merged", () => {
  assert.equal(
    canMerge([group(1), group(2)], () => true),
    true,
  );
});

test("errors of different projects or environments cannot be merged", () => {
  assert.equal(
    canMerge([group(1), group(2, { project_id: 2 })], () => true),
    false,
  );
  assert.equal(
    canMerge([group(1), group(2, { environment: "staging" })], () => true),
    false,
  );
});

test("a single error cannot be merged", () => {
  assert.equal(
    canMerge([group(1)], () => true),
    false,
  );
});

test("at most 101 errors can be merged, as 100 of them become part of the other one", () => {
  const groups = Array.from({ length: 102 }, (_, index) => group(index));
  assert.equal(
    canMerge(groups.slice(1), () => true),
    true,
  );
  assert.equal(
    canMerge(groups, () => true),
    false,
  );
});

test("the cursor moves past the errors that leave the tab", () => {
  const groups = [group(1), group(2, { status: 1 })];
  assert.deepEqual(leavingIds(groups, 1, { tab: "open" }), [1]);
});

test("in the tab of all errors none leaves by a change of its status", () => {
  assert.deepEqual(leavingIds([group(1)], 1, { tab: "all" }), []);
});
