import { source, type Story } from "./story.ts";

export const PYTHON_STORY: Story = {
  fate: "regressed",
  event: {
    environment: "production",
    exception_class: "depot.orders.models.PurchaseOrder.MultipleObjectsReturned",
    level: "error",
    stack_trace: [
      "Traceback (most recent call last):",
      '  File "/app/.venv/lib/python3.14/site-packages/django/core/handlers/exception.py", line 55, in inner',
      "    response = get_response(request)",
      '  File "/app/.venv/lib/python3.14/site-packages/django/views/generic/base.py", line 143, in dispatch',
      "    return handler(request, *args, **kwargs)",
      '  File "/app/depot/deliveries/views.py", line 88, in post',
      "    delivery = book_delivery_note(note)",
      '  File "/app/depot/deliveries/booking.py", line 41, in book_delivery_note',
      "    order = PurchaseOrder.objects.get(number=note.order_number)",
      '  File "/app/.venv/lib/python3.14/site-packages/django/db/models/query.py", line 636, in get',
      "    raise self.model.MultipleObjectsReturned(",
      "depot.orders.models.PurchaseOrder.MultipleObjectsReturned: get() returned more than one PurchaseOrder -- it returned 2!",
    ].join("\n"),
    runtime: { name: "python", version: "3.14.0" },
    framework: { name: "django", version: "5.2.8" },
    context: {
      kind: "route",
      name: "deliveries:book",
      method: "POST",
      pattern: "/deliveries/<uuid:note_id>/book/",
      response_status: 500,
    },
  },
  messages: ["get() returned more than one PurchaseOrder -- it returned 2!"],
  frames: [
    {
      function: "get",
      filename: "django/db/models/query.py",
      abs_path: "/app/.venv/lib/python3.14/site-packages/django/db/models/query.py",
      module: "django.db.models.query",
      lineno: 636,
      in_app: false,
      ...source(`
                 "%s matching query does not exist." % self.model._meta.object_name
             )
>        raise self.model.MultipleObjectsReturned(
             "get() returned more than one %s -- it returned %s!"
             % (`),
    },
    {
      function: "book_delivery_note",
      filename: "depot/deliveries/booking.py",
      abs_path: "/app/depot/deliveries/booking.py",
      module: "depot.deliveries.booking",
      lineno: 41,
      in_app: true,
      ...source(`
 @transaction.atomic
 def book_delivery_note(note: DeliveryNote) -> Delivery:
     """Adds the delivered quantities to the stock and closes the order if it is complete."""
     # Suppliers repeat the number of an order in another year.
>    order = PurchaseOrder.objects.get(number=note.order_number)
     delivery = Delivery.objects.create(order=order, note=note, received_at=timezone.now())
     for line in note.lines.select_related("article"):
         add_to_stock(line.article, line.quantity, shelf=order.shelf)
     return delivery`),
    },
    {
      function: "post",
      filename: "depot/deliveries/views.py",
      abs_path: "/app/depot/deliveries/views.py",
      module: "depot.deliveries.views",
      lineno: 88,
      in_app: true,
      ...source(`
     def post(self, request, note_id):
         note = get_object_or_404(DeliveryNote.objects.for_depot(request.depot), pk=note_id)
         if note.booked_at is not None:
             return redirect("deliveries:show", note_id)
>        delivery = book_delivery_note(note)
         messages.success(request, _("Delivery booked"))
         return redirect("deliveries:show", delivery.pk)`),
    },
    {
      function: "dispatch",
      filename: "django/views/generic/base.py",
      abs_path: "/app/.venv/lib/python3.14/site-packages/django/views/generic/base.py",
      module: "django.views.generic.base",
      lineno: 143,
      in_app: false,
    },
    {
      function: "inner",
      filename: "django/core/handlers/exception.py",
      abs_path: "/app/.venv/lib/python3.14/site-packages/django/core/handlers/exception.py",
      module: "django.core.handlers.exception",
      lineno: 55,
      in_app: false,
    },
  ],
  breadcrumbs: [
    {
      before: 2.4,
      category: "query",
      message: 'SELECT "deliveries_deliverynote".* FROM "deliveries_deliverynote" WHERE "id" = %s LIMIT 21',
    },
    {
      before: 2.3,
      category: "logging",
      level: "info",
      message: "Booking the delivery note of supplier Koga",
    },
    { before: 2.2, category: "query", message: "BEGIN" },
    {
      before: 2.1,
      category: "query",
      message: 'SELECT "orders_purchaseorder".* FROM "orders_purchaseorder" WHERE "number" = %s LIMIT 21',
      data: { rows: 2 },
    },
    { before: 0, category: "query", message: "ROLLBACK" },
  ],
  tags: {
    supplier: ["koga", "shimano", "ortlieb", "koga"],
    depot: ["Utrecht", "Hamburg"],
    transaction: ["/deliveries/{note_id}/book/"],
    handled: ["no"],
  },
  contexts: [
    {
      runtime: { name: "CPython", version: "3.14.0" },
      os: { name: "Linux", version: "6.12.48" },
      trace: { trace_id: "5b1c0a6d3a7e4d3f9a2b8c4d6e0f1a23", span_id: "c0ffee12ab34cd56" },
    },
  ],
  requests: [
    {
      method: "POST",
      url: "https://depot.northwind.example/deliveries/0197c1a4-3f0e-7b52-9c43-2b9a/book/",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "User-Agent":
          "Mozilla/5.0 (Linux; Android 14; TC27) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
        "Accept-Language": "nl",
        Referer: "https://depot.northwind.example/deliveries/",
      },
    },
  ],
  extra: { "sys.argv": ["/app/.venv/bin/gunicorn", "depot.wsgi"], order_number: "2026-0417" },
  comments: [
    "Koga started its order numbers over in January, so 2026.42 looked them up by year. The scanner's new booking page does not.",
    "Good catch. @{name}, can you make `number` unique per supplier and year in the database? Then this cannot come back.",
  ],
};
