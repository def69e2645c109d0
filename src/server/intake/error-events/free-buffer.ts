/**
 * Frees the memory of a buffer at once, which collecting garbage would do much later. Nothing may use its bytes any more. Parts of
 * Node's pool are left alone: none of them takes more than half of it.
 */
export function freeBuffer({ buffer, byteOffset, byteLength }: Buffer): void {
  if (byteOffset === 0 && byteLength > buffer.byteLength / 2) (buffer as ArrayBuffer).transfer(0);
}
