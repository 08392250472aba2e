<?php
// A plugin that changes the interface of the site: another route, another limit, and a route less.
add_action('rest_api_init', function () {
    register_rest_route('peer/v1', '/added', ['methods' => 'GET', 'callback' => '__return_true', 'permission_callback' => '__return_true']);
});
add_filter('rest_post_collection_params', function (array $params) {
    $params['per_page']['maximum'] = 50;
    return $params;
});
add_filter('rest_endpoints', function (array $endpoints) {
    unset($endpoints['/wp/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)']);
    return $endpoints;
}, 20);
