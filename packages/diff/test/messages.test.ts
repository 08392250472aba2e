import { expect, test } from "vitest";
import { messageOf } from "../src/diff-contracts.js";

test("a guess names both names, and the type of a member", () => {
  const member = { subject: "Vehicle.Colour", before: "Color", after: "Colour" };
  expect(messageOf("member-renamed", member)).toBe("Vehicle.Color removed, Colour added: renamed?");
  const operation = { subject: "CheckMexicanCar", before: "CheckMexico", after: "CheckMexicanCar" };
  expect(messageOf("operation-renamed", operation)).toBe("CheckMexico removed, CheckMexicanCar added: renamed?");
});

test("other messages name the subject and its values", () => {
  const widened = { subject: "Vehicle.Year", before: "int", after: "long" };
  expect(messageOf("type-widened", widened)).toBe("Vehicle.Year: A type allows more values (int → long).");
  const added = { subject: "Vehicle.Colour", before: undefined, after: "Colour" };
  expect(messageOf("member-added-optional", added)).toBe("Vehicle.Colour: An optional member was added.");
});
