export const runtime = "edge";

export async function GET(): Promise<Response> {
  throw new TypeError("edge route handler");
}
