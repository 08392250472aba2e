import type { AnyShape, AnyVehicle } from "polymorphic-client/polymorphic";

export function area(shape: AnyShape): number {
  switch (shape.$type) {
    case "Circle":
      return Math.PI * shape.radius ** 2;
    case "Square":
      return shape.side ** 2;
  }
}

export function doors(vehicle: AnyVehicle): number {
  return vehicle.$type === "Car" ? vehicle.doors : vehicle.wheels;
}

// @ts-expect-error only a car has doors
export const cart: AnyVehicle = { $type: "Cart", wheels: 2, doors: 4 };
export const vehicle: AnyVehicle = { wheels: 4 };
