import type { FastifyInstance } from "fastify";

/**
 * Where the installed app sends what other apps share with it (`share_target` in the manifest). Its service worker takes these
 * requests. Without the worker, they reach the server, which reads and keeps nothing: a page of any site can send them. Needs a
 * scope of its own, because it accepts bodies of any type.
 */
export async function shareTarget(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  scope.post("/share", { config: { needs: "nothing" } }, async (_request, reply) =>
    reply.redirect("/share?lost=1", 303),
  );
}
