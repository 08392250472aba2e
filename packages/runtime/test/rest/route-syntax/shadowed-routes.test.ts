import { compileRoute, shadows } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";

test.each([
  { wide: "/a/(?P<x>\\w+)", narrow: "/a/me", want: true },
  { wide: "/a/(?P<x>\\w+)", narrow: "/A/(?P<x>[a-z]+)/?", want: true },
  { wide: "/a/(?P<x>\\w+)", narrow: "/a/(?P<x>[a-z-]+)", want: false },
  { wide: "/a/(?P<x>[^/]+)", narrow: "/a/(?P<x>é)", want: true },
  { wide: "/a/(?P<x>\\w+)", narrow: "/a/(?P<x>[^/]+)", want: false },
  { wide: "/a/(?P<x>\\w+)", narrow: "/a/é", want: false },
  { wide: "/a", narrow: "/a/?", want: true },
  { wide: "/a", narrow: "/a(?:/b)?", want: false },
  { wide: "/a/(?P<x>[^/]+(?:/[^/]+)?)(?P<y>[/\\w]+)", narrow: "/a/(?P<id>\\d+)/b/(?P<k>\\d+)", want: true },
  { wide: "/a/^b", narrow: "/a", want: false },
  { wide: "/a", narrow: "/a/^b", want: false },
  // Not determined: there are too many sets of states.
  { wide: "/(?:a|b)*a(?:a|b){12}", narrow: "/(?:a|b)*a(?:a|b){12}", want: false },
])("the route $wide, listed first, matches all paths of $narrow: $want", ({ wide, narrow, want }) => {
  expect(shadows(wide, narrow)).toBe(want);
});

test.each([
  { route: "/a/b", want: "/a/b" },
  { route: "/a/(?P<id>\\d{2})/b/?", want: "/a/00/b" },
  { route: "/a/(?P<id>\\d+)?", want: "/a/0" },
  { route: "/a/?", want: "/a" },
  { route: "/a/^b", want: undefined },
])("an example of $route is $want", ({ route, want }) => {
  expect(compileRoute(route).example).toBe(want);
});
