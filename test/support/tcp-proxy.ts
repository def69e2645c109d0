import { once } from "node:events";
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from "node:net";

/** A TCP proxy that can swallow packets, as a broken network or a firewall does. */
export type TcpProxy = {
  port: number;
  /** How many connections clients have opened so far. */
  connections(): number;
  /**
   * From now on, bytes of open and new connections disappear in both directions. Connections open and
   * stay open, as with a paused server.
   */
  swallow(): void;
  /** New connections work again. Those that lost bytes, or were opened meanwhile, stay silent. */
  forward(): void;
  close(): Promise<void>;
};

/** Listens on a free port of the loopback interface and forwards connections to the target. */
export async function startTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const state = { isSwallowing: false, connections: 0 };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    if (state.isSwallowing) silent.add(socket);
    socket.setNoDelay();
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const join = (from: Socket, to: Socket) => {
    from.on("data", (chunk) => silent.has(from) || to.write(chunk));
    from.on("end", () => silent.has(from) || to.end());
    from.on("close", () => silent.has(from) || to.destroy());
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    state.connections++;
    keep(client);
    client.resume();
    if (state.isSwallowing) return;
    const upstream = connect({ ...target, allowHalfOpen: true });
    keep(upstream);
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => state.connections,
    swallow: () => {
      state.isSwallowing = true;
      for (const socket of sockets) silent.add(socket);
    },
    forward: () => (state.isSwallowing = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A proxy in front of a PostgreSQL, and the database's URL through it. */
export async function startDatabaseProxy(databaseUrl: string): Promise<TcpProxy & { url: string }> {
  const url = new URL(databaseUrl);
  const socketFolder = url.searchParams.get("host");
  const proxy = await startTcpProxy(
    socketFolder === null
      ? { host: url.hostname, port: Number(url.port || 5432) }
      : { path: `${socketFolder}/.s.PGSQL.${url.port || 5432}` },
  );
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  return { ...proxy, url: url.href };
}
