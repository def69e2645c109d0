import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../../../test/support/test-app.ts";
import { changesSince, currentPosition, REPLAY_SECONDS } from "./change-log.ts";

const t = await useTestApp();

for (const [what, seconds, isLost] of [
  ["is recent", -REPLAY_SECONDS / 2, false],
  ["is older than changes are kept", -REPLAY_SECONDS - 10, true],
  ["is ahead of a clock that was set back", 172_800, true],
] as const)
  test(`a client whose position ${what} ${isLost ? "must reload everything" : "gets what it missed"}`, async () => {
    const position = await currentPosition(t.db);
    const { changes } = await changesSince(t.db, { ...position, second: position.second + seconds });
    assert.deepEqual(changes, isLost ? undefined : []);
  });
