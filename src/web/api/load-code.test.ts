import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { loadCode, OutdatedError } from "./load-code.ts";

/** What the page runs, and what the server answers for it: undefined while the server is away. */
let served: string | undefined;
beforeEach(() => {
  served = '<script type="module" src="/assets/index-a1.js"></script>';
  const script = { src: "http://localhost/assets/index-a1.js" };
  Object.assign(globalThis, {
    document: { querySelector: () => script },
    fetch: async () => {
      if (served === undefined) throw new TypeError("fetch failed");
      return new Response(served);
    },
  });
});

/** An import that fails so often before it succeeds. */
function failing(times: number) {
  let attempts = 0;
  return async () => {
    if (++attempts <= times) throw new TypeError("Failed to fetch dynamically imported module");
    return attempts;
  };
}

test("a failed import is tried again with growing pauses, up to thirty seconds", async () => {
  const pauses: number[] = [];
  let failures = 0;
  const attempts = await loadCode(
    failing(8),
    () => failures++,
    async (ms) => void pauses.push(ms),
  );
  assert.equal(attempts, 9);
  assert.equal(failures, 8);
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("while the server does not answer, the import is tried again", async () => {
  served = undefined;
  assert.equal(
    await loadCode(
      failing(2),
      () => {},
      async () => {},
    ),
    3,
  );
});

test("when the server has another version, the import fails at once", async () => {
  served = '<script type="module" src="/assets/index-b2.js"></script>';
  const paused = () => assert.fail("there is no second attempt");
  await assert.rejects(
    loadCode(failing(1), () => {}, paused),
    OutdatedError,
  );
});
