import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * The system chooses higher ports for connections and for servers that ask for any port, on Linux from 32,768. Such a port could be
 * taken while a site's server starts, or while a test has stopped it.
 */
const [LOWEST, HIGHEST] = [20_000, 32_767];

/** Finds a free port, and keeps it until it is released for the server that is to listen there. */
export async function reservePort(): Promise<{ port: number; release: () => Promise<void> }> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    const server = await listenOn(port);
    if (server !== undefined)
      return { port, release: () => new Promise((resolve) => void server.close(() => resolve())) };
  }
}

/** Undefined if another server has the port. */
async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return undefined;
  }
}
