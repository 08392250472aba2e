export {
  compileRoute,
  compileRoutePattern,
  compileValuePattern,
  lowerCase,
  type Route,
  shadows,
} from "./compile-route.js";
export { formatNamed, jsonTypeNamed } from "./json-type-names.js";
export { type RoutePiece, routePieces } from "./route-pieces.js";
