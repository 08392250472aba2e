export { type RenderInputs, render } from "./render.js";
export { fill, json, relativePath, type Template, type Templates } from "./template.js";
