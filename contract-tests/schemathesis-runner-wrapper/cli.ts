#!/usr/bin/env node
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { filterOf } from './filters.ts'
import { canonical, ConfigError, exitCode, keys, runSchemathesis, startCommand, summary, type Result } from './index.ts'
import type { BeforeRequest, KeySource, Phase, Profile, RunOptions } from './options.ts'
import { HELP } from './usage.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      contract: { type: 'string' },
      url: { type: 'string' },
      start: { type: 'string' },
      profile: { type: 'string', multiple: true, default: ['canonical'] },
      hooks: { type: 'string' },
      key: { type: 'string', multiple: true, default: [] },
      include: { type: 'string', multiple: true, default: [] },
      exclude: { type: 'string', multiple: true, default: [] },
      phase: { type: 'string', multiple: true },
      seed: { type: 'string' },
      'max-examples': { type: 'string' },
      'time-limit': { type: 'string' },
      'request-timeout': { type: 'string' },
      'report-dir': { type: 'string' },
      'cache-dir': { type: 'string' },
      python: { type: 'string' },
      'without-python': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return said(HELP, 0)
  const { contract, url, start } = values
  if (contract === undefined || (url === undefined) === (start === undefined))
    return said('--contract, and either --url or --start, are needed. See --help', 2)
  const { profiles = [], keys: sources, beforeRequest } = await hooksOf(values.hooks)
  const known = new Map([canonical(), keys(), ...profiles].map((profile) => [profile.name, profile]))
  const unknown = values.profile.find((name) => !known.has(name))
  if (unknown !== undefined) return said(`There is no profile ${unknown}, only ${[...known.keys()].join(', ')}`, 2)
  const options: Omit<RunOptions, 'profile'> = {
    contract,
    log: console.error,
    signal: interrupted(),
    server: url === undefined ? { start: startCommand(start ?? '', process.env) } : { baseUrl: url },
    keys: { ...sources, ...Object.fromEntries(values.key.map(halves)) },
    include: filterOf(values.include),
    exclude: filterOf(values.exclude),
    // An unknown one is refused by the run, in one line.
    ...(values.phase && { phases: values.phase as Phase[] }),
    ...(beforeRequest && { beforeRequest }),
    ...number('seed', values.seed),
    ...number('maxExamples', values['max-examples']),
    ...number('timeoutMs', values['time-limit'], 1000),
    ...number('requestTimeoutMs', values['request-timeout'], 1000),
    ...text('reportDir', values['report-dir']),
    ...text('cacheDir', values['cache-dir']),
    ...text('python', values.python),
  }
  const { unavailable } = number('unavailable', values['without-python'])
  const results: Result[] = []
  for (const profile of values.profile.flatMap((name) => known.get(name) ?? [])) {
    const result = await runSchemathesis({ ...options, profile })
    console.log(summary(result))
    results.push(result)
  }
  return exitCode(results, unavailable)
}

function said(line: string, code: number): number {
  ;(code === 0 ? console.log : console.error)(line)
  return code
}

/** Aborted by Ctrl-C, or by a cancelled CI job: no child process may stay behind. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

/** The hooks that a module exports, all or some of them, as its default or by name. */
interface Hooks {
  readonly profiles?: readonly Profile[]
  readonly keys?: Readonly<Record<string, string | KeySource>>
  readonly beforeRequest?: BeforeRequest
}

async function hooksOf(module: string | undefined): Promise<Hooks> {
  if (module === undefined) return {}
  const { default: all, ...named } = (await import(pathToFileURL(resolve(module)).href)) as Hooks & {
    readonly default?: Hooks
  }
  return { ...named, ...all }
}

const halves = (pair: string): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]

const text = <Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string }

function number<Name extends string>(
  name: Name,
  value: string | undefined,
  factor = 1,
): { readonly [key in Name]?: number } {
  if (value !== undefined && !/^\d{1,9}$/.test(value))
    throw new ConfigError(`${name} must be a whole number, not ${value}`)
  return (value === undefined ? {} : { [name]: Number(value) * factor }) as { readonly [key in Name]?: number }
}

try {
  process.exitCode = await main()
} catch (error) {
  // Wrong options: parseArgs and our own checks report them in one line.
  process.exitCode = said(error instanceof Error ? error.message : String(error), 2)
}
