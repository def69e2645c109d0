/** A connection of the WebDriver BiDi protocol. */
export type Bidi = {
  /** Rejects with the browser's error. */
  send<Result = void>(method: string, params?: object): Promise<Result>;
  onEvent(method: string, listener: (params: Record<string, unknown>) => void): void;
  close(): void;
};

type Message =
  | { type: "success"; id: number; result: unknown }
  | { type: "error"; id: number; error: string; message: string }
  | { type: "event"; method: string; params: Record<string, unknown> };

export async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  const listeners = new Map<string, (params: Record<string, unknown>) => void>();
  let count = 0;
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as Message;
    if (message.type === "event") return listeners.get(message.method)?.(message.params);
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "success") request?.resolve(message.result as never);
    else request?.reject(new Error(`${message.error}: ${message.message}`));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`${url} does not accept the connection`)));
  });
  const send: Bidi["send"] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send("session.new", { capabilities: {} });
  return {
    send,
    onEvent: (method, listener) => void listeners.set(method, listener),
    close: () => socket.close(),
  };
}
