"""What all programs share: the error, the options, and requests with personal data."""

import http.client
import json
import os
import threading
import wsgiref.simple_server

import sentry_sdk

canaries = json.loads(os.environ["CANARIES"])

options = {
    "dsn": os.environ["SENTRY_DSN"],
    "release": "shop@1.4.2",
    "environment": os.environ["PROGRAM"],
    "server_name": "web-1",
    "send_default_pii": True,
}


class PaymentError(Exception):
    pass


def charge():
    raise ValueError("amount is not a number")


def place_order():
    try:
        charge()
    except ValueError as cause:
        raise PaymentError("the card was declined") from cause


def sign_in(user_id):
    """The next error is this person's."""
    email, name, ip = canaries["email"], canaries["name"], canaries["ip"]
    sentry_sdk.set_user({"id": user_id, "email": email, "username": name, "ip_address": ip})
    # What applications add in all the places that the SDK offers for it.
    request = {
        "url": f"https://shop.example.com/orders?email={canaries['query']}",
        "headers": {
            "Cookie": f"sid={canaries['cookie']}",
            "Authorization": f"Bearer {canaries['authorization']}",
            "X-Customer": canaries["header"],
        },
        "body": {"note": canaries["body"]},
        "from": ip,
    }
    sentry_sdk.add_breadcrumb(category="auth", message=f"{name} ({email}) signed in from {ip}", data=request)
    sentry_sdk.set_tag("customer", email)
    sentry_sdk.set_extra("request", request)
    sentry_sdk.set_context("order", {"customer": email, "request": request})


class QuietHandler(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *args):
        pass


def serve_and_request(application):
    """Serves the application and sends it a request per user."""
    server = wsgiref.simple_server.make_server("127.0.0.1", 0, application, handler_class=QuietHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for user_id in canaries["users"]:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
        connection.request(
            "POST",
            f"/orders/17?email={canaries['query']}",
            body=json.dumps({"note": canaries["body"]}),
            headers={
                "Content-Type": "application/json",
                "Cookie": f"sid={canaries['cookie']}",
                "Authorization": f"Bearer {canaries['authorization']}",
                "X-Forwarded-For": canaries["ip"],
                "X-Customer": canaries["header"],
                "Referer": f"https://shop.example.com/cart?email={canaries['query']}",
                "X-User": user_id,
            },
        )
        connection.getresponse().read()


class Transport:
    """Notices whether the server accepted everything, because flush returns nothing."""

    failed = False


def watch(client):
    """Records whether a request of the client's transport failed."""
    transport = client.transport
    lost = transport.record_lost_event

    def record_lost_event(reason, *args, **kwargs):
        if reason in ("network_error", "ratelimit_backoff", "queue_overflow"):
            Transport.failed = True
        return lost(reason, *args, **kwargs)

    transport.record_lost_event = record_lost_event


def finish():
    pending = []
    sentry_sdk.get_client().flush(timeout=10, callback=lambda count, timeout: pending.append(count))
    print("not flushed" if Transport.failed else "flushed", flush=True)
    os._exit(0)
