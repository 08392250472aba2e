/** The records that the handlers of the recorded service return, with the fields that they fill. */
export interface Lookup {
  vehicleJson?: string;
  vehicleData?: VehicleData;
}

export interface VehicleData {
  Description?: string;
  RegistrationYear?: string;
  CarMake?: Pair;
  CarModel?: string;
  BodyStyle?: Pair;
  EngineSize?: Pair;
  NumberOfDoors?: Pair;
  Transmission?: Pair;
  FuelType?: Pair;
  MakeDescription?: string;
  ModelDescription?: string;
}

export interface Pair {
  CurrentValue: string | null;
  CurrentTextValue: string | null;
}

export interface Insurance {
  Make?: string;
  Model?: string;
  Company?: string;
  Expiry?: string;
  IsInsured?: boolean;
}

export interface Policy {
  PolicyNumber?: string;
  Vehicle?: string;
  Company?: string;
  Address?: string;
}

export interface Taxi {
  LicenceNumber?: string;
  Expiry?: string;
}
