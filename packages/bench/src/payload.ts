import type { CheckUSA, Pair, Vehicle } from "@bothends/contract/vehicle";
import { checkUSAResponseDescriptor } from "@bothends/contract/vehicle/operations";
import { Encoder } from "@bothends/runtime/codec";
import type { LoadRequest } from "./load.js";

const pair = (CurrentTextValue: string): Pair => ({ CurrentValue: null, CurrentTextValue });

/** The input of a lookup. */
export const question: CheckUSA = { RegistrationNumber: "ABC1234", State: "NY", username: "demo" };

/** The answer of a lookup, in which every field has a value. As JSON text, it also contains the same data. */
export const vehicle: Vehicle = {
  vehicleJson: JSON.stringify({
    ABICode: "32130768",
    Description: "FORD FOCUS ZETEC 1.6",
    RegistrationYear: "2013",
    CarMake: { CurrentTextValue: "FORD" },
    CarModel: { CurrentTextValue: "FOCUS" },
    BodyStyle: { CurrentTextValue: "Hatchback" },
    FuelType: { CurrentTextValue: "Petrol" },
    MakeDescription: "FORD",
    ModelDescription: "FOCUS",
  }),
  vehicleData: {
    ABICode: "32130768",
    Description: "FORD FOCUS ZETEC 1.6",
    RegistrationYear: "2013",
    ManufactureYearFrom: "2011",
    ManufactureYearTo: "2014",
    CarMake: pair("FORD"),
    CarModel: "FOCUS",
    BodyStyle: pair("Hatchback"),
    EngineSize: pair("1596"),
    NumberOfDoors: pair("5"),
    Transmission: pair("Manual"),
    FuelType: pair("Petrol"),
    MakeDescription: "FORD",
    ModelDescription: "FOCUS",
    Immobiliser: pair("Thatcham 2"),
    NumberOfSeats: pair("5"),
    IndicativeValue: "4250",
    DriverSide: pair("RHS"),
  },
};

export const namespace = "http://vehicle.example/reg";
/** The response element of a lookup, and its value. */
export const lookupElement = "CheckUSAResponse";
export const lookupAnswer = { CheckUSAResult: vehicle };
const declarations =
  'xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Puts a body into a SOAP 1.1 message. */
export function writeEnvelope(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope ${declarations}><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

export const soapRequest = writeEnvelope(
  `<CheckUSA xmlns="${namespace}"><RegistrationNumber>ABC1234</RegistrationNumber><State>NY</State><username>demo</username></CheckUSA>`,
);
/** A `CheckUSA` call as a SOAP 1.2 message. */
export const soap12Request = soapRequest.replace(
  "http://schemas.xmlsoap.org/soap/envelope/",
  "http://www.w3.org/2003/05/soap-envelope",
);
/** The arguments of a `CheckUSA` call as a form or a query. */
export const lookupForm = new URLSearchParams({ ...question }).toString();

/** Writes the SOAP 1.1 message that answers a lookup with the given value. */
export function writeAnswerMessage(value: Vehicle): string {
  return writeEnvelope(
    new Encoder().encode(`{${namespace}}${lookupElement}`, () => checkUSAResponseDescriptor, {
      CheckUSAResult: value,
    }),
  );
}
/** The answer of a server that does not decode the request. */
export const soapAnswer = new TextEncoder().encode(writeAnswerMessage(vehicle));

/**
 * Creates a vehicle whose answer has about the given number of bytes, most of them in one text that must be escaped.
 */
export function createVehicle(bytes: number): Vehicle {
  const padding = Math.max(0, bytes - soapAnswer.length);
  return { ...vehicle, vehicleJson: "FORD FOCUS & MONDEO ".repeat(Math.ceil(padding / 24)) };
}

export const soapHeaders = {
  "Content-Type": "text/xml; charset=utf-8",
  Accept: "text/xml",
  SOAPAction: `"${namespace}/CheckUSA"`,
};
export const soapPath = "/api/reg.asmx";

/** The answer of a REST listing. */
export const items = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1,
  date: "2026-03-31T10:00:00",
  slug: `block-${index}`,
  status: "publish",
  type: "core_block",
  title: { raw: `Block ${index}`, rendered: `Block ${index}` },
  content: { raw: "<p>Opening hours</p>", protected: false },
  link: `https://site.example/blocks/${index}`,
}));

/** The path of a listing with 13 arguments. */
export const listingTarget =
  "/en/api/core/v2/blocks?context=view&page=1&per_page=10&search=hours&after=2020-01-01T00:00:00&before=2027-01-01T00:00:00" +
  "&exclude[]=4&exclude[]=5&include=1,2,3&offset=0&order=asc&orderby=title&slug[]=a&slug[]=b&status=publish,draft";

const soap11: LoadRequest = { method: "POST", path: soapPath, headers: soapHeaders, body: soapRequest };

/**
 * The requests to servers, by name: a lookup over each protocol, and a listing. The requests of `listings` have
 * different numbers in their queries.
 */
export const requests = {
  soap11,
  soap12: {
    ...soap11,
    headers: { "Content-Type": "application/soap+xml; charset=utf-8", Accept: "application/soap+xml" },
    body: soap12Request,
  },
  httpGet: { method: "GET", path: `${soapPath}/CheckUSA?${lookupForm}`, headers: {}, body: undefined },
  httpPost: {
    method: "POST",
    path: `${soapPath}/CheckUSA`,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: lookupForm,
  },
  listing: { method: "GET", path: listingTarget, headers: {}, body: undefined },
  listings: { method: "GET", path: listingTarget.replace("hours", "{number}"), headers: {}, body: undefined },
} satisfies Readonly<Record<string, LoadRequest>>;
