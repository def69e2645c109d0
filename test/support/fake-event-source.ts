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

  get isClosed(): boolean {
    return this.readyState === FakeEventSource.CLOSED;
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

  send(data: unknown, lastEventId = ""): void {
    this.#receive("message", JSON.stringify(data), lastEventId);
  }

  heartbeat(lastEventId: string): void {
    this.#receive("heartbeat", "{}", lastEventId);
  }

  reset(lastEventId = ""): void {
    this.#receive("reset", "{}", lastEventId);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  #receive(type: string, data: string, lastEventId: string) {
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
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

type Listener = (event: MessageEvent) => void;

/** A browser whose tabs share a channel that delivers messages at once. `openTab` returns what one tab sees of it. */
export function fakeBrowser() {
  const { connections, connectTo } = fakeEventSources();
  const members = new Set<(data: unknown) => void>();
  const openTab = () => {
    const page = new EventTarget();
    let isHung = false;
    const waiting: (() => void)[] = [];
    const join = () => {
      const listeners: Listener[] = [];
      const receive = (data: unknown) => {
        const take = () => listeners.forEach((listener) => listener({ data } as MessageEvent));
        if (isHung) waiting.push(take);
        else take();
      };
      members.add(receive);
      return {
        addEventListener: (_type: "message", listener: Listener) => void listeners.push(listener),
        close: () => void members.delete(receive),
        postMessage: (data: unknown) => {
          for (const member of members) if (member !== receive) member(data);
        },
      };
    };
    return {
      browser: { connectTo, join, page, age: () => 5 },
      /** Sends an event of the page's lifecycle, such as `pagehide`. */
      send: (type: string) => page.dispatchEvent(new Event(type)),
      /** The tab takes no messages anymore, because it crashed or is busy, until it wakes. */
      hang: () => void (isHung = true),
      wake: () => {
        isHung = false;
        for (const take of waiting.splice(0)) take();
      },
    };
  };
  return { connections, openTab, open: () => connections.filter((source) => !source.isClosed) };
}
