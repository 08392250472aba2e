<?php
// Pretty permalinks for php -S: what is not a file is WordPress's, in the document root or a folder of it.
$folder = getenv('PEER_FOLDER');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== "$folder/" && is_file($_SERVER['DOCUMENT_ROOT'] . $path)) return false;
$_SERVER['PHP_SELF'] = $_SERVER['SCRIPT_NAME'] = "$folder/index.php";
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . "$folder/index.php";
require $_SERVER['SCRIPT_FILENAME'];
