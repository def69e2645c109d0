import type { FastifyReply } from "fastify";

/**
 * A cookie with a secret that browsers send only to this host. `SameSite=Lax`: it is sent when the user follows a link from
 * another site, but not with other requests that a site makes.
 */
export function hostCookie(name: string, seconds: number) {
  const isSecure = (publicUrl: string) => publicUrl.startsWith("https:");
  // The __Host- prefix prevents subdomains from setting the cookie. Browsers accept it over HTTPS only.
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
