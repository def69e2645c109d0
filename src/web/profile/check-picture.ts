/** The limit of the server. */
const MAX_BYTES = 10 * 1_048_576;

/** Why a file cannot be used as profile picture; undefined if it can. */
export function checkPicture(file: { name: string; type: string; size: number }): string | undefined {
  if (!file.type.startsWith("image/")) return `${file.name} is not an image.`;
  if (file.size > MAX_BYTES) return `${file.name} is larger than 10 MB.`;
  return undefined;
}
