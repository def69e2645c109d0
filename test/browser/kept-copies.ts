import { waitUntil } from "../support/eventually.ts";
import type { TestPage } from "./test-page.ts";

/** What the browser keeps of the site, as one text: the rows of its database, and the responses in its caches. */
export function readKept(page: TestPage): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    const isThere = (await indexedDB.databases()).some(({ name }) => name === "signalbox");
    const database = isThere
      ? await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open("signalbox");
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error));
        })
      : undefined;
    for (const store of database?.objectStoreNames ?? []) {
      const rows = await new Promise<unknown[]>((resolve) => {
        const request = database!.transaction(store).objectStore(store).getAll();
        request.addEventListener("success", () => resolve(request.result));
      });
      texts.push(JSON.stringify(rows));
    }
    database?.close();
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url);
        // The files of the build are large, and the same for everybody.
        if (!request.url.includes("/assets/")) texts.push((await (await cache.match(request))?.text()) ?? "");
      }
    }
    return texts.join("\n");
  });
}

/** Changes the rows of a store of the browser's database: each row is merged with the fields, and `added` is put beside them. */
export const changeRows = (page: TestPage, store: string, fields: object, added?: object): Promise<void> =>
  page.evaluate(
    async ([store, fields, added]) => {
      const request = indexedDB.open("signalbox");
      await new Promise((resolve) => {
        request.addEventListener("success", resolve);
      });
      const transaction = request.result.transaction(store, "readwrite");
      const cursor = transaction.objectStore(store).openCursor();
      cursor.addEventListener("success", () => {
        if (!cursor.result) return;
        cursor.result.update({ ...cursor.result.value, ...fields });
        cursor.result.continue();
      });
      if (added) transaction.objectStore(store).put(added);
      await new Promise((resolve) => {
        transaction.addEventListener("complete", resolve);
      });
      request.result.close();
    },
    [store, fields, added] as const,
  );

/** Waits until the browser has kept a response that contains the text. */
export const waitUntilKept = (page: TestPage, text: string) =>
  waitUntil(async () => (await readKept(page)).includes(text), `"${text}" is not kept`);

/** Waits until the service worker has taken over the page and kept the app's page and a file of the given name. */
export const waitForWorker = (page: TestPage, file: string) =>
  waitUntil(
    () =>
      page.evaluate(async (file) => {
        if (navigator.serviceWorker.controller === null) return false;
        const urls: string[] = [];
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
        return (
          urls.some((url) => url.endsWith("/shell.html")) && urls.some((url) => url.includes(`/${file}-`))
        );
      }, file),
    `the worker has not kept ${file}`,
  );
