// Matching must take linear time. Each form is tried only at the start of a line and scans a line a fixed number of times:
// of two consecutive unbounded repetitions, the first must not match what separates them. No form may match across a line
// end, or a long trace would be scanned once per line. `^` accepts more line ends than `\n`.
const EOL = String.raw`\n\r\u2028\u2029`;
const FRAME_FORMS = [
  // PHP: `#0 /app/a.php(12): Foo->bar()`, `#1 [internal function]: f()`, `#2 {main}`
  String.raw`[ \t]*#\d+ (?:\{main\}|\[internal function\]: |.+\(\d+\): )`,

  // JavaScript: `at f (/app/a.js:1:2)`, `at /app/a.js:1:2`. Rust: `at ./src/main.rs:3:5`. Java and Kotlin with
  // spaces in the name: `at Test.adds two(Test.kt:5)`. A time of day, `at 10:20:30`, is not a frame.
  String.raw`[ \t]*at .*[^\s\d]\d?:\d+(?:(?::\d+)?\)|:\d+$)`,
  // JavaScript without a position: `at Array.map (<anonymous>)`, `at async Promise.all (index 0)`
  String.raw`[ \t]*at .*(?:<anonymous>|\(native\)|\(index \d+\)|:0x[\da-f]+\))`,
  // Java, Kotlin, .NET: `at a.b.C.d(C.java:1)`, `at A.B(String s) in /app/a.cs:line 4`; Mono: `at A.B () [0x0001]`
  String.raw`[ \t]*at [^\s(.]*\.[^\s(]*(?:\([^)${EOL}]*\)| \([^)${EOL}]*\) \[0x)`,
  // JavaScript in Firefox and Safari: `f@https://example.com/a.js:1:2`
  String.raw`[^@${EOL}]*@(?:[^\s/.]*[/.]\S*:\d+:\d+$|\[native code\])`,

  // Python, with or without the margin of an exception group: `File "/app/a.py", line 3, in f`
  String.raw`[ \t|]*File "[^"${EOL}]+", line \d+`,
  // Ruby: `/app/a.rb:3:in 'f'`, with a backquote before version 3.4; `from /app/a.rb:3`
  String.raw`.*:\d+:in ['${"`"}"<]`,
  String.raw`[ \t]*(?:from )?\S+\.rb:\d+$`,
  // Go: `/app/main.go:12 +0x1d`; without the offset if the trace comes from an error value
  String.raw`.*\.(?:go|s):\d+ \+0x[\da-f]+$`,
  String.raw`[ \t]*\S+\.go:\d+$`,
  // Rust: `4: app::run`, `5: 0x55d0 - <app::T as Run>::run`
  String.raw`[ \t]*\d+: +(?:0x[\da-f]+ - \S|[^\s:]*(?: as [^\s:]+)?::)`,
];

// The shortest frame, `a.rb:3`, has six characters. Skip shorter lines quickly.
const FRAME = new RegExp(`^(?=.{6})(?:${FRAME_FORMS.join("|")})`, "m");

/**
 * Whether at least one line of the trace is a stack frame of PHP, JavaScript, Python, Java, Kotlin, Ruby, Go, .NET or
 * Rust. Lines must end in `\n`. Paths may be normalized or not.
 */
export function hasStackFrame(trace: string): boolean {
  return FRAME.test(trace);
}
