/** A file to look at: its name decides what it has to be. An image's WebP is written to `target`. */
export type Task = { file: string; filename: string; target: string };

/** An image to cut a square out of, `side` pixels wide, written to two files. */
export type SquareTask = {
  file: string;
  filename: string;
  square: { side: number; avif: string; webp: string };
};

type Written = { size: number; sha256: string };
type Refusal = { refused: string };
type Failure = { failed: string };

export type Examined = { mime_type: string; converted?: Written } | Refusal;
export type Square = { avif: Written; webp: Written } | Refusal;

export type Verdict = Examined | Square | Failure;

/** Exit code of the process when it exceeds its memory limit. */
export const OUT_OF_MEMORY = 137;
