<?php
// Finds the classes of the generated client; Guzzle is expected in PHP's include path.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/malipo/lib/' . str_replace('\\', '/', preg_replace('/^OpenAPI\\\\Client\\\\/', '', $class)) . '.php';
    if (is_file($file)) require_once $file;
});
