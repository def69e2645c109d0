import { once } from "node:events";
import { createServer } from "node:net";
import { ConfigError } from "../config/config.ts";

type Address = { host: string; port: number };

/** Throws ConfigError if the server cannot listen on the address. Call this before the start changes anything. */
export async function requireFreeAddress(address: Address): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(address), "listening");
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, address);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** Translates the error to one about the settings HOST and PORT if they caused it. */
export function listenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new ConfigError(`PORT ${port} on ${host} is in use by another program`);
    case "EACCES":
      return new ConfigError(`PORT ${port} on ${host} may not be opened by this user`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ConfigError(`HOST ${host} is not an address of this machine`);
    default:
      return error;
  }
}
