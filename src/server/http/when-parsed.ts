let waiting: (() => void)[] = [];

/**
 * Calls back when the parser has read everything that arrived together with the headers of the request that is being received.
 * By then, all requests of this turn of the event loop have been received: to read all before the first is answered takes less
 * time than to do both in turn.
 */
export function whenParsed(callback: () => void): void {
  if (waiting.push(callback) === 1) setImmediate(callBack);
}

function callBack(): void {
  const callbacks = waiting;
  waiting = [];
  for (const callback of callbacks) callback();
}
