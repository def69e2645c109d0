import { source, type Story } from "./story.ts";

export const JAVA_STORY: Story = {
  fate: "new",
  event: {
    environment: "production",
    exception_class: "jakarta.persistence.OptimisticLockException",
    level: "fatal",
    stack_trace: [
      "jakarta.persistence.OptimisticLockException: Row was updated or deleted by another transaction: [example.northwind.depot.stock.Shelf#114]",
      "\tat org.hibernate.internal.ExceptionConverterImpl.wrapLockException(ExceptionConverterImpl.java:244)",
      "\tat org.hibernate.internal.SessionImpl.flush(SessionImpl.java:1415)",
      "\tat example.northwind.depot.stock.StockService.transfer(StockService.java:96)",
      "\tat example.northwind.depot.web.TransferController.post(TransferController.java:51)",
      "\tat org.springframework.web.servlet.DispatcherServlet.doDispatch(DispatcherServlet.java:1088)",
      "\tat java.base/java.lang.Thread.run(Thread.java:1474)",
    ].join("\n"),
    previous_exceptions: [
      {
        exception_class: "org.hibernate.StaleObjectStateException",
        message: "Row was updated or deleted by another transaction",
        stack_trace: [
          "org.hibernate.StaleObjectStateException: Row was updated or deleted by another transaction",
          "\tat org.hibernate.persister.entity.AbstractEntityPersister.check(AbstractEntityPersister.java:2640)",
          "\tat example.northwind.depot.stock.StockService.transfer(StockService.java:96)",
        ].join("\n"),
      },
    ],
    runtime: { name: "java", version: "25.0.1" },
    framework: { name: "spring-boot", version: "3.5.8" },
    memory_peak_bytes: 402_653_184,
    memory_limit_bytes: 1_073_741_824,
    context: {
      kind: "route",
      name: "transfers.create",
      method: "POST",
      pattern: "/transfers",
      action: "TransferController.post",
      response_status: 500,
    },
  },
  messages: ["Row was updated or deleted by another transaction: [example.northwind.depot.stock.Shelf#114]"],
  frames: [
    {
      function: "wrapLockException",
      module: "org.hibernate.internal.ExceptionConverterImpl",
      filename: "ExceptionConverterImpl.java",
      lineno: 244,
      in_app: false,
    },
    {
      function: "transfer",
      module: "example.northwind.depot.stock.StockService",
      filename: "StockService.java",
      lineno: 96,
      in_app: true,
      ...source(`
     @Transactional
     public Transfer transfer(ShelfId from, ShelfId to, Article article, int quantity) {
         var source = shelves.get(from);
         var target = shelves.get(to);
         source.take(article, quantity);
         target.put(article, quantity);
>        entityManager.flush();
         return transfers.save(new Transfer(source, target, article, quantity));
     }`),
    },
    {
      function: "post",
      module: "example.northwind.depot.web.TransferController",
      filename: "TransferController.java",
      lineno: 51,
      in_app: true,
      ...source(`
     @PostMapping("/transfers")
     @ResponseStatus(HttpStatus.CREATED)
     TransferView post(@Valid @RequestBody TransferBody body) {
>        var transfer = stock.transfer(body.from(), body.to(), articles.get(body.sku()), body.quantity());
         return TransferView.of(transfer);
     }`),
    },
    {
      function: "doDispatch",
      module: "org.springframework.web.servlet.DispatcherServlet",
      filename: "DispatcherServlet.java",
      lineno: 1088,
      in_app: false,
    },
  ],
  breadcrumbs: [
    { before: 1.2, category: "example.northwind.depot.web", level: "info", message: "POST /transfers" },
    {
      before: 1.1,
      category: "org.hibernate.SQL",
      level: "debug",
      message: "select s.id, s.version from shelf s where s.id = ?",
    },
    {
      before: 0.1,
      category: "org.hibernate.SQL",
      level: "debug",
      message: "update shelf set version = ? where id = ? and version = ?",
      data: { rows: 0 },
    },
  ],
  tags: { depot: ["Hamburg"], thread: ["http-nio-8080-exec-4", "http-nio-8080-exec-7"], shift: ["night"] },
  contexts: [
    {
      runtime: { name: "Temurin", version: "25.0.1+8" },
      os: { name: "Linux", version: "6.12.48" },
      trace: { trace_id: "a41c9e0d7b5f4c2e8d3a6f1b0c9e7d52", span_id: "4be0d1c2a3f59687" },
    },
  ],
  requests: [
    {
      method: "POST",
      url: "https://depot.northwind.example/transfers",
      headers: { "Content-Type": "application/json", "User-Agent": "DepotScanner/7.2 (Android 14; TC27)" },
    },
  ],
  extra: { from_shelf: 114, to_shelf: 87, quantity: 6 },
  merged: {
    message: "Row was updated or deleted by another transaction: [example.northwind.depot.stock.Shelf#31]",
    stack_trace: [
      "jakarta.persistence.OptimisticLockException: Row was updated or deleted by another transaction: [example.northwind.depot.stock.Shelf#31]",
      "\tat org.hibernate.internal.ExceptionConverterImpl.wrapLockException(ExceptionConverterImpl.java:244)",
      "\tat org.hibernate.internal.SessionImpl.flush(SessionImpl.java:1415)",
      "\tat example.northwind.depot.stock.CycleCount.close(CycleCount.java:133)",
      "\tat example.northwind.depot.stock.StockService.transfer(StockService.java:96)",
      "\tat java.base/java.lang.Thread.run(Thread.java:1474)",
    ].join("\n"),
  },
};
