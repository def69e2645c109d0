import json
import logging
import os

import shop
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

# What the runner passes: who the two users are and what else must not be stored.
canaries = json.loads(os.environ["CANARIES"])

tracer_provider = TracerProvider()
tracer_provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(tracer_provider)
logger_provider = LoggerProvider()
logger_provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
logging.getLogger("shop").addHandler(LoggingHandler(logger_provider=logger_provider))
tracer = trace.get_tracer("shop")


def attributes_of(user):
    """What applications and instrumentations add to spans and log records."""
    return {
        "enduser.id": user,
        "user.email": canaries["email"],
        "user.name": canaries["name"],
        "client.address": canaries["ip"],
        "url.full": f"https://shop.example.com/orders/17?email={canaries['query']}",
        "http.route": "/orders/<id>",
        "http.request.method": "POST",
        "http.response.status_code": 500,
        "http.request.header.cookie": [f"sid={canaries['cookie']}"],
        "http.request.header.authorization": [f"Bearer {canaries['authorization']}"],
        "http.request.header.x-customer": [canaries["header"]],
        "http.request.body.content": canaries["body"],
        "note": f"{canaries['name']} ({canaries['email']}) signed in from {canaries['ip']}",
    }


for user_id in canaries["users"]:
    with tracer.start_as_current_span("request", attributes=attributes_of(user_id)):
        try:
            # Both spans record the exception as it leaves them.
            with tracer.start_as_current_span("POST /orders/<id>", attributes=attributes_of(user_id)):
                with tracer.start_as_current_span("place order", attributes=attributes_of(user_id)):
                    shop.place_order()
        except shop.PaymentError:
            logging.getLogger("shop").exception("the order of %s failed", canaries["email"], extra=attributes_of(user_id))

logger_provider.shutdown()
tracer_provider.shutdown()
print("flushed", flush=True)
