import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { openBoard, type Board } from "../../../test/support/board.ts";
import { anEvent } from "../../../test/support/error-events.ts";
import { waitUntil } from "../../../test/support/eventually.ts";
import { serve } from "../../../test/support/live-streams.ts";
import { makePersonalToken, makeProjectToken, makeWorkspace } from "../../../test/support/make.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { useCommandLine, type Options } from "./command-line.ts";

/** A server, and the program with the token of an administrator. Each test has a new project. Await it at the top of the file. */
export async function useSignedIn() {
  const t = await useTestApp();
  const url = await serve(t);
  const workspace = await makeWorkspace(t.db);
  const token = await makePersonalToken(t.db, workspace.admin.id);
  const program = await useCommandLine({ SIGNALBOX_URL: url, SIGNALBOX_TOKEN: token });
  let board: Board;
  let sender: string;
  beforeEach(async () => {
    board = await openBoard(t, workspace);
    sender = await makeProjectToken(t.db, board.id, workspace.admin.id);
  });

  /** Runs a command in the test's project. */
  const sbx = (args: string[], { env, ...options }: Options = {}) =>
    program.sbx(args, { ...options, env: { SIGNALBOX_PROJECT: board.key, ...env } });

  async function sendEvent(event: Record<string, unknown> = {}) {
    // A server on a busy machine may answer with 503, which says that nothing was stored.
    await waitUntil(async () => {
      const { status } = await t.http.as(sender).post(`${board.url}/error-events`, anEvent(event));
      assert.ok(status === 202 || status === 503, `${status}`);
      return status === 202;
    });
  }

  return {
    t,
    url,
    workspace,
    token,
    program,
    sbx,
    /** Runs a command with --json and returns what it prints. */
    async json(args: string[]) {
      const { code, stdout, stderr } = await sbx([...args, "--json"]);
      if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${stderr}`);
      return JSON.parse(stdout);
    },
    sendEvent,
    /** Sends an event of a new error, and returns the id of its group. */
    async makeError(event: Record<string, unknown> = {}): Promise<number> {
      await sendEvent(event);
      const { data } = (await board.admin.get(`${board.url}/error-groups?limit=1`)).body;
      return data[0].id;
    },
    get board() {
      return board;
    },
    get sender() {
      return sender;
    },
  };
}
