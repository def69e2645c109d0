import type { FastifyReply } from "fastify";

/**
 * A secret only this host gets back. Lax, so that it comes along when another site leads here, and with nothing else of
 * another site's.
 */
export function hostCookie(name: string, seconds: number) {
  const isSecure = (publicUrl: string) => publicUrl.startsWith("https:");
  // The prefix binds it to this very host; browsers take that on https only.
  const nameOn = (publicUrl: string) => (isSecure(publicUrl) ? `__Host-${name}` : name);
  return {
    nameOn,
    set: (reply: FastifyReply, publicUrl: string, secret: string) => {
      reply.setCookie(nameOn(publicUrl), secret, {
        path: "/",
        httpOnly: true,
        sameSite: "lax",
        secure: isSecure(publicUrl),
        maxAge: seconds,
      });
    },
    clear: (reply: FastifyReply, publicUrl: string) => {
      reply.clearCookie(nameOn(publicUrl), { path: "/", secure: isSecure(publicUrl) });
    },
  };
}
