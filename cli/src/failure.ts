/** Exit codes. docs/command-line.md lists them for scripts. */
export const EXIT = {
  ok: 0,
  /** The server refused, or a check failed. */
  refused: 1,
  usage: 2,
  signedOut: 3,
  notFound: 4,
  /** The server could not be reached, or did not answer as Signalbox does. */
  unreachable: 5,
} as const;

/** Ends the program with this message on stderr and this exit code. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const wrongUsage = (message: string) => new Failure(EXIT.usage, message);

/** A response with an error status. `fields` are the invalid fields of a 422. */
export class Refusal extends Failure {
  readonly status: number;
  readonly fields: Record<string, string[]>;

  constructor(status: number, message: string, fields: Record<string, string[]> = {}) {
    super(exitCodeOf(status), message);
    this.status = status;
    this.fields = fields;
  }
}

function exitCodeOf(status: number): number {
  if (status === 401) return EXIT.signedOut;
  if (status === 404) return EXIT.notFound;
  return status === 429 || status >= 500 ? EXIT.unreachable : EXIT.refused;
}
