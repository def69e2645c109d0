import flask
import sentry_sdk
import shop

sentry_sdk.init(**shop.options)
shop.watch(sentry_sdk.get_client())
app = flask.Flask("shop")


@app.post("/orders/<int:order_id>")
def create_order(order_id):
    shop.sign_in(flask.request.headers["X-User"])
    shop.place_order()


shop.serve_and_request(app)
shop.finish()
