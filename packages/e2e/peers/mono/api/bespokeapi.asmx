<%@ WebService Class="BespokeApi" %>
