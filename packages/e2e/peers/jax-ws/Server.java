// Serves both services through the interfaces that wsimport generated: Server PORT ANSWERS. Below /soap11 it speaks SOAP 1.1,
// below /soap12 SOAP 1.2. The answers are in a file, a call on each line: operation, values, `answer` or `fault`, and
// the record or the fault's reason and detail.
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import javax.jws.WebService;
import javax.xml.bind.JAXB;
import javax.xml.namespace.QName;
import javax.xml.soap.SOAPConstants;
import javax.xml.soap.SOAPFactory;
import javax.xml.soap.SOAPFault;
import javax.xml.ws.BindingType;
import javax.xml.ws.Endpoint;
import javax.xml.ws.soap.SOAPBinding;
import javax.xml.ws.soap.SOAPFaultException;

public class Server {
    private static List<String> lines;

    public static void main(String[] args) throws IOException {
        String url = "http://127.0.0.1:" + args[0];
        lines = Files.readAllLines(Paths.get(args[1]));
        Endpoint.publish(url + "/soap11/api/reg.asmx", new Reg());
        Endpoint.publish(url + "/soap11/api/bespokeapi.asmx", new Bespoke());
        Endpoint.publish(url + "/soap12/api/reg.asmx", new Reg12());
        Endpoint.publish(url + "/soap12/api/bespokeapi.asmx", new Bespoke12());
    }

    @WebService(endpointInterface = "reg.RegSoap", targetNamespace = "http://vehicle.example/reg", serviceName = "Reg", portName = "RegSoap")
    public static class Reg implements reg.RegSoap {
        String version() { return SOAPConstants.SOAP_1_1_PROTOCOL; }
        private reg.Vehicle find(String... call) { return known(reg.Vehicle.class, version(), call); }
        public reg.Vehicle checkPakistan(String key, String state, String district, String username) { return find("CheckPakistan", key, state, district, username); }
        public reg.Vehicle checkCzechRepublic(String key, String username) { return find("CheckCzechRepublic", key, username); }
        public reg.Vehicle checkUSA(String key, String state, String username) { return find("CheckUSA", key, state, username); }
        public reg.Vehicle checkIreland(String key, String username) { return find("CheckIreland", key, username); }
        public reg.Vehicle checkFrance(String key, String username) { return find("CheckFrance", key, username); }
        public reg.Vehicle checkMexico(String key, String username) { return find("CheckMexico", key, username); }
        public reg.Vehicle checkRussia(String key, String username) { return find("CheckRussia", key, username); }
        public reg.Vehicle checkMalta(String key, String username) { return find("CheckMalta", key, username); }
        public reg.Vehicle checkPeru(String key, String username) { return find("CheckPeru", key, username); }
        public reg.Vehicle checkGermany(String key, String username) { return find("CheckGermany", key, username); }
        public reg.Vehicle checkAustria(int key, String username) { return find("CheckAustria", "" + key, username); }
    }

    @WebService(endpointInterface = "bespokeapi.BespokeApiSoap", targetNamespace = "http://vehicle.example/bespoke/", serviceName = "BespokeApi", portName = "BespokeApiSoap")
    public static class Bespoke implements bespokeapi.BespokeApiSoap {
        String version() { return SOAPConstants.SOAP_1_1_PROTOCOL; }
        private bespokeapi.Vehicle find(String... call) { return known(bespokeapi.Vehicle.class, version(), call); }
        public bespokeapi.Vehicle checkUSARestrictedAccount(String key, String state, String username) { return find("CheckUSARestrictedAccount", key, state, username); }
        public bespokeapi.Vehicle checkUSAMinimal(String key, String state, String username) { return find("CheckUSAMinimal", key, state, username); }
        public bespokeapi.Vehicle checkUSADynamic(String key, String state, String username) { return find("CheckUSADynamic", key, state, username); }
        public bespokeapi.Vehicle checkItalyMotorbike(String key, String username) { return find("CheckItalyMotorbike", key, username); }
        public bespokeapi.InsuranceDetails checkInsuranceStatusItalyWithVehicleType(String key, String type, String username) { return known(bespokeapi.InsuranceDetails.class, version(), "CheckInsuranceStatusItalyWithVehicleType", key, type, username); }
        public bespokeapi.InsurancePolicy checkInsuranceStatusPoland(String key, String username) { return known(bespokeapi.InsurancePolicy.class, version(), "CheckInsuranceStatusPoland", key, username); }
        public bespokeapi.IrishTaxi checkIrishTaxi(String key) { return known(bespokeapi.IrishTaxi.class, version(), "CheckIrishTaxi", key); }
    }

    @WebService(endpointInterface = "reg.RegSoap", targetNamespace = "http://vehicle.example/reg", serviceName = "Reg", portName = "RegSoap12")
    @BindingType(SOAPBinding.SOAP12HTTP_BINDING)
    public static class Reg12 extends Reg {
        @Override String version() { return SOAPConstants.SOAP_1_2_PROTOCOL; }
    }

    @WebService(endpointInterface = "bespokeapi.BespokeApiSoap", targetNamespace = "http://vehicle.example/bespoke/", serviceName = "BespokeApi", portName = "BespokeApiSoap12")
    @BindingType(SOAPBinding.SOAP12HTTP_BINDING)
    public static class Bespoke12 extends Bespoke {
        @Override String version() { return SOAPConstants.SOAP_1_2_PROTOCOL; }
    }

    static <T> T known(Class<T> type, String version, String... values) {
        String call = String.join("\t", values) + "\t";
        for (String line : lines) {
            if (!line.startsWith(call)) continue;
            String[] rest = line.substring(call.length()).split("\t", -1);
            if (rest[0].equals("fault")) throw fault(version, rest[1], rest[2]);
            if (rest[1].isEmpty()) return null;
            String namespace = type.getPackage().getAnnotation(javax.xml.bind.annotation.XmlSchema.class).namespace();
            return JAXB.unmarshal(new StringReader(rest[1].replaceFirst("<record", "<record xmlns=\"" + namespace + "\"")), type);
        }
        throw new IllegalArgumentException("Not what was sent: " + call);
    }

    private static SOAPFaultException fault(String version, String reason, String detail) {
        try {
            boolean old = version.equals(SOAPConstants.SOAP_1_1_PROTOCOL);
            QName code = old
                ? new QName(SOAPConstants.URI_NS_SOAP_1_1_ENVELOPE, "Client")
                : new QName(SOAPConstants.URI_NS_SOAP_1_2_ENVELOPE, "Sender");
            SOAPFault fault = SOAPFactory.newInstance(version).createFault(reason, code);
            javax.xml.parsers.DocumentBuilderFactory factory = javax.xml.parsers.DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            org.w3c.dom.Document document = factory.newDocumentBuilder().parse(new org.xml.sax.InputSource(new StringReader(detail)));
            fault.addDetail().appendChild(fault.getOwnerDocument().importNode(document.getDocumentElement(), true));
            return new SOAPFaultException(fault);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }
}
