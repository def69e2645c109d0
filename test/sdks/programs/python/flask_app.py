import flask
import sentry_sdk
import shop

sentry_sdk.init(**shop.options)
shop.watch(sentry_sdk.get_client())
app = flask.Flask("shop")


@app.post("/orders/<int:order_id>")
def create_order(order_id):
    sentry_sdk.set_user(shop.person(flask.request.headers["X-User"]))
    shop.place_order()


shop.serve_and_request(app)
shop.finish()
