import assert from "node:assert/strict";
import { test } from "node:test";
import { sourcePath } from "./source-path.ts";

for (const [file, path] of [
  ["src/cart.ts", "src/cart.ts"],
  ["../src/cart.ts", "../src/cart.ts"],
  ["/app/src/cart.ts", "src/cart.ts"],
  ["/usr/src/app/cart.js", "cart.js"],
  ["/var/task/index.js", "index.js"],
  ["/var/www/html/app/Cart.php", "app/Cart.php"],
  ["/var/www/shop/app/Cart.php", "app/Cart.php"],
  ["/srv/shop/releases/20261101120000/app/cart.rb", "app/cart.rb"],
  ["/home/deploy/shop/current/app/cart.rb", "app/cart.rb"],
  ["/data/shop/cart.go", "/data/shop/cart.go"],
  ["C:\\inetpub\\wwwroot\\Shop\\Cart.cs", "Shop/Cart.cs"],
  ["C:\\build\\Shop\\Cart.cs", "Shop/Cart.cs"],
  ["file:///app/src/cart.mjs", "src/cart.mjs"],
  ["app:///src/cart.js", "/src/cart.js"],
  ["webpack://shop/./src/cart.tsx", "/./src/cart.tsx"],
  ["https://shop.example.com/app/cart.js?v=2#x", "app/cart.js"],
  ["https://shop.example.com", undefined],
  ["<anonymous>", undefined],
  ["", undefined],
  [null, undefined],
] as const)
  test(`the file ${file} is ${path} in its repository`, () => {
    assert.equal(sourcePath({ file }), path);
  });

test("a file without folders is found by its absolute path", () => {
  assert.equal(sourcePath({ file: "cart.go", absolute: "/app/internal/cart.go" }), "internal/cart.go");
  assert.equal(sourcePath({ file: "lib/cart.py", absolute: "/srv/shop/lib/cart.py" }), "lib/cart.py");
  assert.equal(sourcePath({ file: "cart.go", absolute: "cart.go" }), "cart.go");
});

for (const [file, qualified, path] of [
  ["Cart.java", "com.example.shop.Cart.total", "com/example/shop/Cart.java"],
  ["Cart.kt", "com.example.shop.Cart$Companion", "com/example/shop/Cart.kt"],
  ["Main.java", "Main.main", "Main.java"],
  ["Cart.java", undefined, "Cart.java"],
  ["src/main/java/Cart.java", "com.example.Cart", "src/main/java/Cart.java"],
] as const)
  test(`the file ${file} of ${qualified} is ${path} in its repository`, () => {
    assert.equal(sourcePath({ file, qualified }), path);
  });
