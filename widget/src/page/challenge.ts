/** What the server accepts once: proof that the browser has worked for it. */
export type Proof = { challenge: string; nonce: string };

/** The server's limits are two seconds and ten minutes after it created the challenge. */
const MIN_AGE_MS = 2_200;
const MAX_AGE_MS = 9 * 60_000;

/**
 * Prepares the proof for one report. `prepare` starts the work, while the visitor writes. `take` waits for it, or for a new one if
 * it would be too old or was used.
 */
export function createProofs(address: string, workFile: string) {
  let pending: { proof: Promise<Proof>; since: number } | undefined;

  function prepare(): Promise<Proof> {
    if (!pending || performance.now() - pending.since > MAX_AGE_MS) {
      const proof = prove(address, workFile);
      const started = { proof, since: performance.now() };
      pending = started;
      // The next attempt starts anew.
      proof.catch(() => pending === started && (pending = undefined));
    }
    return pending.proof;
  }

  return {
    prepare: () => void prepare().catch(() => {}),
    take: prepare,
    drop: () => void (pending = undefined),
  };
}

async function prove(address: string, workFile: string): Promise<Proof> {
  const response = await fetch(address, { cache: "no-store", credentials: "omit" });
  if (!response.ok) throw new RefusedError(response.status);
  const received = performance.now();
  const { challenge } = (await response.json()) as { challenge: { token: string; bits: number } };
  const nonce = await findInWorker(workFile, challenge);
  const wait = received + MIN_AGE_MS - performance.now();
  await new Promise((resolve) => setTimeout(resolve, wait));
  return { challenge: challenge.token, nonce };
}

/** The server gives no challenge. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answered with status ${status}.`);
    this.status = status;
  }
}

function findInWorker(workFile: string, challenge: { token: string; bits: number }): Promise<string> {
  const worker = new Worker(workFile);
  const nonce = new Promise<string>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<string>) => resolve(data));
    worker.addEventListener("error", () => reject(new Error("The worker failed.")));
  });
  worker.postMessage(challenge);
  return nonce.finally(() => worker.terminate());
}
