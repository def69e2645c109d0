import { MAX_READS } from "../../shared/collected-reads.ts";

/** Reads that start within this time, in milliseconds, are made together. It is short compared with a round trip. */
const COLLECTED_MS = 60;

type Read = { path: string; answer: (body: unknown) => void };

let waiting: Read[] = [];

/**
 * On a slow connection, the number of a page's requests determines how long it takes, because browsers make only six at
 * a time. This reads together what starts at the same time. Returns the body, or null if the caller has to make the
 * request by itself: no other read has started, or it has failed.
 */
export function readTogether(path: string): Promise<unknown> {
  return new Promise((answer) => {
    waiting.push({ path, answer });
    if (waiting.length === 1) setTimeout(() => void send(), COLLECTED_MS);
    if (waiting.length === MAX_READS) void send();
  });
}

async function send(): Promise<void> {
  const reads = waiting;
  waiting = [];
  const bodies = reads.length > 1 ? await fetchBodies(reads) : [];
  for (const [n, { answer }] of reads.entries()) answer(bodies[n] ?? null);
}

async function fetchBodies(reads: readonly Read[]): Promise<unknown[]> {
  const query = new URLSearchParams({ paths: reads.map(({ path }) => path).join(" ") });
  try {
    const response = await fetch(`/api/reads?${query}`, { headers: { accept: "application/json" } });
    return response.ok ? ((await response.json()) as { data: unknown[] }).data : [];
  } catch {
    return [];
  }
}
