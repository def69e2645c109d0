import { request, type IncomingMessage } from "node:http";
import { DEADLINE } from "./eventually.ts";

/** A server-sent event. Heartbeats only update `lastId`. */
export type ServerEvent = { event: string; data: { kind?: string; id?: number; [name: string]: unknown } };

export type EventStream = {
  status: number;
  headers: IncomingMessage["headers"];
  /** All events received so far. */
  events: ServerEvent[];
  /** What a browser would send as Last-Event-ID. */
  lastId(): string | undefined;
  /** The raw text received so far. */
  text(): string;
  /** Resolves with the first past or future event that satisfies the predicate; fails after a minute. */
  waitFor(is: (event: ServerEvent) => boolean): Promise<ServerEvent>;
  /** Resolves when the raw text satisfies the predicate. */
  waitForText(is: (text: string) => boolean): Promise<void>;
  /** Resolves when the server has ended or aborted the stream. */
  ended: Promise<void>;
  close(): void;
};

/** Opens `/api/events` over a separate socket. `query` starts with a question mark. */
export async function listenTo(
  base: string,
  headers: Record<string, string>,
  lastEventId?: string,
  query = "",
): Promise<EventStream> {
  const sent = { ...headers, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const asking = request(`${base}/api/events${query}`, { headers: sent, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.on("response", resolve).on("error", reject).end();
  });
  // The stream may end by an aborted connection.
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
    const event = fields.get("event") ?? "message";
    if (data !== undefined && event !== "heartbeat") events.push({ event, data: JSON.parse(data) });
  }
  function wait<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        checks.delete(check);
        reject(new Error(`it did not come: ${state.text.slice(-2_000)}`));
      }, DEADLINE);
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
    waitFor: (is) => wait(() => events.find(is)),
    waitForText: async (is) => void (await wait(() => is(state.text) || undefined)),
    ended,
    close: () => asking.destroy(),
  };
}
