/**
 * A reason why the program cannot start that the operator can fix. It is printed as one line without a stack.
 */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message.replace(/\s*[\r\n]+\s*/g, " "), cause === undefined ? {} : { cause });
  }
}
