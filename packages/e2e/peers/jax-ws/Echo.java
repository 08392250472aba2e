// Sends a record and receives it again through the interface that wsimport generated: Echo WSDL FILE. Prints the record sent,
// the record received, and the detail of the fault of another call.
import java.io.File;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import javax.xml.bind.JAXBContext;
import javax.xml.bind.JAXBElement;
import javax.xml.bind.Marshaller;
import javax.xml.namespace.QName;
import javax.xml.transform.stream.StreamSource;
import parcels.ObjectFactory;
import parcels.Parcel;
import parcels.Parcels;
import parcels.ParcelsSoap;
import parcels.Refused;
import parcels.RefusedInfo;

public class Echo {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        JAXBContext context = JAXBContext.newInstance(ObjectFactory.class);
        Parcel parcel = context.createUnmarshaller().unmarshal(new StreamSource(new File(args[1])), Parcel.class).getValue();
        ParcelsSoap port = new Parcels(new URL(args[0])).getParcelsSoap();
        out.println(xml(context, "Parcel", Parcel.class, parcel));
        out.println(xml(context, "Parcel", Parcel.class, port.echo(parcel)));
        try {
            port.refuse("x<&>");
        } catch (Refused error) {
            out.println(xml(context, "Refused", RefusedInfo.class, error.getFaultInfo()));
        }
    }

    private static <T> String xml(JAXBContext context, String name, Class<T> type, T value) throws Exception {
        Marshaller marshaller = context.createMarshaller();
        marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
        StringWriter text = new StringWriter();
        marshaller.marshal(new JAXBElement<T>(new QName("urn:parcels", name), type, value), text);
        return text.toString();
    }
}
