import { init } from "@signalbox/reporter";
import { vueErrors } from "@signalbox/reporter/vue";
import { createApp, h, ref } from "vue";
import { createRouter, createWebHistory, RouterView } from "vue-router";

init(SETTINGS);

const OrderPage = {
  setup() {
    const broken = ref(false);
    const fail = () => {
      throw new TypeError("event handler");
    };
    return () => {
      if (broken.value) throw new TypeError("render");
      return [
        h("button", { onClick: fail }, "handler"),
        h("button", { onClick: () => (broken.value = true) }, "render"),
      ];
    };
  },
};

const router = createRouter({
  history: createWebHistory(),
  routes: [{ path: "/orders/:id", component: OrderPage }],
});
createApp(RouterView).use(router).use(vueErrors()).mount("#root");
