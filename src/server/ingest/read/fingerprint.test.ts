import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fingerprint } from "./fingerprint.ts";
import { normalizeTrace } from "./normalize-trace.ts";

const FRAME = "#0 src/a.php(1): f()";
// Any UTF-16 code unit, including lone surrogates.
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });
// Combines everything the rules look at in ways that no real trace does.
const pathParts = [
  [
    "/home/",
    "/home/u/",
    "/var/www/",
    "vendor/",
    "/vendor/",
    "vendor",
    "/",
    "//",
    "\\",
    ":",
    "://",
    "file://",
  ],
  ["C:", "u", "ab", "é", "\ud800", "1", " ", "\n", "\r", "\t", '"', "'", "(", ")", "[", "]", "=", "@", ","],
  ["#0 ", "at ", "from "],
].flat();
const pathLikeText = fc
  .array(fc.constantFrom(...pathParts), { maxLength: 24 })
  .map((parts) => parts.join(""));

function assertNormalized(cases: [trace: string, normalized: string][]) {
  for (const [trace, normalized] of cases) assert.equal(normalizeTrace(trace), normalized, trace);
}

test("/var/www/ is removed where a path starts", () => {
  assertNormalized([
    ["#0 /var/www/shop/src/Order.php(12): Order->total()", "#0 shop/src/Order.php(12): Order->total()"],
    ["/var/www/a.rb:3:in 'f'", "a.rb:3:in 'f'"],
    ["copy /var/www/a to '/var/www/b'", "copy a to 'b'"],
    ["/var/www//a", "a"],
    ["/var/www", "/var/www"],
    ["/var/wwwroot/a", "/var/wwwroot/a"],
  ]);
});

test("/home/ and the user's name are removed where a path starts, in the frames of each runtime", () => {
  assertNormalized([
    ["#0 /home/u/a.php(12): f('/home/..')", "#0 a.php(12): f('/home/..')"],
    ["    at f (/home/u/app/a.js:1:2)", "    at f (app/a.js:1:2)"],
    ["    at /home/u/app/a.js:1:2", "    at app/a.js:1:2"],
    ["    at file:///home/u/app/a.js:1:2", "    at file://app/a.js:1:2"],
    ["f@file:///home/u/app/a.js:1:2", "f@file://app/a.js:1:2"],
    ['  File "/home/u/my app/a.py", line 3, in f', '  File "my app/a.py", line 3, in f'],
    ["\t/home/u/go/main.go:12 +0x1d", "\tgo/main.go:12 +0x1d"],
    ["\tfrom /home/u/app/a.rb:3:in 'f'", "\tfrom app/a.rb:3:in 'f'"],
    ["   at A.B() in /home/u/a.cs:line 4", "   at A.B() in a.cs:line 4"],
    ["             at /home/u/src/main.rs:3:5", "             at src/main.rs:3:5"],
    ["\tat a.B.c(B.java:1) ~[file:/home/u/b.jar:1.0]", "\tat a.B.c(B.java:1) ~[file:b.jar:1.0]"],
    ["phar:///home/u/app.phar/src/a.php", "phar://app.phar/src/a.php"],
    ["(include_path='.:/usr/share/php:/home/u/lib')", "(include_path='.:/usr/share/php:lib')"],
    ["root=/home/u.v-w_1@corp/a,/home/ü/b;[/home/u/c]", "root=a,b;[c]"],
  ]);
});

test("neither prefix is removed inside a path", () => {
  const kept = [
    "/srv/home/u/a.js",
    "/mnt/var/www/a.php",
    "https://example.com/home/u/a.js",
    "https://home/u/a.js",
    "C:/home/u/a.js",
    "./home/u/a.js",
    "/home/a.js",
    "/home//a.js",
    "/home/two words/a.js",
    "/srv/(home)/home/u/a.js",
  ];
  assertNormalized(kept.map((trace) => [trace, trace]));
});

test("everything before the last vendor directory of a path is removed", () => {
  assertNormalized([
    ["#0 /srv/app/vendor/x/y.php(12): Foo->bar('/home/..')", "#0 vendor/x/y.php(12): Foo->bar('/home/..')"],
    ["/home/u/app/vendor/x/vendor/y.rb:3", "vendor/y.rb:3"],
    ["app/vendor/x", "vendor/x"],
    ["vendor/x", "vendor/x"],
    ["../../vendor/x", "vendor/x"],
    ["    at f (file:///srv/app/vendor/a.js:1:2)", "    at f (file://vendor/a.js:1:2)"],
    ["f@https://example.com/js/vendor/a.js:1:2", "f@https://vendor/a.js:1:2"],
    ["C:/app/vendor/x.php(3): f()", "vendor/x.php(3): f()"],
    ["file:///C:/app/vendor/x.js:1:2", "file://vendor/x.js:1:2"],
    ["C:\\app\\vendor/x.php(3): f()", "vendor/x.php(3): f()"],
    ["example.org/shop/vendor/example.net/lib.(*T).Run(0x1)", "vendor/example.net/lib.(*T).Run(0x1)"],
    ["webpack-internal:///(rsc)/./vendor/a.js:1:2", "webpack-internal://vendor/a.js:1:2"],
    ["/srv/app/(shop)/[[...slug]]/vendor/a.js:1:2", "vendor/a.js:1:2"],
    ["/srv/node_modules/@scope/a/vendor/b.js:1:2", "vendor/b.js:1:2"],
    [
      "(include_path='.:/usr/share/php:/srv/app/vendor/pear')",
      "(include_path='.:/usr/share/php:vendor/pear')",
    ],
  ]);
});

test("each path of a line is shortened separately", () => {
  assertNormalized([
    ["cp /etc/x /srv/app/vendor/y /opt/vendor/z", "cp /etc/x vendor/y vendor/z"],
    [
      "#0 /srv/a/vendor/x.php(1): f('/srv/b', '/srv/c/vendor/d')",
      "#0 vendor/x.php(1): f('/srv/b', 'vendor/d')",
    ],
    ["src/a.php,src/vendor/b.php|lib/vendor/c.php", "src/a.php,vendor/b.php|vendor/c.php"],
    ["a/b\nc/vendor/d", "a/b\nvendor/d"],
    ["can't open /srv/app/vendor/x, won't", "can't open vendor/x, won't"],
  ]);
});

test("a directory whose name only ends in vendor, and a file named vendor, are kept", () => {
  const kept = [
    "/srv/myvendor/a.php",
    "/srv/my-vendor/a.php",
    "/srv/vendors/a.php",
    "/srv/vendor",
    "/srv/Vendor/a",
  ];
  assertNormalized(kept.map((trace) => [trace, trace]));
});

test("spaces are part of a path between quotes, between parentheses, and before the line number of a frame", () => {
  assertNormalized([
    ['  File "/srv/my app/vendor/a.py", line 3', '  File "vendor/a.py", line 3'],
    ["open '/srv/my app/vendor/a b/c'", "open 'vendor/a b/c'"],
    ["    at f (/srv/my own app/vendor/a.js:1:2)", "    at f (vendor/a.js:1:2)"],
    ["    at /srv/my app/vendor/a.js:1:2", "    at vendor/a.js:1:2"],
    ["#10 /srv/my app/vendor/x.php(12): f()", "#10 vendor/x.php(12): f()"],
    ["#0 C:\\my app\\vendor/x.php(12): f()", "#0 vendor/x.php(12): f()"],
    ["/srv/my app/vendor/a.rb:3:in 'f'", "vendor/a.rb:3:in 'f'"],
    ["\t/srv/my app/vendor/main.go:12 +0x1d", "\tvendor/main.go:12 +0x1d"],
  ]);
});

test("spaces end a path everywhere else", () => {
  assertNormalized([
    ["/bin/sh could not load lib/vendor/x", "/bin/sh could not load vendor/x"],
    ["'cat /etc/a /srv/app/vendor/x'", "'cat /etc/a vendor/x'"],
    ["'/bin/cat /srv/app/vendor/x'", "'/bin/cat vendor/x'"],
    ['"/srv/a b/vendor/x', '"/srv/a vendor/x'],
    ["\"/srv/a b/vendor/x'", "\"/srv/a vendor/x'"],
  ]);
});

test("all kinds of line ends become the same", () => {
  assert.equal(normalizeTrace("a\r\nb\rc\n\r\nd"), "a\nb\nc\n\nd");
});

test("normalizing is idempotent, and neither it nor the fingerprint throws on any text", () => {
  const property = (text: string) => {
    const once = normalizeTrace(text);
    assert.equal(normalizeTrace(once), once);
    assert.equal(fingerprint(text, text).length, 32);
  };
  fc.assert(fc.property(pathLikeText, property), { numRuns: 2000 });
  fc.assert(fc.property(anyText, property));
});

const frames = fc.array(
  fc
    .tuple(
      fc.constantFrom("src/", "vendor/acme/"),
      fc.stringMatching(/^[a-z]{1,8}(?:\/[a-z ]{1,8})?$/),
      fc.nat(999),
    )
    .map(([directory, name, line]) => `${directory}${name}.php(${line}): run()`),
  { minLength: 1, maxLength: 20 },
);

test("hosts with different path prefixes and line ends compute the same fingerprint", () => {
  fc.assert(
    fc.property(frames, (lines) => {
      const on = (prefix: string, end: string) =>
        fingerprint("RuntimeException", lines.map((line, at) => `#${at} ${prefix}${line}`).join(end));
      const expected = on("/var/www/", "\n");
      assert.deepEqual(on("/home/alice/", "\r\n"), expected);
      assert.deepEqual(on("/home/bob/", "\r"), expected);
    }),
  );
});

test("hosts with different vendor roots compute the same fingerprint", () => {
  const trace = (root: string) => `#0 ${root}vendor/acme/a.php(1): f()\n#1 {main}`;
  const expected = fingerprint("E", trace("/srv/shop/"));
  for (const root of [
    "",
    "/",
    "/opt/my shop/",
    "/home/alice/shop/",
    "C:/shop/",
    "C:\\my shop\\",
    "/a/vendor/b/",
  ]) {
    assert.deepEqual(fingerprint("E", trace(root)), expected, root);
  }
});

test("a different class, frame or surrounding line changes the fingerprint", () => {
  const traces = [FRAME, "#0 src/a.php(2): f()", `${FRAME}\n#1 {main}`, `failed\n${FRAME}`];
  const all = ["E", "F", ""].flatMap((name) =>
    traces.map((trace) => fingerprint(name, trace).toString("hex")),
  );
  assert.equal(new Set(all).size, all.length);
});

test("moving text between the class and the trace changes the fingerprint", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (text, at) => {
      const cut = at % (text.length + 1);
      const whole = fingerprint(text + FRAME, FRAME);
      assert.notDeepEqual(fingerprint(text.slice(0, cut), `${text.slice(cut)}${FRAME}\n${FRAME}`), whole);
    }),
  );
  assert.notDeepEqual(fingerprint("1\nE", FRAME), fingerprint("1", `E\n${FRAME}`));
  assert.notDeepEqual(fingerprint("E\0", FRAME), fingerprint("E", `\0${FRAME}`));
});

test("only the first non-empty line of a trace without frames counts, normalized", () => {
  const expected = fingerprint("E", "cannot open shop/a.txt");
  for (const trace of [
    "cannot open /var/www/shop/a.txt",
    "\n \r\n\tcannot open /home/u/shop/a.txt \nat 10:20:30",
    "cannot open shop/a.txt\rsomething else",
  ]) {
    assert.deepEqual(fingerprint("E", trace), expected, trace);
  }
  assert.notDeepEqual(fingerprint("E", "cannot open b.txt"), expected);
  assert.notDeepEqual(fingerprint("F", "cannot open shop/a.txt"), expected);
});

test("a trace of whitespace counts as an empty one", () => {
  for (const trace of [" ", "\n", "\r\n\r\n", "\t \n  \r", "\u00a0"]) {
    assert.deepEqual(fingerprint("E", trace), fingerprint("E", ""), JSON.stringify(trace));
  }
  assert.notDeepEqual(fingerprint("E", ""), fingerprint("F", ""));
});

test("the longest traces that are designed to be slow take linear time", () => {
  const units = [
    [
      "/a",
      "/",
      "vendor/",
      "/vendor/",
      "\\vendor/",
      "(/vendor/ ",
      "'/vendor/ ",
      "/srv/a b/vendor/ ",
      "a/vendor/\n",
    ],
    ["/home/", "/home/u/", "/home/a ", "/var/www/", "C:/", ":/", "://", "(/ ", "'/ ", '/a "/b (', " ", "("],
    ["\n", "\r", "\r\n", "a\n", "abcdefg\n", "#0 ", "#0 a\n", "at a.", "at (", "(1", "a:1", "@/a.", 'File "'],
    ["1: ", ":1:in ", "a.rb:1 ", "1", "at a b\n", "abcdef\u2028", "at a.b(\u2028", 'File "a\u2029'],
  ].flat();
  const start = process.cpuUsage();
  for (const unit of units) {
    for (const lead of ["", "at ", "#0 ", "'/"])
      fingerprint("E", (lead + unit.repeat(131_072)).slice(0, 131_072));
  }
  const { user, system } = process.cpuUsage(start);
  // Each takes a few milliseconds; with a scan that is not linear, one takes seconds. Measures CPU time, so that a busy
  // machine does not matter.
  assert.ok(user + system < 10_000_000, `${(user + system) / 1000} ms for ${units.length * 4} traces`);
});
