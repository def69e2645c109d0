import logging

import sentry_sdk
import shop

sentry_sdk.init(**shop.options)
shop.watch(sentry_sdk.get_client())
logging.getLogger("shop").addHandler(logging.NullHandler())
for user_id in shop.canaries["users"]:
    # As in a request: otherwise the next event would contain this message among its breadcrumbs.
    with sentry_sdk.isolation_scope():
        shop.sign_in(user_id)
        logging.getLogger("shop").error("Order %s of %s is late", 17, user_id)
shop.finish()
