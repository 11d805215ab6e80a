import { keyVariable } from './settings.ts'

export const HELP = `schemathesis-runner --contract openapi.yaml (--url http://host | --start "command") [options]

Tests a server against an OpenAPI contract and ends with 0 (passed), 1 (findings) or 2 (no verdict).

  --contract file|url   the contract, JSON or YAML, OpenAPI 3.0 to 3.2
  --url address         a server that is running
  --start command       or a shell command that starts one, with PORT and a throw-away key per security scheme
  --key scheme=value    a key; better as ${keyVariable('<scheme>')} in the environment
  --include what        only these operations: an operationId, or tag=, path=, method=, name=, operation-id=, or one of
                        them with a regular expression (path-regex=^/v1); may be repeated
  --exclude what        not these
  --hooks module        a module of your own that exports keys, beforeRequest or profiles (TypeScript from Node 22.18)
  --profile name        canonical (default), keys, or one of the module's; may be repeated
  --phase name          only this phase: examples, coverage, fuzzing or stateful; may be repeated
  --seed n              default 1; the same seed sends the same requests
  --max-examples n      fuzzed cases per operation, default 20
  --time-limit seconds  for the whole run of one profile, default 600; past it there is no verdict
  --request-timeout s   for one request, default 10
  --report-dir folder   keep JUnit, SARIF, HAR, NDJSON and JSON there, without keys
  --cache-dir folder    where Schemathesis is installed
  --python program      the Python to use; default: the newest of 3.10 to 3.14
  --without-python n    what to end with where there is no Python or no network to install with, default 2`
