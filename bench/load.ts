import net from "node:net";

/** The bytes of a request, with a tag to count its responses by. */
export type Prepared = { bytes: Buffer; tag: number };

export type LoadResult = {
  /** Responses with the expected status. */
  ok: number;
  okByTag: Map<number, number>;
  /** Responses with another status, by status. */
  other: Map<number, number>;
  seconds: number;
  /** Milliseconds, sorted. */
  latencies: Float64Array;
};

type Load = {
  port: number;
  connections: number;
  seconds: number;
  expectedStatus: number;
  /** Milliseconds between a response and the connection's next request. */
  pauseMs?: number;
  /** Requests of all connections together, which send in turn at even intervals. Without it, each sends after a response. */
  perSecond?: number;
  /** Returns the n-th request. */
  next: (n: number) => Prepared;
  /** Called with each response's latency in milliseconds, and the moment of its request since the start. */
  onResponse?: (ms: number, sentAt: number) => void;
};

/** Until the first request of evenly spaced ones, so that it need not wait for its connection. */
const CONNECTING_MS = 100;

/**
 * Sends prepared requests over raw sockets, one at a time on each, and parses as little of the responses as possible:
 * on two cores, an expensive load generator would measure itself. Responses must have a Content-Length.
 */
export async function load(options: Load): Promise<LoadResult> {
  const { port, connections, seconds, expectedStatus, pauseMs, perSecond, next, onResponse } = options;
  const okByTag = new Map<number, number>();
  const other = new Map<number, number>();
  const latencies: number[] = [];
  let sentCount = 0;
  const start = performance.now();
  const end = start + seconds * 1000;

  const connection = (place: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
      let started = 0;
      let tag = 0;
      let rest = "";
      const interval = (connections * 1000) / (perSecond ?? Infinity);
      let due = start + CONNECTING_MS + (place * interval) / connections;
      const send = (since = performance.now()) => {
        if (performance.now() >= end) return socket.end(resolve);
        const request = next(sentCount++);
        tag = request.tag;
        started = since;
        socket.write(request.bytes);
      };
      /** A request that is due while the connection still waits for a response is late since then. */
      const sendWhenDue = () => {
        const early = due - performance.now();
        if (early <= 0) send(due);
        else setTimeout(send, early);
        due += interval;
      };
      const sendNext = () => {
        if (perSecond !== undefined) sendWhenDue();
        else if (pauseMs === undefined) send();
        else setTimeout(send, pauseMs);
      };
      socket.on("connect", perSecond === undefined ? () => send() : sendWhenDue);
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        rest += chunk.toString("latin1");
        const head = rest.indexOf("\r\n\r\n");
        if (head === -1) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(rest.slice(0, head + 2));
        if (rest.length < head + 4 + Number(length?.[1] ?? 0)) return;
        const status = Number(rest.slice(9, 12));
        rest = "";
        const ms = performance.now() - started;
        latencies.push(ms);
        onResponse?.(ms, started - start);
        if (status === expectedStatus) okByTag.set(tag, (okByTag.get(tag) ?? 0) + 1);
        else other.set(status, (other.get(status) ?? 0) + 1);
        sendNext();
      });
    });

  await Promise.all(Array.from({ length: connections }, (_, place) => connection(place)));
  const elapsed = (performance.now() - start) / 1000;
  const ok = [...okByTag.values()].reduce((sum, count) => sum + count, 0);
  return { ok, okByTag, other, seconds: elapsed, latencies: Float64Array.from(latencies).sort() };
}

export function quantile(sorted: Float64Array, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export function prepare(path: string, token: string, body: string, tag: number): Prepared {
  const payload = Buffer.from(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${payload.length}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head), payload]), tag };
}

/** The same for any bytes, without a credential in the headers. */
export function prepareBytes(path: string, payload: Buffer, headers = ""): Prepared {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${payload.length}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head), payload]), tag: 0 };
}
