import { type Sky, WeatherClient } from "tolerate-client/weather";

const client = new WeatherClient({ baseUrl: "http://weather.example" });

export async function read(): Promise<string> {
  const report = await client.ask({});
  const sky: Sky | null | undefined = report?.Sky;
  switch (sky) {
    case "clear":
      return "clear";
    case null:
    case undefined:
      return "not known";
    default:
      return `new: ${sky.toUpperCase()}, gusts ${report?.Gust?.filter((gust) => gust !== null).join()}`;
  }
}

// @ts-expect-error a required text may be nil
export const place = async (): Promise<string> => (await client.ask({}))?.Place;
