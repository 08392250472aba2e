export { json, relativePath } from "./encode.js";
export { type RenderInputs, render } from "./render.js";
export { fill, type Templates } from "./template.js";
