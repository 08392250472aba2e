<%@ WebService Class="Reg" %>
