/**
 * Returns a function that returns the Idempotency-Key of what is sent: the same one for the same text and images, so that what
 * is sent again because its response was lost is stored once.
 */
export function createRepeatKeys(): (text: string, images: Blob[]) => string {
  let last: { text: string; images: Blob[]; key: string } | undefined;

  return (text, images) => {
    const isRepeated =
      last?.text === text &&
      last.images.length === images.length &&
      last.images.every((image, at) => image === images[at]);
    if (!isRepeated || !last) last = { text, images, key: randomKey() };
    return last.key;
  };
}

/** Pages without https have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
