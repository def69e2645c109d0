export type Runtime = "php" | "javascript" | "python" | "jvm" | "ruby" | "go" | "dotnet" | "rust" | "sentry";

export type FoundFrame = {
  runtime: Runtime;
  function: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
};

type Form = (line: string) => FoundFrame | undefined;

/**
 * Parses one line of a trace, in the format of any supported runtime; undefined if it is not a frame. Each format scans
 * a line a fixed number of times, except for names, so callers must limit the length of the line.
 */
export function frameIn(line: string): FoundFrame | undefined {
  for (const form of FORMS) {
    const frame = form(line);
    if (frame !== undefined) return frame;
  }
  return undefined;
}

const frame = (
  runtime: Runtime,
  name: string | undefined,
  file: string | undefined,
  line?: string,
  column?: string,
): FoundFrame => ({
  runtime,
  // Sentry SDKs write `?` for a function without a name.
  function: name?.trim() && name !== "?" ? name.trim() : null,
  file: file ?? null,
  line: line === undefined ? null : Number(line),
  column: column === undefined ? null : Number(column),
});

/** The function of a call, without its arguments. The name of a closure may contain parentheses. */
const withoutArguments = (call: string) => /^(?:[^({]|\{[^}]*\})*/.exec(call)?.[0] ?? call;

/** `#0 /app/a.php(12): App\Foo->bar('x')`, `#1 [internal function]: f()`, `#2 {main}` */
const php: Form = (line) => {
  const call = /^\s*#\d+ (.+)$/.exec(line)?.[1];
  if (call === undefined) return undefined;
  if (call === "{main}") return frame("php", call, undefined);
  const internal = "[internal function]: ";
  if (call.startsWith(internal))
    return frame("php", withoutArguments(call.slice(internal.length)), undefined);
  const [, file, at, name] = /^(.+?)\((\d+)\): (.*)$/.exec(call) ?? [];
  return file === undefined ? undefined : frame("php", withoutArguments(name ?? ""), file, at);
};

/** `at com.example.Order.total(Order.java:12)`, `(Native Method)`, `(Order.kt)`, with an optional module before and jar after it */
const jvm: Form = (line) => {
  const [, name, place] = /^\s*at ([^(]+)\(([^()]*)\)(?: ~?\[.*)?$/.exec(line) ?? [];
  if (name === undefined || place === undefined || name.endsWith(" ")) return undefined;
  const called = name.slice(name.lastIndexOf("/") + 1);
  if (/^(?:Native Method|Unknown Source|<generated>)$/.test(place)) return frame("jvm", called, undefined);
  const [, file, at] = /^([^:]+\.(?:java|kts?|scala|groovy|clj)|SourceFile)(?::(\d+))?$/.exec(place) ?? [];
  return file === undefined ? undefined : frame("jvm", called, file, at);
};

/** `at Shop.Order.Total(String s) in /src/Order.cs:line 12`; Mono: `at A.B () [0x00012] in /src/A.cs:12` */
const dotnet: Form = (line) => {
  const call = /^\s*at (.+)$/.exec(line)?.[1];
  if (call === undefined) return undefined;
  const [, named, file, at] = /^([^(]+)\(.*\) in (.+):line (\d+)$/.exec(call) ?? [];
  if (named !== undefined) return frame("dotnet", named, file, at);
  const [, mono, place, placeLine] = /^([^(]+) \([^)]*\) \[0x[^\]]*\] in (.+):(\d+)/.exec(call) ?? [];
  if (mono !== undefined) return frame("dotnet", mono, place?.startsWith("<") ? undefined : place, placeLine);
  const bare = /^([^\s(]*\.[^\s(]*)\([^)]*\)$/.exec(call)?.[1];
  return bare === undefined ? undefined : frame("dotnet", bare, undefined);
};

/** `at total (/app/order.js:10:5)`, `at async file:///app/a.mjs:1:2`, `at Array.map (<anonymous>)` */
const v8: Form = (line) => {
  const call = /^\s*at (?:async )?(.+)$/.exec(line)?.[1];
  if (call === undefined) return undefined;
  const open = call.endsWith(")") ? call.indexOf(" (") : -1;
  const name = open === -1 ? undefined : call.slice(0, open);
  const place = open === -1 ? call : call.slice(open + 2, -1);
  const [, file, at, column] = /^(.*\D\d?):(\d+):(\d+)$/.exec(place) ?? [];
  if (file !== undefined && /[^\s\d]/.test(file)) return frame("javascript", name, file, at, column);
  if (name !== undefined && /^(?:<anonymous>|native|index \d+)$|:0x[\da-f]+$/.test(place))
    return frame("javascript", name, undefined);
  return undefined;
};

/** Firefox and Safari: `total@https://example.com/order.js:10:5`, `map@[native code]` */
const gecko: Form = (line) => {
  const at = line.lastIndexOf("@http") === -1 ? line.indexOf("@") : line.lastIndexOf("@http");
  if (at === -1) return undefined;
  const name = line.slice(0, at).trim();
  const place = line.slice(at + 1);
  if (place === "[native code]") return frame("javascript", name, undefined);
  const [, file, lineNumber, column] = /^([^\s/.]*[/.]\S*):(\d+):(\d+)$/.exec(place) ?? [];
  return file === undefined ? undefined : frame("javascript", name, file, lineNumber, column);
};

/** `File "/app/order.py", line 12, in total`, also inside the margin of an exception group */
const python: Form = (line) => {
  const [, file, at, name] = /^[\s|]*File "([^"]+)", line (\d+)(?:, in (.+))?$/.exec(line) ?? [];
  return file === undefined ? undefined : frame("python", name, file, at);
};

/** `/app/order.rb:3:in 'Order#total'`, before Ruby 3.4 with a backtick; optionally `from` before it and a message after it */
const ruby: Form = (line) => {
  const [, file, at, name] =
    /^\s*(?:\d+: )?(?:from )?(\S.*?):(\d+):in [`'"](.+?)['"](?::.*)?$/.exec(line) ?? [];
  if (file !== undefined) return frame("ruby", name, file, at);
  const [, bare, bareLine] = /^\s*(?:from )?(\S+\.rb):(\d+)$/.exec(line) ?? [];
  return bare === undefined ? undefined : frame("ruby", undefined, bare, bareLine);
};

/** The second line of a Go frame: `\t/app/main.go:12 +0x1d` */
const go: Form = (line) => {
  const [, file, at] = /^\s+(\S.*\.(?:go|s)):(\d+)(?: \+0x[\da-f]+)?$/.exec(line) ?? [];
  return file === undefined ? undefined : frame("go", undefined, file, at);
};

/** The first line of a Rust frame: `4: shop::order::total`, `5: 0x55d0 - shop::main::h0123456789abcdef` */
const rust: Form = (line) => {
  const name = /^\s*\d+: +(?:0x[\da-f]+ - )?(\S.*::.*)$/.exec(line)?.[1];
  return name === undefined ? undefined : frame("rust", name.replace(/::h[\da-f]{16}$/, ""), undefined);
};

/**
 * A frame of a Sentry SDK in any language, as the server writes it: `    at total (shop/order.py:12)`, without a column
 * unless the SDK sent one, and without what was not sent.
 */
const sentry: Form = (line) => {
  const call = /^ {4}at (.+)$/.exec(line)?.[1];
  if (call === undefined) return undefined;
  const open = call.endsWith(")") ? call.indexOf(" (") : -1;
  const name = open === -1 ? call : call.slice(0, open);
  if (open === -1 && /\s/.test(name)) return undefined;
  const place = open === -1 ? undefined : call.slice(open + 2, -1);
  const [, file, at, column] = /^(.+?)(?::(\d+)(?::(\d+))?)?$/.exec(place ?? "") ?? [];
  return frame("sentry", name, file, at, column);
};

const FORMS: readonly Form[] = [php, python, jvm, v8, sentry, dotnet, gecko, ruby, go, rust];
