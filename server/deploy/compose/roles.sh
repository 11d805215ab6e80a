#!/bin/sh
# Runs once, when PostgreSQL makes its folder: the role that servers log in as. `malipo migrate` gives it its rights.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$RUNTIME_PASSWORD" <<'SQL'
create role malipo_runtime login password :'password';
SQL
