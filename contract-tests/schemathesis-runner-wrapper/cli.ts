#!/usr/bin/env node
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { readContract, schemesOf } from './contract.ts'
import {
  canonical,
  ConfigError,
  exitCode,
  keys,
  keyVariable,
  runSchemathesis,
  startCommand,
  summary,
  type Keys,
  type Profile,
  type Result,
} from './index.ts'

const HELP = `schemathesis-runner --contract openapi.json (--url http://host | --start "command") [options]

Tests a server against an OpenAPI contract and ends with 0 (passed), 1 (findings) or 2 (no verdict).

  --contract file       the contract, JSON
  --url address         a server that is running
  --start command       or a shell command that starts one: it gets PORT and a throw-away key per security scheme
  --profile name        canonical (default), keys, or one of --profiles; may be repeated
  --profiles module     a module of your own whose default export is a list of profiles, for example a fuzz profile
  --key scheme=value    a key; better as ${keyVariable('<scheme>')} in the environment
  --seed n              default 1; the same seed sends the same requests
  --max-examples n      fuzzed cases per operation, default 20
  --timeout seconds     for the whole run of one profile, default 600
  --request-timeout s   for one request, default 10
  --report-dir folder   keep redacted reports and JUnit there
  --cache-dir folder    where Schemathesis is installed

Without Python or network it says so and ends with 0; REQUIRE_SCHEMATHESIS=1 makes that 2.`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      contract: { type: 'string' },
      url: { type: 'string' },
      start: { type: 'string' },
      profile: { type: 'string', multiple: true, default: ['canonical'] },
      profiles: { type: 'string' },
      key: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      'max-examples': { type: 'string' },
      timeout: { type: 'string' },
      'request-timeout': { type: 'string' },
      'report-dir': { type: 'string' },
      'cache-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return said(HELP, 0)
  const { contract, url, start } = values
  if (contract === undefined || (url === undefined) === (start === undefined))
    return said('--contract, and either --url or --start, are needed. See --help', 2)
  const known = new Map(
    [canonical(), keys(), ...(await profilesOf(values.profiles))].map((profile) => [profile.name, profile]),
  )
  const chosen = values.profile.map((name) => known.get(name) ?? name)

  const results: Result[] = []
  for (const profile of chosen) {
    if (typeof profile === 'string')
      return said(`There is no profile ${profile}, only ${[...known.keys()].join(', ')}`, 2)
    const result = await runSchemathesis({
      contract,
      profile,
      log: console.error,
      server: url === undefined ? { start: startCommand(start ?? '', process.env) } : { baseUrl: url },
      keys: await keysFor(contract, values.key),
      ...number('seed', values.seed),
      ...number('maxExamples', values['max-examples']),
      ...number('timeoutMs', values.timeout, 1000),
      ...number('requestTimeoutMs', values['request-timeout'], 1000),
      ...text('reportDir', values['report-dir']),
      ...text('cacheDir', values['cache-dir']),
    })
    console.log(summary(result))
    results.push(result)
  }
  return exitCode(results, process.env.REQUIRE_SCHEMATHESIS === '1')
}

function said(line: string, code: number): number {
  ;(code === 0 ? console.log : console.error)(line)
  return code
}

/** Keys of the command line, then those of the environment; what neither names is thrown away after the run. */
async function keysFor(contract: string, pairs: readonly string[]): Promise<Keys> {
  const named = Object.fromEntries(
    pairs.map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const schemes = await readContract(contract).then(schemesOf, () => [])
  const inEnvironment = schemes.flatMap(({ name }): [string, string][] => {
    const key = process.env[keyVariable(name)]
    return key === undefined ? [] : [[name, key]]
  })
  return { ...Object.fromEntries(inEnvironment), ...named }
}

async function profilesOf(module: string | undefined): Promise<readonly Profile[]> {
  if (module === undefined) return []
  const { default: profiles } = (await import(pathToFileURL(resolve(module)).href)) as {
    readonly default: readonly Profile[]
  }
  return profiles
}

const text = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: value }

function number(name: string, value: string | undefined, factor = 1): Readonly<Record<string, number>> {
  if (value === undefined) return {}
  if (!/^\d{1,9}$/.test(value)) throw new ConfigError(`${name} must be a whole number, not ${value}`)
  return { [name]: Number(value) * factor }
}

try {
  process.exitCode = await main()
} catch (error) {
  // Wrong options: parseArgs and our own checks say in one line what is wrong.
  process.exitCode = said(error instanceof Error ? error.message : String(error), 2)
}
