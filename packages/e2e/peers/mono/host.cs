// An ASP.NET application on a port of the loopback address: host.exe FOLDER PORT.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Threading;
using System.Web;
using System.Web.Hosting;

public class Host : MarshalByRefObject
{
    public static void Main(string[] args)
    {
        ((Host)ApplicationHost.CreateApplicationHost(typeof(Host), "/", args[0])).Serve(args[1]);
    }

    public override object InitializeLifetimeService() { return null; }

    public void Serve(string port)
    {
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        for (;;)
        {
            var context = listener.GetContext();
            ThreadPool.QueueUserWorkItem(delegate { HttpRuntime.ProcessRequest(new Request(context)); });
        }
    }
}

// One request, between the listener and ASP.NET.
class Request : SimpleWorkerRequest
{
    readonly HttpListenerRequest request;
    readonly HttpListenerResponse response;
    readonly byte[] body;
    readonly string path, file;

    public Request(HttpListenerContext context) : base("", "", TextWriter.Null)
    {
        request = context.Request;
        response = context.Response;
        var copy = new MemoryStream();
        request.InputStream.CopyTo(copy);
        body = copy.ToArray();
        path = Uri.UnescapeDataString(request.Url.AbsolutePath);
        var end = path.IndexOf(".asmx/");
        file = end < 0 ? path : path.Substring(0, end + ".asmx".Length);
    }

    public override string GetUriPath() { return path; }
    public override string GetFilePath() { return file; }
    public override string GetFilePathTranslated() { return GetAppPathTranslated() + file.TrimStart('/'); }
    public override string GetPathInfo() { return path.Substring(file.Length); }
    public override string GetQueryString() { return request.Url.Query.TrimStart('?'); }
    public override string GetRawUrl() { return request.RawUrl; }
    public override string GetHttpVerbName() { return request.HttpMethod; }
    public override string GetHttpVersion() { return "HTTP/1.1"; }
    public override string GetServerName() { return request.Url.Host; }
    public override string GetLocalAddress() { return "127.0.0.1"; }
    public override int GetLocalPort() { return request.LocalEndPoint.Port; }
    public override byte[] GetPreloadedEntityBody() { return body; }
    public override bool IsEntireEntityBodyIsPreloaded() { return true; }
    public override string GetKnownRequestHeader(int index) { return request.Headers[GetKnownRequestHeaderName(index)]; }
    public override string GetUnknownRequestHeader(string name) { return request.Headers[name]; }

    public override string[][] GetUnknownRequestHeaders()
    {
        var headers = new List<string[]>();
        foreach (string name in request.Headers)
            if (GetKnownRequestHeaderIndex(name) < 0) headers.Add(new[] { name, request.Headers[name] });
        return headers.ToArray();
    }

    public override void SendStatus(int code, string text) { response.StatusCode = code; }
    public override void SendKnownResponseHeader(int index, string value) { SendUnknownResponseHeader(GetKnownResponseHeaderName(index), value); }

    public override void SendUnknownResponseHeader(string name, string value)
    {
        // The listener frames its answers itself.
        if (name == "Content-Length") response.ContentLength64 = long.Parse(value);
        else if (name != "Transfer-Encoding" && name != "Connection" && name != "Server") response.AppendHeader(name, value);
    }

    public override void SendResponseFromMemory(byte[] data, int length) { response.OutputStream.Write(data, 0, length); }
    public override void FlushResponse(bool final) { response.OutputStream.Flush(); }
    public override void EndOfRequest() { response.Close(); }
}
