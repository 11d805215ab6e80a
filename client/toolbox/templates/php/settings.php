<?php
// What the shop needs to know. It comes from the environment, or from .env.development beside it: keys belong in no file
// that is committed, except those of the sandbox.

$file = __DIR__ . '/../.env.development';
$development = is_file($file) ? parse_ini_file($file, false, INI_SCANNER_RAW) : [];

function setting(string $name): string
{
    global $development;
    $value = getenv($name);
    $value = $value === false ? ($development[$name] ?? '') : $value;
    if ($value === '') {
        throw new RuntimeException("$name is not set; .env.development shows all that are needed");
    }
    return $value;
}

// Where customers come back to.
function shop_url(): string
{
    if (is_development() && !getenv('SHOP_URL')) {
        return 'http://127.0.0.1:' . (getenv('PORT') ?: '3000');
    }
    return rtrim(setting('SHOP_URL'), '/');
}

// Opens /dev/effects, for `malipo-dev check`. Never in earnest: it lets anybody make orders.
function is_development(): bool
{
    global $development;
    return (getenv('SHOP_DEVELOPMENT') ?: ($development['SHOP_DEVELOPMENT'] ?? '')) === '1';
}
