export function load() {
  throw new TypeError("load in the browser");
}
