/*
 * What this browser keeps in IndexedDB for the person who is signed in: copies of what was read, and changes made without a
 * connection. It belongs to one person at a time: `clearLocal` empties it before anything of another is written.
 */

const NAME = "signalbox";

/** A new version starts empty: what an earlier version of the app has stored is never read. */
const SCHEMA = 1;

/** `about` holds whom the database belongs to; `copies` what was read; `changes` what waits for the connection. */
export type LocalStore = "about" | "copies" | "changes";

const STORES: { [store in LocalStore]: IDBObjectStoreParameters } = {
  about: {},
  copies: { keyPath: "hash" },
  changes: { keyPath: "id", autoIncrement: true },
};

/** An index of the copies whose keys are `[written_at, bytes]`, so that their sizes can be summed up without reading them. */
export const BY_AGE = "by_age";

/** An index of the copies by `[hash, updated_at]`, which finds out without reading the copy whether there is a newer one. */
export const BY_TIME = "by_time";

let opened: Promise<IDBDatabase> | undefined;

/**
 * Runs `work` in a transaction over the stores and returns its result once the transaction has committed. Rejects if the
 * browser has no database for this page, or a damaged one: callers then do without.
 */
export async function inLocal<T>(
  stores: LocalStore[],
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const transaction = (await open()).transaction(stores, mode);
  const request = work(transaction);
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    for (const type of ["error", "abort"])
      transaction.addEventListener(type, () => reject(transaction.error));
  });
  return request?.result;
}

export async function clearLocal(): Promise<void> {
  await inLocal(Object.keys(STORES) as LocalStore[], "readwrite", (transaction) => {
    for (const store of transaction.objectStoreNames) transaction.objectStore(store).clear();
    return undefined;
  });
}

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, SCHEMA);
    request.addEventListener("upgradeneeded", () => {
      const { result: database } = request;
      for (const store of database.objectStoreNames) database.deleteObjectStore(store);
      for (const [store, options] of Object.entries(STORES)) database.createObjectStore(store, options);
      const copies = request.transaction?.objectStore("copies");
      copies?.createIndex(BY_AGE, ["written_at", "bytes"]);
      copies?.createIndex(BY_TIME, ["hash", "updated_at"]);
    });
    request.addEventListener("success", () => {
      // A tab with a newer version of the app waits for this one to let go.
      request.result.addEventListener("versionchange", () => request.result.close());
      resolve(request.result);
    });
    request.addEventListener("error", () => reject(request.error));
  });
  return opened;
}
