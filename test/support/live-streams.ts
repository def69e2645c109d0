import type { AddressInfo } from "node:net";
import { after, afterEach, beforeEach } from "node:test";
import { announce, type LiveChange } from "../../src/server/record/live-changes.ts";
import { listenTo, type EventStream } from "./event-stream.ts";
import { makeMember, makePersonalToken, makeProject, makeWorkspace, type TestUser } from "./make.ts";
import { openAppOn, openTestApp, type TestApp } from "./test-app.ts";

/** Often, so that tests do not wait for the next check or heartbeat. */
export const LIVE = { checkMs: 50, heartbeatMs: 50 };

/**
 * Starts two servers on one database and, before each test, makes a project with one member. The streams that a test opened
 * are closed after it. Await it at the top of the file.
 */
export async function useLiveStreams() {
  const t = await openTestApp({}, { live: LIVE });
  const other = await openAppOn(t.database.url, {}, { live: LIVE });
  after(async () => {
    await other.close();
    await t.close();
  });
  const [base, otherBase] = [await serve(t), await serve(other)];

  let workspace: { id: number; admin: TestUser };
  let project: { id: number; key: string };
  let user: TestUser;
  let token: string;
  const open: EventStream[] = [];
  beforeEach(async () => {
    workspace = await makeWorkspace(t.db);
    project = await makeProject(t.db, workspace.id);
    user = await makeMember(t.db, project.id);
    token = await tokenOf(user.id);
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  /** Deletes the changes that the test's setup announced, so that a new stream does not receive them. */
  const forget = () => t.db.deleteFrom("changes").execute();

  /** A new token whose announcement to its owner no stream receives. */
  async function tokenOf(userId: number) {
    const made = await makePersonalToken(t.db, userId);
    await forget();
    return made;
  }

  async function listenWith(
    headers: Record<string, string>,
    { at = base, lastId = undefined as string | undefined, query = "" } = {},
  ) {
    const stream = await listenTo(at, headers, lastId, query);
    open.push(stream);
    if (stream.status === 200) await stream.waitForText(() => stream.lastId() !== undefined);
    return stream;
  }
  type Place = Parameters<typeof listenWith>[1];
  const listenAs = (bearer: string, place?: Place) =>
    listenWith({ authorization: `Bearer ${bearer}` }, place);

  let lastChange = 1_000;
  const nextId = () => ++lastChange;
  const anIssue = (overrides: Partial<LiveChange> = {}): LiveChange => ({
    kind: "issue",
    project_id: project.id,
    id: nextId(),
    ...overrides,
  });
  const record = (...changes: LiveChange[]) => t.db.transaction().execute((tx) => announce(tx, changes));

  /** Announces one more change and waits for it, so that everything before it in the stream has arrived. */
  async function settle(stream: EventStream, canary = anIssue()) {
    await record(canary);
    await stream.waitFor(({ data }) => data.id === canary.id);
    return canary.id;
  }

  const servers = { t, other, base, otherBase };
  const streams = { listenWith, listenAs, tokenOf, forget };
  const changes = { anIssue, nextId, record, settle };
  return {
    ...servers,
    ...streams,
    ...changes,
    get workspace() {
      return workspace;
    },
    get project() {
      return project;
    },
    get user() {
      return user;
    },
    get token() {
      return token;
    },
  };
}

export async function serve({ app }: TestApp) {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

export const idsOf = (stream: EventStream) => stream.events.map((event) => event.data.id);
