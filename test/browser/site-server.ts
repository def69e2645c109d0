import type { TestSite } from "./test-site.ts";

/** Makes the site unreachable, as while its server restarts. */
export async function stopServer({ t }: TestSite): Promise<void> {
  const { server } = t.app;
  const closed = new Promise((resolve) => void server.close(resolve));
  server.closeAllConnections();
  await closed;
}

export const startServer = ({ t, url }: TestSite) =>
  new Promise<void>((resolve) => {
    t.app.server.listen(Number(new URL(url).port), "127.0.0.1", resolve);
  });
