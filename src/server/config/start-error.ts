/**
 * Why the program cannot start, when whoever started it can put that right: printed as one line, without a stack.
 */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message.replace(/\s*[\r\n]+\s*/g, " "), cause === undefined ? {} : { cause });
  }
}
