import assert from "node:assert/strict";
import { test } from "node:test";
import { changeSession, onSignedOut, sentSession } from "./session-end.ts";

/** How often the page has been told that its session has ended. */
let signedOut = 0;
onSignedOut(() => signedOut++);

const countOf = async (act: () => void | Promise<void>) => {
  signedOut = 0;
  await act();
  return signedOut;
};

test("a rejected request says that the session has ended", async () => {
  assert.equal(await countOf(() => sentSession().rejected()), 1);
});

test("a request that is rejected while the page changes its session does not", async () => {
  const count = await countOf(() =>
    changeSession(async () => {
      await Promise.resolve();
      sentSession().rejected();
    }),
  );
  assert.equal(count, 0);
});

test("nor does one that started before the change has finished", async () => {
  let during = sentSession();
  const before = sentSession();
  await changeSession(async () => void (during = sentSession()));
  assert.equal(
    await countOf(() => {
      before.rejected();
      during.rejected();
    }),
    0,
  );
});

test("a request that started after the change does, even if the change has failed", async () => {
  await assert.rejects(changeSession(() => Promise.reject(new Error("refused"))));
  assert.equal(await countOf(() => sentSession().rejected()), 1);
});

test("whether a session was replaced is known once the change has finished", async () => {
  const session = sentSession();
  assert.equal(await session.wasReplaced(), false);
  let finish = () => {};
  const change = changeSession(() => new Promise<void>((resolve) => (finish = resolve)));
  const replaced = session.wasReplaced();
  finish();
  await change;
  assert.equal(await replaced, true);
  assert.equal(await sentSession().wasReplaced(), false);
});
