/** A random id: 32 lowercase hex characters. `crypto` is slow to load in Node, and randomUUID needs HTTPS in browsers. */
export function eventId(): string {
  let id = "";
  while (id.length < 32)
    id += Math.floor((1 + Math.random()) * 2 ** 32)
      .toString(16)
      .slice(1);
  return id;
}
