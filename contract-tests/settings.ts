import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEMO_KEYS } from '../server/testing/gateway.ts'
import type { RunOptions } from './harness/part.ts'
import { PART_NAMES } from './suite.ts'
import type { GivenTarget } from './harness/targets.ts'

/** The command line used wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Options as the command line gives them. */
export interface Given {
  readonly url?: string
  readonly publicKey?: string
  readonly secretKey?: string
  readonly sandbox?: boolean
  readonly testAccount?: boolean
  readonly receiverPort?: string
  readonly signingKey?: string
  readonly webhookSecret?: string
  readonly contract?: string
  readonly only?: string
  readonly seed?: string
  readonly nightly?: boolean
  readonly coverageMin?: string
  readonly reportDir?: string
}

export interface Settings {
  readonly target?: GivenTarget
  readonly contract: string
  readonly only?: readonly string[]
  readonly seed: number
  readonly size: RunOptions['size']
  /** Absent: what was not seen is only told. */
  readonly coverageMin?: number
  readonly reportDir: string
}

const CONTRACT = fileURLToPath(new URL('../generated/openapi.json', import.meta.url))
const REPORTS = 'dist/contract-tests'
const SEED_MAX = 2 ** 31 - 1

/** @throws UsageError that says in one line what is wrong */
export function readSettings(given: Given, env: Readonly<Record<string, string | undefined>>): Settings {
  const only = given.only?.split(',').map((name) => name.trim())
  const unknown = only?.find((name) => !PART_NAMES.includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no part ${unknown}, only ${PART_NAMES.join(', ')}`)
  const contract = given.contract ?? CONTRACT
  readable(contract)
  const target = given.url === undefined ? noTarget(given) : targetOf(given, given.url, contract, env)
  const seed = number('--seed', given.seed, SEED_MAX) ?? 1
  const coverageMin =
    number('--coverage-min', given.coverageMin, 100) ?? (target || only ? undefined : declaredCoverageMin())
  return {
    contract,
    seed,
    size: given.nightly ? 'nightly' : 'pull-request',
    reportDir: given.reportDir ?? REPORTS,
    ...(target && { target }),
    ...(only && { only }),
    ...(coverageMin !== undefined && { coverageMin }),
  }
}

const OF_A_SERVER = [
  'publicKey',
  'secretKey',
  'receiverPort',
  'signingKey',
  'webhookSecret',
  'sandbox',
  'testAccount',
] as const satisfies readonly (keyof Given)[]

function noTarget(given: Given): undefined {
  const alone = OF_A_SERVER.find((name) => given[name] !== undefined)
  const option = alone?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (option) throw new UsageError(`--${option} says something about a server: give its address with --url`)
}

function targetOf(
  given: Given,
  url: string,
  contract: string,
  env: Readonly<Record<string, string | undefined>>,
): GivenTarget {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url must be an address like http://127.0.0.1:8080, not ${url}`)
  const publicKey = given.publicKey ?? env.PUBLIC_KEY ?? DEMO_KEYS['public-key']
  const secretKey = given.secretKey ?? env.SECRET_KEY ?? DEMO_KEYS['secret-key']
  if (publicKey === '' || secretKey === '')
    throw new UsageError(
      'A key is empty: give --public-key and --secret-key, or PUBLIC_KEY and SECRET_KEY in the environment',
    )
  const demo = publicKey === DEMO_KEYS['public-key']
  // These tests send payouts. The demo keys exist in a sandbox only; about any other account somebody has to know.
  if (!demo && !isThisMachine(url) && !given.testAccount)
    throw new UsageError(
      'These tests ask for collections and payouts. Add --test-account to say that this account moves no real money',
    )
  const port = number('--receiver-port', given.receiverPort, 65_535)
  const signingKey = given.signingKey ?? env.SIGNING_KEY
  const webhookSecret = given.webhookSecret ?? env.WEBHOOK_SECRET
  // An absent secret of a CI job is an empty text.
  if (port !== undefined && (!signingKey || !webhookSecret))
    throw new UsageError(
      '--receiver-port needs --signing-key and --webhook-secret: what the server signs its callbacks with',
    )
  return {
    url: url.replace(/\/+$/, ''),
    publicKey,
    secretKey,
    contract,
    sandbox: given.sandbox ?? demo,
    ...(port !== undefined && { receiver: { port, signingKey: signingKey ?? '', webhookSecret: webhookSecret ?? '' } }),
  }
}

const isThisMachine = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

function readable(contract: string): void {
  try {
    const { openapi } = JSON.parse(readFileSync(contract, 'utf8')) as { readonly openapi?: unknown }
    if (openapi === undefined) throw new Error('it has no field openapi')
  } catch (error) {
    throw new UsageError(
      `--contract must be a bundled OpenAPI document in JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The project's own: `"config": { "contractCoverageMin": 100 }` in package.json. */
function declaredCoverageMin(): number {
  const { config } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly config?: { readonly contractCoverageMin?: number }
  }
  return config?.contractCoverageMin ?? 100
}

function number(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,10}(\.\d)?$/.test(text) || Number(text) > max)
    throw new UsageError(`${name} must be a number up to ${max}, not ${text}`)
  return Number(text)
}
