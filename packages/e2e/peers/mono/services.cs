// The two services. Their answers are in the file of PEER_ANSWERS, a call on each line: operation, values,
// `answer` or `fault`, and the record or the fault's reason and detail.
using System;
using System.IO;
using System.Linq;
using System.Web.Services;
using System.Web.Services.Protocols;
using System.Xml;
using System.Xml.Serialization;

[WebService(Namespace = "http://vehicle.example/reg")]
public class Reg : WebService
{
    [WebMethod] public Vehicle CheckPakistan(string RegistrationNumber, string state, string district, string username) { return Known.Answer<Vehicle>("CheckPakistan", RegistrationNumber, state, district, username); }
    [WebMethod] public Vehicle CheckCzechRepublic(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckCzechRepublic", RegistrationNumber, username); }
    [WebMethod(Description = "vehicle in the USA")] public Vehicle CheckUSA(string RegistrationNumber, string State, string username) { return Known.Answer<Vehicle>("CheckUSA", RegistrationNumber, State, username); }
    [WebMethod] public Vehicle CheckIreland(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckIreland", RegistrationNumber, username); }
    [WebMethod] public Vehicle CheckFrance(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckFrance", RegistrationNumber, username); }
    [WebMethod] public Vehicle CheckMexico(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckMexico", RegistrationNumber, username); }
    [WebMethod] public Vehicle CheckRussia(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckRussia", RegistrationNumber, username); }
    [WebMethod] public Vehicle CheckMalta(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckMalta", RegistrationNumber, username); }
    [WebMethod] public Vehicle CheckPeru(string RegistrationNumber, string username) { return Known.Answer<Vehicle>("CheckPeru", RegistrationNumber, username); }
    [WebMethod] public Vehicle CheckGermany(string KBANumber, string username) { return Known.Answer<Vehicle>("CheckGermany", KBANumber, username); }
    [WebMethod] public Vehicle CheckAustria(int NatCode, string username) { return Known.Answer<Vehicle>("CheckAustria", NatCode.ToString(), username); }
}

[WebService(Namespace = "http://vehicle.example/bespoke/")]
public class BespokeApi : WebService
{
    [WebMethod] public Vehicle CheckUSARestrictedAccount(string RegistrationNumber, string State, string username) { return Known.Answer<Vehicle>("CheckUSARestrictedAccount", RegistrationNumber, State, username); }
    [WebMethod] public Vehicle CheckUSAMinimal(string regNumber, string state, string username) { return Known.Answer<Vehicle>("CheckUSAMinimal", regNumber, state, username); }
    [WebMethod] public Vehicle CheckUSADynamic(string regNumber, string state, string username) { return Known.Answer<Vehicle>("CheckUSADynamic", regNumber, state, username); }
    [WebMethod] public Vehicle CheckItalyMotorbike(string regNumber, string username) { return Known.Answer<Vehicle>("CheckItalyMotorbike", regNumber, username); }
    [WebMethod] public InsuranceDetails CheckInsuranceStatusItalyWithVehicleType(string regNumber, string vehicleType, string username) { return Known.Answer<InsuranceDetails>("CheckInsuranceStatusItalyWithVehicleType", regNumber, vehicleType, username); }
    [WebMethod] public InsurancePolicy CheckInsuranceStatusPoland(string regNumber, string username) { return Known.Answer<InsurancePolicy>("CheckInsuranceStatusPoland", regNumber, username); }
    [WebMethod] public IrishTaxi CheckIrishTaxi(string regNumber) { return Known.Answer<IrishTaxi>("CheckIrishTaxi", regNumber); }
}

static class Known
{
    static readonly string[] lines = File.ReadAllLines(Environment.GetEnvironmentVariable("PEER_ANSWERS"));

    public static T Answer<T>(string operation, params string[] values) where T : class
    {
        var call = operation + "\t" + string.Join("\t", values) + "\t";
        var found = lines.FirstOrDefault(line => line.StartsWith(call, StringComparison.Ordinal));
        if (found == null) throw new Exception("Not what was sent: " + call);
        var rest = found.Substring(call.Length).Split('\t');
        if (rest[0] == "fault") throw Fault(rest[1], rest[2]);
        if (rest[1] == "") return null;
        return (T)new XmlSerializer(typeof(T), new XmlRootAttribute("record")).Deserialize(new StringReader(rest[1]));
    }

    static SoapException Fault(string reason, string detail)
    {
        var document = new XmlDocument();
        document.AppendChild(document.CreateElement("detail")).InnerXml = detail;
        return new SoapException(reason, SoapException.ClientFaultCode, "urn:actor", document.DocumentElement);
    }
}
