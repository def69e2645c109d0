/** An id as SDKs send it, a UUID with or without dashes, in the form of 32 lowercase characters. */
export function readEventId(sent: unknown): string | undefined {
  if (typeof sent !== "string") return undefined;
  const id = sent.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined;
}
