import assert from "node:assert/strict";
import { test } from "node:test";
import { artifactName, isMinifiedPlace, sourcePath } from "./file-names.ts";
import { nearestName } from "./nearest-name.ts";

const PLACE = { line: 1, column: 2 };

test("the name of an artifact is the path of the file, without origin, query and fragment", () => {
  const table = {
    "https://any.host/assets/app.js": "~/assets/app.js",
    "https://any.host:8080/assets/app.js?v=1#top": "~/assets/app.js",
    "http://any.host/chunks/%5Bslug%5D/page.js": "~/chunks/[slug]/page.js",
    "https://any.host/%E0%A4%A": "~/%E0%A4%A",
    "https://any.host": "~/",
    "app:///_next/static/app.js": "~/_next/static/app.js",
    "file:///srv/shop/app.js": "~/srv/shop/app.js",
    "capacitor://localhost/app.js": "~/app.js",
    "/srv/shop/../app.js": "~/srv/app.js",
    "C:\\shop\\app.js": "~/shop/app.js",
    "index.android.bundle": "~/index.android.bundle",
    "https://any.host/../../etc/passwd": "~/etc/passwd",
    "https://any.host/a%00b.js": "~/a\uFFFDb.js",
  };
  for (const [file, name] of Object.entries(table)) assert.equal(artifactName(file), name, file);
});

test("only JavaScript that is neither the runtime's nor TypeScript can be minified", () => {
  const table = {
    "https://any.host/app.js?v=1": true,
    "https://any.host/cart": true,
    "https://any.host/cart.html": true,
    "https://any.host/app.css": false,
    "app:///main.jsbundle": true,
    "main.bundle": true,
    "/srv/app.mjs": true,
    "/srv/app.cjs": true,
    "/srv/app.ts": false,
    "/srv/app": false,
    "node:internal/timers": false,
    "internal/modules/cjs/loader.js": false,
    "<anonymous>": false,
    native: false,
    "webpack-internal:///./src/app.js": false,
    "Cart.php": false,
  };
  for (const [file, expected] of Object.entries(table))
    assert.equal(isMinifiedPlace(file, PLACE), expected, file);
  assert.equal(isMinifiedPlace("app.js", { line: 1 }), false);
  assert.equal(isMinifiedPlace(undefined, PLACE), false);
});

test("the path of a source is relative to the project", () => {
  const table: [source: string, root: string | undefined, path: string][] = [
    ["../../src/cart.ts", undefined, "src/cart.ts"],
    ["webpack://shop/./src/cart.ts?1f2e", undefined, "src/cart.ts"],
    ["webpack:///./src/cart.ts", undefined, "src/cart.ts"],
    ["cart.ts", "src/", "src/cart.ts"],
    ["./cart.ts", "webpack://shop/", "cart.ts"],
    ["/srv/shop/src/cart.ts", "src", "/srv/shop/src/cart.ts"],
    ["https://any.host/src/cart.ts", undefined, "src/cart.ts"],
    ["file:///srv/shop/src/cart.ts", undefined, "srv/shop/src/cart.ts"],
  ];
  for (const [source, root, path] of table) assert.equal(sourcePath(source, root), path, source);
});

test("the nearest name has the same file name, apart from a hash, and the most folders in common", () => {
  const nearest = (wanted: string, ...names: string[]) => nearestName(wanted, names);
  assert.equal(
    nearest("~/assets/app.js", "~/app.js.map", "~/dist/assets/app.js.map"),
    "~/dist/assets/app.js.map",
  );
  assert.equal(
    nearest("~/a/app-4f1d2c9e.js", "~/a/cart-4f1d2c9e.js.map", "~/b/app-00aa11bb.js.map"),
    "~/b/app-00aa11bb.js.map",
  );
  assert.equal(
    nearest("~/a/app.4f1d.js", "~/a/app.99aa.js.map", "~/b/app.4f1d.js.map"),
    "~/b/app.4f1d.js.map",
  );
  assert.equal(
    nearest("~/assets/index-BxK3_a9q.js", "~/assets/index-DqXhWpZu.js.map"),
    "~/assets/index-DqXhWpZu.js.map",
  );
  assert.equal(nearest("~/a/app.js", "~/a/cart.js.map"), undefined);
});
