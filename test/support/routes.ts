import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";

/** Returns the result of `open` and all routes declared by it. */
export async function collectRoutes<Opened>(open: () => Promise<Opened>): Promise<[Opened, RouteOptions[]]> {
  const routes: RouteOptions[] = [];
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", (route) => void routes.push(route));
  };
  subscribe("fastify.initialization", collect);
  const opened = await open();
  unsubscribe("fastify.initialization", collect);
  return [opened, routes];
}
