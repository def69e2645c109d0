import { once } from "node:events";
import sharp from "sharp";

/** Visitors who all send a report with images at once. */
export type FeedbackLoad = { port: number; projectId: number; key: string; visitors: number; images: number };

/** How many visitors got which status, and after how many milliseconds the last one was answered. */
export type FeedbackResult = { statuses: Record<string, number>; ms: number };

/** Makes the image on the first message, and starts on the second. */
const [{ port, projectId, key, visitors, images }] = (await once(process, "message")) as [FeedbackLoad];
const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
const image = await sharp({ create: { width: 3_060, height: 2_300, channels: 3, background: "#888", noise } })
  .jpeg({ quality: 82 })
  .toBuffer();
const start = once(process, "message");
process.send?.(image.length);
await start;
const began = performance.now();
const statuses: Record<string, number> = {};
await Promise.all(Array.from({ length: visitors }, (_, n) => send(`192.0.2.${n}`)));
process.send?.({ statuses, ms: performance.now() - began } satisfies FeedbackResult, () =>
  process.disconnect(),
);

/** The server counts each visitor's requests by the address that its proxy reports. */
async function send(address: string) {
  const form = new FormData();
  form.set("description", "The cart is empty");
  for (let n = 0; n < images; n++)
    form.set(`files[${n}]`, new Blob([new Uint8Array(image)], { type: "image/jpeg" }), `${n}.jpg`);
  const status = await fetch(`http://127.0.0.1:${port}/api/projects/${projectId}/feedback`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-forwarded-for": address },
    body: form,
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return String(response.status);
    },
    // The connection of a refused upload may be closed before the client has read the response.
    () => "disconnected",
  );
  statuses[status] = (statuses[status] ?? 0) + 1;
}
