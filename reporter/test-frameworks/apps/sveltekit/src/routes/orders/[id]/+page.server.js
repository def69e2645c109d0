export function load() {
  throw new TypeError("load on the server");
}
