/**
 * Frees the memory of a buffer now rather than at the next garbage collection. Its bytes must not be used afterwards.
 * Slices of Node's pool, none of which is larger than half of the pool, are left alone.
 *
 * Serves the goal of 250 MiB of server and PostgreSQL under load: with events of 50 KB, they take 11 % more if bodies are not
 * freed, and 5 % more if parameters are not.
 */
export function freeBuffer(bytes: Buffer): void {
  if (bytes.byteOffset === 0 && bytes.byteLength > bytes.buffer.byteLength / 2) freeWhole(bytes);
}

/** Frees a buffer that shares its memory with no other one, however small a part of that memory it uses. */
export function freeWhole({ buffer }: Buffer): void {
  if (buffer.byteLength > 0) (buffer as ArrayBuffer).transfer(0);
}
