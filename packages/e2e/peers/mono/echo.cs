// Sends a record and receives it again through a proxy: echo.exe ASSEMBLY FILE. Prints the record sent, the record received, and
// the detail of the fault of another call.
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Web.Services.Protocols;
using System.Xml;
using System.Xml.Serialization;

static class Echo
{
    static XmlSerializer serializer;

    static void Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        var types = Assembly.LoadFrom(args[0]).GetTypes().Where(one => one.Namespace == "parcelsSoap").ToArray();
        var type = types.Single(one => typeof(WebClientProtocol).IsAssignableFrom(one));
        var proxy = Activator.CreateInstance(type);
        serializer = new XmlSerializer(types.Single(one => one.Name == "Parcel"), new XmlRootAttribute("Parcel") { Namespace = "urn:parcels" });
        var parcel = serializer.Deserialize(File.OpenRead(args[1]));
        Console.WriteLine(Xml(parcel));
        Console.WriteLine(Xml(type.GetMethod("Echo").Invoke(proxy, new[] { parcel })));
        try { type.GetMethod("Refuse").Invoke(proxy, new[] { "x<&>" }); }
        catch (TargetInvocationException error) { Console.WriteLine(((SoapException)error.InnerException).Detail.InnerXml); }
        Console.Out.Flush();
        Exit(0);
    }

    // A regular exit of Mono aborts the threads of its pool, and crashes now and then.
    [DllImport("libc", EntryPoint = "_exit")] static extern void Exit(int code);

    static string Xml(object parcel)
    {
        var text = new StringWriter();
        using (var writer = XmlWriter.Create(text, new XmlWriterSettings { OmitXmlDeclaration = true })) serializer.Serialize(writer, parcel);
        return text.ToString();
    }
}
