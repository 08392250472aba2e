export { type RenderInputs, render } from "./render.js";
export type { Templates } from "./template.js";
