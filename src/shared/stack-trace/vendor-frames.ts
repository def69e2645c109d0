import type { FoundFrame, Runtime } from "./frame-forms.ts";

/** Whether a frame belongs to the app rather than to a library or the runtime. A frame without a file usually does not. */
export function isInApp({ runtime, function: name, file }: FoundFrame): boolean {
  if (runtime === "jvm" || runtime === "dotnet") return !VENDOR_NAMES[runtime].test(name ?? "");
  if (file === null) return runtime === "rust" && !VENDOR_NAMES.rust.test(name ?? "") && name !== "main";
  if (VENDOR_FILES.test(file)) return false;
  if (runtime === "go" || runtime === "rust") return !VENDOR_NAMES[runtime].test(name ?? "");
  return true;
}

const VENDOR_FILES = new RegExp(
  [
    // PHP, Go
    String.raw`(?:^|[/\\])vendor[/\\]`,
    // JavaScript
    String.raw`(?:^|[/\\])node_modules[/\\]|^node:|^internal/|^(?:chrome|moz|safari-web)-extension:|^webpack/|<anonymous>$`,
    // Python
    String.raw`(?:site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen`,
    // Ruby
    String.raw`[/\\]gems[/\\]|^<internal:|[/\\]lib[/\\]ruby[/\\]`,
    // Go
    String.raw`[/\\]go[/\\]src[/\\]|[/\\]pkg[/\\]mod[/\\]|[/\\]libexec[/\\]src[/\\]|@v\d`,
    // Rust
    String.raw`^/rustc/|[/\\]\.cargo[/\\]|[/\\]\.rustup[/\\]`,
  ].join("|"),
);

const VENDOR_NAMES: Record<Extract<Runtime, "jvm" | "dotnet" | "go" | "rust">, RegExp> = {
  jvm: /^(?:javax?|jdk|sun|com\.sun|jakarta|kotlinx?|scala|groovy|clojure|androidx?|dalvik|com\.android|org\.(?:springframework|apache|hibernate|junit|eclipse|gradle|slf4j|jboss|postgresql|aspectj|codehaus)|io\.(?:netty|micrometer|reactivex|undertow|ktor|vertx|quarkus)|reactor|rx|feign|okhttp3|retrofit2|ch\.qos|com\.(?:fasterxml|google|zaxxer|mysql|squareup|intellij))\./,
  dotnet:
    /^(?:System|Microsoft|MS|Mono|Newtonsoft|Npgsql|Dapper|Castle|Polly|MediatR|AutoMapper|Serilog|NUnit|Xunit|Hangfire|Quartz|StackExchange|Autofac)\.|^lambda_method/,
  go: /^(?:runtime|reflect|sync|testing|syscall|os|io|bufio|context|panic|net|encoding|database|crypto|internal|strings|sort|time|errors|fmt|html|text|log)(?:\/[\w/]+)?\./,
  rust: /^<?&?(?:std|core|alloc|tokio|futures(?:_\w+)?|hyper|axum|tower|actix(?:_\w+)?|rayon(?:_core)?|backtrace|anyhow|test)::|^(?:rust_begin_unwind|__rust|_start|__libc)/,
};
