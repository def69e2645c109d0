/** The worker that computes what the public form demands, so that the page stays responsive. */
import { findNonce } from "./find-nonce.ts";

addEventListener("message", ({ data }: MessageEvent<{ token: string; bits: number }>) =>
  postMessage(findNonce(data.token, data.bits)),
);
