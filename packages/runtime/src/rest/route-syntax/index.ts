export {
  compileRoute,
  compileRoutePattern,
  compileValuePattern,
  lowerCase,
  type Route,
  shadows,
} from "./compile-route.js";
export { type RoutePiece, routePieces } from "./route-pieces.js";
