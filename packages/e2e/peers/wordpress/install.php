<?php
// Sets the site up without a browser. Prints {"password": …}, the application password of the user admin.
define('WP_INSTALLING', true);
$_SERVER += ['HTTP_HOST' => 'localhost', 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
function wp_new_blog_notification() {}
$connection = new mysqli('localhost', 'root', '', '', 0, getenv('PEER_DB_SOCKET'));
$connection->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4');
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
$site = wp_install('Peer', 'admin', 'admin@example.com', true, '', 'admin-pass');
wp_create_user('author', 'author-pass', 'author@example.com');
[$password] = WP_Application_Passwords::create_new_application_password($site['user_id'], ['name' => 'peer']);
[$weak] = WP_Application_Passwords::create_new_application_password(get_user_by('login', 'author')->ID, ['name' => 'peer']);
echo json_encode(['admin' => $password, 'subscriber' => $weak]);
