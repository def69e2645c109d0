// Keeps what another app shares with this one until the page /share has read it. Nothing is sent: the person decides there.
{
  const CACHE = "shared";
  const MAX_FILES = 5;
  // The same as the server's limit. The page says which files were too large.
  const MAX_BYTES = 3 * 1_048_576;

  self.addEventListener("fetch", (event) => {
    const { method, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (method === "POST" && origin === self.location.origin && pathname === "/share")
      event.respondWith(receive(event.request));
  });

  async function receive(request) {
    try {
      const form = await request.formData();
      const files = form.getAll("images").filter((value) => typeof value !== "string");
      const text = (name) => (typeof form.get(name) === "string" ? form.get(name) : "");
      await caches.delete(CACHE);
      const cache = await caches.open(CACHE);
      const kept = files.slice(0, MAX_FILES).filter(({ size }) => size <= MAX_BYTES);
      const about = {
        title: text("title"),
        text: text("text"),
        url: text("url"),
        files: kept.map(({ name }) => name),
        left_out: files.filter((file) => !kept.includes(file)).map(({ name }) => name),
      };
      for (const [index, file] of kept.entries())
        await cache.put(
          `/share/files/${index}`,
          new Response(file, { headers: { "content-type": file.type } }),
        );
      await cache.put("/share/about", Response.json(about));
      return Response.redirect("/share?kept=1", 303);
    } catch {
      return Response.redirect("/share?lost=1", 303);
    }
  }
}
