/**
 * Frees the memory of a buffer at once, which collecting garbage would do much later. Nothing may use its bytes any more. Parts of
 * Node's pool are left alone: none of them takes more than half of it.
 */
export function freeBuffer(bytes: Buffer): void {
  if (bytes.byteOffset === 0 && bytes.byteLength > bytes.buffer.byteLength / 2) freeWhole(bytes);
}

/** The same for a buffer that shares its memory with no other, however little of it it uses. */
export function freeWhole({ buffer }: Buffer): void {
  if (buffer.byteLength > 0) (buffer as ArrayBuffer).transfer(0);
}
