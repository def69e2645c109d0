/** An event stream that a test drives. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readonly url: string;
  readyState: number = FakeEventSource.CONNECTING;

  constructor(url: string) {
    super();
    this.url = url;
  }

  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** The connection was lost; the browser reconnects by itself. */
  lose(): void {
    this.readyState = FakeEventSource.CONNECTING;
    this.dispatchEvent(new Event("error"));
  }

  /** The server answered with an HTTP error; the browser gives up. */
  reject(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event("error"));
  }

  send(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(data) }));
  }

  reset(): void {
    this.dispatchEvent(new Event("reset"));
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}

/** `connectTo` opens fake streams and keeps them in `connections`. */
export function fakeEventSources() {
  const connections: FakeEventSource[] = [];
  const connectTo = (url: string) => {
    const source = new FakeEventSource(url);
    connections.push(source);
    return source as unknown as EventSource;
  };
  return { connections, connectTo };
}
