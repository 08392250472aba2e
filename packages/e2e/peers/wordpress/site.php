<?php
// Plugin of the site: permalinks and the interface's prefix as the environment says, and a post type with a taxonomy, as
// sites have.
add_filter('pre_option_permalink_structure', fn () => (string) getenv('PEER_PERMALINKS'));
add_filter('rest_url_prefix', fn () => getenv('PEER_REST_PREFIX'));
// The servers share a database, and their rules differ.
add_filter('pre_option_rewrite_rules', fn () => '');
// Themes that are installed on this machine would be in the answers.
add_filter('theme_root', fn () => WP_CONTENT_DIR . '/no-themes');
add_action('init', function () {
    register_taxonomy('project_category', 'project', ['show_in_rest' => true, 'hierarchical' => true]);
    register_post_type('project', [
        'public' => true,
        'show_in_rest' => true,
        'supports' => ['title', 'editor', 'excerpt', 'author', 'thumbnail'],
        'taxonomies' => ['project_category'],
    ]);
});
