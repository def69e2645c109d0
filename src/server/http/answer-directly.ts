import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** Answers a request, and returns true; or returns false without any effect. */
export type DirectAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Offers each request to `answers`, in order, before Fastify handles it, until the server closes. */
export function answerDirectly(app: FastifyInstance, ...answers: DirectAnswer[]): void {
  const { server, routing } = app;
  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  const before = server.listenerCount("request");
  server.off("request", routing);
  if (server.listenerCount("request") !== before - 1) throw new Error("the server has no single handler");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (isClosing || !answers.some((answer) => answer(request, response))) routing(request, response);
  });
}
