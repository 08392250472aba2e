import { callInMemory } from "./calls.mjs";

callInMemory().then(
  (calls) => {
    document.title = `${calls} calls`;
  },
  (error) => {
    document.title = `failed: ${error}`;
  },
);
