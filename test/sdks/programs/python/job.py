import celery
import sentry_sdk
import shop

sentry_sdk.init(**shop.options)
shop.watch(sentry_sdk.get_client())
app = celery.Celery("shop", broker="memory://")
app.conf.task_always_eager = True


@app.task(name="shop.place_order", bind=True)
def place_order(self, user_id):
    shop.sign_in(user_id)
    shop.place_order()


for user_id in shop.canaries["users"]:
    place_order.apply_async((user_id,))
shop.finish()
