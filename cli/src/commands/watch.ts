import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEvent } from "../../../src/shared/live-changes.ts";
import type { Project } from "../../../src/shared/projects.ts";
import { openApi, type Api } from "../api.ts";
import type { Command } from "../command.ts";
import { readEvents, type StreamEvent } from "../event-stream.ts";
import { EXIT, Failure } from "../failure.ts";
import { paint, writeLine, writeNote } from "../output.ts";
import { HASTE, send } from "../send.ts";
import { oneLine, safeJson } from "../terminal-text.ts";
import { describeChange } from "./describe-change.ts";

/** The server sends something at least every 30 seconds. */
const SILENCE_MS = 75_000;
const MAX_PAUSE_MS = 30_000;

export const watch: Command = {
  name: "watch",
  summary: "Print changes as they happen, until it is ended",
  options: {
    kind: {
      type: "string",
      value: "KIND",
      help: "only changes of this kind, such as issue; may be repeated",
      multiple: true,
    },
  },
  async run({ api, texts, knownProject, json }) {
    const kinds = new Set(texts("kind"));
    const hasty = openApi(api().server, HASTE);
    const key = knownProject();
    const project = key === undefined ? undefined : (await api().get<Project>(`/projects/${key}`)).id;
    for await (const event of changesOf(api())) {
      if (event.type === "reset") writeReset(json);
      if (event.type !== "message" || event.data === "") continue;
      const change = JSON.parse(event.data) as LiveEvent;
      if (project !== undefined && change.project_id !== project) continue;
      if (kinds.size > 0 && !kinds.has(change.kind)) continue;
      if (json) writeLine(safeJson(change));
      else await writeChange(hasty, change);
    }
  },
};

/** Yields the events of the server for ever. After a lost connection, it connects again and continues where it stopped. */
async function* changesOf(api: Api): AsyncGenerator<StreamEvent> {
  let lastId: string | undefined;
  let failures = 0;
  for (let isFirst = true; ; isFirst = false) {
    try {
      for await (const event of connect(api, lastId, isFirst)) {
        failures = 0;
        lastId = event.id ?? lastId;
        yield event;
      }
    } catch (error) {
      // Failing to connect at first, and a token that is no longer valid, are for the user to solve.
      if (error instanceof Failure && (isFirst || error.exitCode !== EXIT.unreachable)) throw error;
    }
    if (failures === 0) writeNote("The connection was lost. Connecting again.");
    await sleep(Math.min(500 * 2 ** failures, MAX_PAUSE_MS));
    failures += 1;
  }
}

async function* connect(api: Api, lastId: string | undefined, isFirst: boolean): AsyncGenerator<StreamEvent> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await send(api.server, {
      method: "GET",
      path: "/api/events",
      headers: { accept: "text/event-stream", ...(lastId !== undefined && { "last-event-id": lastId }) },
      signal: silence.signal,
      repeats: isFirst,
    });
    if (response.body === null) return;
    writeNote(`Connected to ${api.server.url}.`);
    for await (const event of readEvents(response.body as AsyncIterable<Uint8Array>)) {
      timer.refresh();
      yield event;
    }
  } finally {
    clearTimeout(timer);
  }
}

function writeReset(json: boolean) {
  if (json) writeLine(safeJson({ kind: "reset" }));
  else writeNote("Some changes may have been missed.");
}

async function writeChange(api: Api, change: LiveEvent) {
  const time = new Date().toTimeString().slice(0, 8);
  writeLine(`${paint("dim", time)} ${oneLine(await describeChange(api, change))}`);
}
