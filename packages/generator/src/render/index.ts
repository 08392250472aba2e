export { type RenderInputs, render } from "./render.js";
export { fill, json, relativePath, type Templates } from "./template.js";
