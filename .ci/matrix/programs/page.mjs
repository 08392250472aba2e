import { callInMemory } from "./calls.mjs";
import { traceCalls } from "./traced.mjs";

Promise.all([callInMemory(), traceCalls()]).then(
  ([calls, spans]) => {
    document.title = `${calls} calls, ${spans} spans`;
  },
  (error) => {
    document.title = `failed: ${error}`;
  },
);
