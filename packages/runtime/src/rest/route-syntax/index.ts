export { findPath, findValueText, shadows } from "./compare-routes.js";
export {
  compileRoute,
  compileRoutePattern,
  compileValuePattern,
  lowerCase,
  type Route,
} from "./compile-route.js";
export { type RoutePiece, splitRoute } from "./route-pieces.js";
export { type RouteMatch, RouteTable, type TableRoute } from "./route-table.js";
