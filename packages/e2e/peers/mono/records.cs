// The records of both services; each service has them in its own namespace.
using System;
using System.Xml.Serialization;

public class Vehicle
{
    public string vehicleJson;
    public VehicleData vehicleData;
}

public class VehicleData
{
    public string ABICode;
    public string Description;
    public string RegistrationYear;
    public string ManufactureYearFrom;
    public string ManufactureYearTo;
    public Pair CarMake;
    public string CarModel;
    public Pair BodyStyle;
    public Pair EngineSize;
    public Pair NumberOfDoors;
    public Pair Transmission;
    public Pair FuelType;
    public string MakeDescription;
    public string ModelDescription;
    public Pair Immobiliser;
    public Pair NumberOfSeats;
    public string IndicativeValue;
    public Pair DriverSide;
}

public class Pair
{
    [XmlElement(IsNullable = true)] public string CurrentValue;
    [XmlElement(IsNullable = true)] public string CurrentTextValue;
}

public class InsuranceDetails
{
    public string Make;
    public string Model;
    public string Company;
    public DateTime Expiry;
    public bool IsInsured;
    public string Region;
}

public class InsurancePolicy
{
    public string PolicyNumber;
    public string Vehicle;
    public string Company;
    public string Address;
    public string IsBlacklisted;
}

public class IrishTaxi
{
    public string LicenceNumber;
    public string Expiry;
    public string LicenceHolder;
}
