import { type Sky, type SkyAnswer, WeatherClient } from "tolerate-client/weather";

const client = new WeatherClient({ baseUrl: "http://weather.example" });

export async function read(): Promise<string> {
  const report = await client.ask({});
  const sky: SkyAnswer | null | undefined = report?.Sky;
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

const asked: Sky = "clear";
void client.ask({ Skies: [asked, "cloudy"] });
// @ts-expect-error inputs have the values of the schema only
void client.ask({ Skies: ["foggy"] });

// @ts-expect-error a required text may be nil
export const place = async (): Promise<string> => (await client.ask({}))?.Place;
