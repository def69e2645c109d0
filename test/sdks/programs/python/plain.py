import sentry_sdk
import shop

sentry_sdk.init(**shop.options)
shop.watch(sentry_sdk.get_client())
for user_id in shop.canaries["users"]:
    shop.sign_in(user_id)
    try:
        shop.place_order()
    except shop.PaymentError as error:
        sentry_sdk.capture_exception(error)
shop.finish()
