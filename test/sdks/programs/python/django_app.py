import django
import sentry_sdk
import shop
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path

sentry_sdk.init(**shop.options)
shop.watch(sentry_sdk.get_client())


def create_order(request, order_id):
    shop.sign_in(request.headers["X-User"])
    shop.place_order()


urlpatterns = [path("orders/<int:order_id>", create_order)]
settings.configure(
    ALLOWED_HOSTS=["*"],
    DEBUG=False,
    LOGGING_CONFIG=None,
    ROOT_URLCONF=__name__,
    SECRET_KEY="not used",
)
django.setup()
shop.serve_and_request(get_wsgi_application())
shop.finish()
