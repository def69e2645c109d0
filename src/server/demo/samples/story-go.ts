import { source, type Story } from "./story.ts";

export const GO_STORY: Story = {
  fate: "snoozed",
  event: {
    environment: "production",
    exception_class: "*net.OpError",
    level: "warning",
    stack_trace: [
      "northwind.example/depot/labels.(*Printer).Send",
      "\t/app/labels/printer.go:73",
      "northwind.example/depot/labels.(*Queue).Flush",
      "\t/app/labels/queue.go:118",
      "main.run",
      "\t/app/cmd/labeld/main.go:64",
      "runtime.goexit",
      "\t/usr/local/go/src/runtime/asm_amd64.s:1693",
    ].join("\n"),
    runtime: { name: "go", version: "1.25.4" },
    context: { kind: "job", name: "labels.flush", queue: "labels", attempt: 3 },
  },
  messages: [
    "write tcp labels-07.depot:9100: write: connection reset by peer",
    "write tcp labels-02.depot:9100: i/o timeout",
  ],
  frames: [
    {
      function: "(*Printer).Send",
      module: "northwind.example/depot/labels",
      filename: "labels/printer.go",
      abs_path: "/app/labels/printer.go",
      lineno: 73,
      in_app: true,
      ...source(`
 	if err := p.conn.SetWriteDeadline(time.Now().Add(p.timeout)); err != nil {
 		return err
 	}
>	if _, err := label.WriteTo(p.conn); err != nil {
 		// The printer drops the connection when it runs out of paper.
 		sentry.CaptureException(err)
 		return p.reconnect(ctx)`),
    },
    {
      function: "(*Queue).Flush",
      module: "northwind.example/depot/labels",
      filename: "labels/queue.go",
      abs_path: "/app/labels/queue.go",
      lineno: 118,
      in_app: true,
      ...source(`
 	for _, label := range batch {
>		if err := q.printer.Send(ctx, label); err != nil {
 			q.retry(label)
 		}
 	}`),
    },
    {
      function: "run",
      module: "main",
      filename: "cmd/labeld/main.go",
      abs_path: "/app/cmd/labeld/main.go",
      lineno: 64,
      in_app: true,
    },
  ],
  breadcrumbs: [
    { before: 12, category: "queue", message: "Flushing 24 labels", level: "info" },
    { before: 11.8, category: "printer", message: "Connected to labels-07.depot", level: "info" },
    { before: 1.1, category: "printer", message: "Paper low", level: "warning" },
  ],
  tags: { printer: ["labels-07", "labels-07", "labels-02"], depot: ["Utrecht", "Hamburg"] },
  contexts: [{ os: { name: "linux", arch: "amd64" }, device: { num_cpu: 4 } }],
  requests: [],
  extra: { batch: 24, printed: 17 },
  comments: [
    "Happens whenever the printer in hall 2 runs out of paper. I snoozed it until it becomes more than a nuisance.",
  ],
};
