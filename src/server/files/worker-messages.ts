/** The messages between the server (FileProcess) and the process that examines files (file-worker.ts). */

/** Examine a file; `filename` determines the expected content. The WebP version of an image is written to `target`. */
export type ExamineTask = { file: string; filename: string; target: string };

/** Crop an image to a square of `side` pixels and write it as AVIF and as WebP to the two paths. */
export type SquareTask = {
  file: string;
  filename: string;
  square: { side: number; avif: string; webp: string };
};

type WrittenFile = { size: number; sha256: string };
/** The file is at fault. The text completes a field error, such as "is damaged". */
type Refusal = { refused: string };
/** The server is at fault. */
type Failure = { failed: string };

/** `thumbnail` is WebP in Base64. */
export type Examined = { mime_type: string; converted?: WrittenFile & { thumbnail: string } } | Refusal;
export type Square = { avif: WrittenFile; webp: WrittenFile } | Refusal;

export type WorkerAnswer = Examined | Square | Failure;

/** Exit code of the process when it exceeds its memory limit. */
export const OUT_OF_MEMORY = 137;

/** Exit code of the process when a file exceeds its CPU time. */
export const OUT_OF_TIME = 124;
