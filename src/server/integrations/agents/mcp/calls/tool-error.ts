/** A call that failed for a reason that the client can act on. The message names the argument. */
export class ToolError extends Error {
  /** The status of the route that refused the call. */
  readonly status: number | undefined;
  /** The error group that the requested one was merged into. */
  readonly mergedInto: number | undefined;

  constructor(
    message: string,
    { status, mergedInto }: { status?: number; mergedInto?: number | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.mergedInto = mergedInto;
  }
}

/** The same whether the object does not exist or the caller may not read it. */
export const notFound = (argument: string, what: string) =>
  new ToolError(`${argument}: ${what} not found. It may not exist, or the token may not read it.`);
