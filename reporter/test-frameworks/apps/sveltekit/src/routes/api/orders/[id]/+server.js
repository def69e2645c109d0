export function GET() {
  throw new TypeError("endpoint");
}
