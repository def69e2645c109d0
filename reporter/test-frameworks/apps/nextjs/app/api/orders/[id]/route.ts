export async function GET(): Promise<Response> {
  throw new TypeError("route handler");
}
