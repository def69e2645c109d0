let waiting: (() => void)[] = [];

/**
 * Calls back once the parser has read everything that arrived together with the headers of the current request. By
 * then, all requests of this turn of the event loop have been received. Reading all of them before answering the first
 * is faster than alternating.
 */
export function whenParsed(callback: () => void): void {
  if (waiting.push(callback) === 1) setImmediate(callBack);
}

function callBack(): void {
  const callbacks = waiting;
  waiting = [];
  for (const callback of callbacks) callback();
}
