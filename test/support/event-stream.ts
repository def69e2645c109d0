import { request, type IncomingMessage } from "node:http";

/** A server-sent event; blocks that only carry an id are none, but move `lastId`. */
export type ServerEvent = { event: string; data: { kind?: string; id?: number; [name: string]: unknown } };

export type EventStream = {
  status: number;
  headers: IncomingMessage["headers"];
  /** Everything that came so far. */
  events: ServerEvent[];
  /** What a browser would send as Last-Event-ID. */
  lastId(): string | undefined;
  /** Bytes as they came. */
  text(): string;
  /** Resolves with the first event, so far or to come, that the test is true for; fails after some seconds. */
  until(is: (event: ServerEvent) => boolean, ms?: number): Promise<ServerEvent>;
  /** Resolves when what came so far says so. */
  untilText(is: (text: string) => boolean, ms?: number): Promise<void>;
  /** Resolves when the server has ended the stream or cut it off. */
  ended: Promise<void>;
  close(): void;
};

const SOON_MS = 10_000;

/** Listens to `/api/events` over a socket of its own. */
export async function listenTo(
  base: string,
  headers: Record<string, string>,
  lastEventId?: string,
): Promise<EventStream> {
  const sent = { ...headers, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const asking = request(`${base}/api/events`, { headers: sent, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.on("response", resolve).on("error", reject).end();
  });
  // Cutting the connection is how a stream may end.
  asking.on("error", () => {});
  response.on("error", () => {});
  const state = { text: "", lastId: undefined as string | undefined, read: 0 };
  const events: ServerEvent[] = [];
  const checks = new Set<() => void>();
  const ended = new Promise<void>((resolve) => response.once("close", () => resolve()));
  response.setEncoding("utf8").on("data", (chunk: string) => {
    state.text += chunk;
    for (;;) {
      const end = state.text.indexOf("\n\n", state.read);
      if (end === -1) break;
      take(state.text.slice(state.read, end));
      state.read = end + 2;
    }
    for (const check of checks) check();
  });
  function take(block: string) {
    const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
    state.lastId = fields.get("id") ?? state.lastId;
    const data = fields.get("data");
    if (data !== undefined) events.push({ event: fields.get("event") ?? "message", data: JSON.parse(data) });
  }
  function wait<T>(find: () => T | undefined, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        checks.delete(check);
        reject(new Error(`it did not come: ${state.text.slice(-2_000)}`));
      }, ms);
      const check = () => {
        const found = find();
        if (found === undefined) return;
        clearTimeout(late);
        checks.delete(check);
        resolve(found);
      };
      checks.add(check);
      check();
    });
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    lastId: () => state.lastId,
    text: () => state.text,
    until: (is, ms = SOON_MS) => wait(() => events.find(is), ms),
    untilText: async (is, ms = SOON_MS) => void (await wait(() => is(state.text) || undefined, ms)),
    ended,
    close: () => asking.destroy(),
  };
}
