import { line, snake, verb, type Runtime } from "./runtime.ts";

/** Exceptions and stack traces of compiled languages. */
export const COMPILED_RUNTIMES = {
  kotlin: {
    runtime: { name: "android", version: "16" },
    framework: { name: "ktor", version: "3.3.2" },
    exceptions: [
      ["java.lang.IllegalStateException", "Fragment {name}Fragment not attached to a context."],
      [
        "java.lang.NullPointerException",
        "Attempt to invoke virtual method 'double android.location.Location.getLatitude()' on a null object reference",
      ],
      ["kotlinx.coroutines.TimeoutCancellationException", "Timed out waiting for {n}000 ms"],
      [
        "java.net.UnknownHostException",
        'Unable to resolve host "ride.northwind.example": No address associated with hostname',
      ],
      ["android.database.sqlite.SQLiteFullException", "database or disk is full (code 13 SQLITE_FULL)"],
      [
        "kotlinx.serialization.MissingFieldException",
        "Field '{name}' is required for type with serial name 'example.northwind.ride.Ride', but it was missing",
      ],
    ],
    trace: (exception_class, message, modules, random) =>
      [
        `${exception_class}: ${message}`,
        ...modules.map(
          (module) =>
            `\tat example.northwind.ride.${module.toLowerCase()}.${module}.${verb(random)}(${module}.kt:${line(random)})`,
        ),
        `\tat example.northwind.ride.ui.${modules[0]}ViewModel$refresh$1.invokeSuspend(${modules[0]}ViewModel.kt:${line(random)})`,
        "\tat kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:34)",
        "\tat kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:100)",
        "\tat android.os.Handler.handleCallback(Handler.java:995)",
        "\tat android.os.Looper.loop(Looper.java:317)",
      ].join("\n"),
  },
  go: {
    runtime: { name: "go", version: "1.25.4" },
    framework: undefined,
    exceptions: [
      ["runtime.Error", "invalid memory address or nil pointer dereference"],
      ["*net.OpError", "dial tcp 10.0.5.{n}:5432: connect: connection refused"],
      ["context.deadlineExceededError", "context deadline exceeded"],
      ["*json.SyntaxError", "invalid character '<' looking for beginning of value"],
      ["runtime.boundsError", "index out of range [{n}] with length {n}"],
    ],
    trace: (_class, message, modules, random) =>
      [
        `panic: ${message}`,
        "",
        "goroutine 214 [running]:",
        ...modules.flatMap((module) => [
          `northwind.example/depot/${module.toLowerCase()}.(*${module}).${verb(random).replace(/^./, (first) => first.toUpperCase())}(0xc0004a${random.integer(1000, 9999)})`,
          `\t/home/depot/src/${module.toLowerCase()}/${snake(module)}.go:${line(random)} +0x${random.integer(256, 4095).toString(16)}`,
        ]),
        "net/http.(*conn).serve(0xc000146120)",
        "\t/usr/local/go/src/net/http/server.go:2092 +0x5d0",
      ].join("\n"),
  },
  java: {
    runtime: { name: "java", version: "25.0.1" },
    framework: { name: "spring-boot", version: "3.5.8" },
    exceptions: [
      [
        "java.lang.NullPointerException",
        'Cannot invoke "example.northwind.depot.Shelf.{name}()" because "shelf" is null',
      ],
      [
        "org.springframework.dao.DataIntegrityViolationException",
        'could not execute statement [ERROR: duplicate key value violates unique constraint "purchase_order_number_key"]',
      ],
      [
        "java.util.concurrent.TimeoutException",
        "Did not observe any item or terminal signal within {n}000ms",
      ],
      [
        "com.fasterxml.jackson.databind.exc.InvalidFormatException",
        'Cannot deserialize value of type `java.time.LocalDate` from String "{time}"',
      ],
      [
        "jakarta.persistence.OptimisticLockException",
        "Row was updated or deleted by another transaction: [PurchaseOrder#{n}]",
      ],
    ],
    trace: (exception_class, message, modules, random) =>
      [
        `${exception_class}: ${message}`,
        ...modules.map(
          (module) =>
            `\tat example.northwind.depot.${module.toLowerCase()}.${module}Service.${verb(random)}(${module}Service.java:${line(random)})`,
        ),
        `\tat example.northwind.depot.web.${modules[0]}Controller.post(${modules[0]}Controller.java:${line(random)})`,
        "\tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:104)",
        "\tat org.springframework.web.servlet.DispatcherServlet.doDispatch(DispatcherServlet.java:1088)",
        "\tat org.apache.tomcat.util.threads.TaskThread.run(TaskThread.java:63)",
      ].join("\n"),
  },
  dotnet: {
    runtime: { name: "dotnet", version: "10.0.0" },
    framework: { name: "aspnetcore", version: "10.0.0" },
    exceptions: [
      ["System.InvalidOperationException", "Sequence contains no elements"],
      [
        "System.Net.Http.HttpRequestException",
        "Response status code does not indicate success: 503 (Service Unavailable).",
      ],
      ["System.FormatException", "The input string '{name}' was not in a correct format."],
      ["Npgsql.PostgresException", "40P01: deadlock detected"],
      ["System.ObjectDisposedException", "Cannot access a disposed object. Object name: '{name}Context'."],
    ],
    trace: (exception_class, message, modules, random) =>
      [
        `${exception_class}: ${message}`,
        ...modules.map(
          (module) =>
            `   at Northwind.Workshop.${module}Service.${verb(random)}(Int32 id) in /home/build/workshop/src/${module}Service.cs:line ${line(random)}`,
        ),
        `   at Northwind.Workshop.Controllers.${modules[0]}Controller.Put(Int32 id) in /home/build/workshop/src/Controllers/${modules[0]}Controller.cs:line ${line(random)}`,
        "   at Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker.InvokeNextActionFilterAsync()",
      ].join("\n"),
  },
  rust: {
    runtime: { name: "rust", version: "1.91.1" },
    framework: undefined,
    exceptions: [
      ["core::option::unwrap_failed", "called `Option::unwrap()` on a `None` value"],
      ["std::io::Error", "Resource temporarily unavailable (os error 11)"],
      ["serde_json::Error", "missing field `{name}` at line 1 column {n}"],
    ],
    trace: (_class, message, modules, random) =>
      [
        `thread 'scan-worker' panicked at src/${snake(modules[0] ?? "main")}.rs:${line(random)}:18:`,
        message,
        "stack backtrace:",
        "   0: rust_begin_unwind",
        "             at /rustc/ed61e7d7e242494fb7057f2657300d9e77bb4fcb/library/std/src/panicking.rs:697:5",
        ...modules.flatMap((module, index) => [
          `   ${index + 1}: scan::${snake(module)}::${verb(random)}`,
          `             at ./src/${snake(module)}.rs:${line(random)}:${random.integer(5, 40)}`,
        ]),
        `   ${modules.length + 1}: tokio::runtime::task::core::Core<T,S>::poll`,
      ].join("\n"),
  },
} satisfies Record<string, Runtime>;
