import { kebab, line, lower, snake, verb, type Runtime } from "./runtime.ts";

/** Exceptions and stack traces of interpreted languages. */
export const SCRIPT_RUNTIMES = {
  php: {
    runtime: { name: "php", version: "8.4.14" },
    framework: { name: "laravel", version: "12.38.1" },
    exceptions: [
      [
        "Illuminate\\Database\\QueryException",
        "SQLSTATE[40001]: Serialization failure: 1213 Deadlock found when trying to get lock; try restarting transaction (Connection: mysql, SQL: update `stock_levels` set `reserved` = `reserved` + {n} where `sku` = '{name}')",
      ],
      ["App\\Exceptions\\OutOfStockException", "NWB-{n}: {n} wanted, none left"],
      ["ErrorException", 'Undefined array key "{name}"'],
      [
        "TypeError",
        "App\\Support\\Money::add(): Argument #1 ($other) must be of type App\\Support\\Money, null given",
      ],
      [
        "GuzzleHttp\\Exception\\ConnectException",
        "cURL error 28: Operation timed out after {n}001 milliseconds with 0 bytes received for https://psp.example/v2/payments",
      ],
      [
        "Symfony\\Component\\Mailer\\Exception\\TransportException",
        'Expected response code "250" but got code "451", with message "451 4.7.1 Try again later"',
      ],
      ["Illuminate\\Session\\TokenMismatchException", "CSRF token mismatch."],
      [
        "App\\Payments\\PaymentDeclinedException",
        "The payment of order {n} was declined: insufficient_funds",
      ],
    ],
    trace: (_class, _message, modules, random) => {
      const frames = modules.map(
        (module) =>
          `/var/www/shop/current/app/Services/${module}.php(${line(random)}): App\\Services\\${module}->${verb(random)}()`,
      );
      return [
        ...frames,
        `/var/www/shop/current/app/Http/Controllers/${modules[0]}Controller.php(${line(random)}): App\\Services\\${modules.at(-1)}->handle(Object(Illuminate\\Http\\Request))`,
        "/var/www/shop/current/vendor/laravel/framework/src/Illuminate/Routing/Controller.php(54): App\\Http\\Controllers\\Controller->callAction()",
        "/var/www/shop/current/vendor/laravel/framework/src/Illuminate/Routing/Route.php(265): Illuminate\\Routing\\ControllerDispatcher->dispatch(Object(Illuminate\\Routing\\Route))",
        "/var/www/shop/current/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php(219): Illuminate\\Routing\\Middleware\\SubstituteBindings->handle(Object(Illuminate\\Http\\Request))",
        "/var/www/shop/current/vendor/laravel/framework/src/Illuminate/Foundation/Http/Kernel.php(201): Illuminate\\Pipeline\\Pipeline->then(Object(Closure))",
        "/var/www/shop/current/public/index.php(20): Illuminate\\Foundation\\Application->handleRequest(Object(Illuminate\\Http\\Request))",
        "{main}",
      ]
        .map((frame, index) => `#${index} ${frame}`)
        .join("\n");
    },
  },
  browser: {
    runtime: { name: "chrome", version: "142.0" },
    framework: { name: "react", version: "19.3.1" },
    exceptions: [
      ["TypeError", "Cannot read properties of undefined (reading '{name}')"],
      ["ChunkLoadError", "Loading chunk {n} failed."],
      ["RangeError", "Invalid time value"],
      ["NetworkError", "Failed to fetch /api/v3/{name}"],
      ["ReferenceError", "{name} is not defined"],
      ["QuotaExceededError", "The quota has been exceeded."],
      ["TypeError", "null is not an object (evaluating 'event.target.{name}')"],
    ],
    trace: (exception_class, message, modules, random) =>
      [
        `${exception_class}: ${message}`,
        ...modules.map(
          (module) =>
            `    at ${lower(module)}${verb(random).replace(/^./, (first) => first.toUpperCase())} (https://www.northwind.example/assets/${kebab(module)}-Bq3xT7.js:${random.integer(1, 9)}:${random.integer(400, 90_000)})`,
        ),
        `    at ${modules.at(-1)} (https://www.northwind.example/assets/${kebab(modules.at(-1) ?? "app")}-Bq3xT7.js:${random.integer(1, 9)}:${random.integer(400, 90_000)})`,
        "    at Object.react_stack_bottom_frame (https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js:8:71364)",
        "    at renderWithHooks (https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js:8:42115)",
        "    at performWorkOnRoot (https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js:8:61020)",
      ].join("\n"),
  },
  node: {
    runtime: { name: "node", version: "24.11.1" },
    framework: { name: "fastify", version: "5.12.8" },
    exceptions: [
      ["Error", "connect ECONNREFUSED 10.0.3.{n}:6379"],
      ["SyntaxError", "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON"],
      ["TimeoutError", "The operation was aborted due to timeout"],
      ["ZodError", "Invalid input: expected string, received undefined at {name}"],
      ["AxiosError", "Request failed with status code 502"],
      ["TypeError", "Cannot destructure property '{name}' of 'order' as it is null."],
    ],
    trace: (exception_class, message, modules, random) =>
      [
        `${exception_class}: ${message}`,
        ...modules.map(
          (module) =>
            `    at ${random.chance(0.4) ? "async " : ""}${lower(module)}.${verb(random)} (/home/deploy/feeds/dist/${kebab(module)}.js:${line(random)}:${random.integer(5, 60)})`,
        ),
        `    at async Object.handler (/home/deploy/feeds/dist/routes/${kebab(modules[0] ?? "app")}.js:${line(random)}:7)`,
        "    at async preHandlerCallback (/home/deploy/feeds/node_modules/fastify/lib/handle-request.js:126:5)",
        "    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)",
      ].join("\n"),
  },
  ruby: {
    runtime: { name: "ruby", version: "3.4.7" },
    framework: { name: "rails", version: "8.1.1" },
    exceptions: [
      ["ActiveRecord::RecordNotFound", "Couldn't find Ride with 'id'={n}"],
      ["NoMethodError", "undefined method '{name}' for nil"],
      [
        "ActiveRecord::StatementInvalid",
        "PG::QueryCanceled: ERROR:  canceling statement due to statement timeout",
      ],
      ["Redis::CannotConnectError", "Connection refused - connect(2) for 10.0.4.{n}:6379"],
      ["JSON::ParserError", "unexpected character: '<' at line 1 column 1"],
      ["Faraday::TooManyRequestsError", "the server responded with status 429"],
    ],
    trace: (_class, _message, modules, random) =>
      [
        ...modules.map(
          (module) =>
            `/var/www/ride-api/app/services/${snake(module)}.rb:${line(random)}:in 'Services::${module}#${verb(random)}'`,
        ),
        `/var/www/ride-api/app/controllers/${snake(modules[0] ?? "app")}_controller.rb:${line(random)}:in '${modules[0]}Controller#update'`,
        "/usr/local/bundle/gems/actionpack-8.1.1/lib/action_controller/metal/basic_implicit_render.rb:8:in 'ActionController::BasicImplicitRender#send_action'",
        "/usr/local/bundle/gems/activesupport-8.1.1/lib/active_support/callbacks.rb:120:in 'ActiveSupport::Callbacks#run_callbacks'",
        "/usr/local/bundle/gems/puma-7.1.0/lib/puma/thread_pool.rb:174:in 'block in Puma::ThreadPool#spawn_thread'",
      ].join("\n"),
  },
  python: {
    runtime: { name: "python", version: "3.14.0" },
    framework: { name: "django", version: "5.2.8" },
    exceptions: [
      ["KeyError", "'{name}'"],
      ["django.db.utils.OperationalError", "server closed the connection unexpectedly"],
      ["ValueError", "time data '{time}' does not match format '%d.%m.%Y'"],
      [
        "requests.exceptions.ReadTimeout",
        "HTTPSConnectionPool(host='edi.supplier.example', port=443): Read timed out. (read timeout={n})",
      ],
      ["decimal.InvalidOperation", "[<class 'decimal.ConversionSyntax'>]"],
      ["AttributeError", "'NoneType' object has no attribute '{name}'"],
      ["celery.exceptions.SoftTimeLimitExceeded", "SoftTimeLimitExceeded()"],
    ],
    trace: (exception_class, message, modules, random) =>
      [
        "Traceback (most recent call last):",
        '  File "/home/depot/.venv/lib/python3.14/site-packages/celery/app/trace.py", line 453, in trace_task',
        "    R = retval = fun(*args, **kwargs)",
        ...modules.toReversed().flatMap((module) => {
          const name = verb(random);
          return [
            `  File "/home/depot/app/${snake(module)}.py", line ${line(random)}, in ${name}_${snake(module)}`,
            `    ${snake(module)} = ${name}(row)`,
          ];
        }),
        `${exception_class}: ${message}`,
      ].join("\n"),
  },
} satisfies Record<string, Runtime>;
