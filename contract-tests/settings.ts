import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readContract, type Contract } from '../openapi/reading/contract.ts'
import { DEMO_KEYS } from '../server/verification/testing/demo-keys.ts'
import type { OtherMerchant, RunOptions } from './harness/part.ts'
import type { RecordedRun } from './recorded/run.ts'
import type { Account } from './rules/secrets/known-secrets.ts'
import { RULES_ROW } from './rules/judge-traffic.ts'
import { PART_NAMES } from './suite.ts'
import type { TargetInput } from './harness/targets.ts'
import { UsageError } from './usage-error.ts'

/** Options as the command line passes them. */
export interface SuiteSettings {
  readonly url?: string
  readonly publicKey?: string
  readonly secretKey?: string
  readonly sandbox?: boolean
  readonly testAccount?: boolean
  readonly receiverPort?: string
  readonly signingKey?: string
  readonly webhookSecret?: string
  readonly otherPublicKey?: string
  readonly otherSecretKey?: string
  readonly otherSigningKey?: string
  readonly otherWebhookSecret?: string
  readonly contract?: string
  readonly header?: readonly string[]
  readonly security?: readonly string[]
  readonly values?: string
  readonly paths?: string
  readonly only?: string
  readonly onlyOperation?: readonly string[]
  readonly since?: string
  readonly seed?: string
  readonly nightly?: boolean
  readonly coverageMin?: string
  readonly reportDir?: string
  readonly failOn?: string
  readonly recorded?: readonly string[]
  readonly onlyUser?: boolean
}

/** Options of any run, whatever the contract. */
export type RunSettings = Pick<
  Settings,
  'only' | 'operations' | 'seed' | 'size' | 'coverageMin' | 'reportDir' | 'failOn'
>

/** What makes a run fail: too little coverage counts as a finding. */
const FAIL_ON = ['findings', 'warnings', 'nothing'] as const
type FailOn = (typeof FAIL_ON)[number]

export interface Settings {
  readonly target?: TargetInput
  readonly contract: string
  readonly only?: readonly string[]
  /** operationIds; absent: all. */
  readonly operations?: readonly string[]
  readonly seed: number
  readonly size: RunOptions['size']
  /** Absent: the coverage is reported, and no minimum applies. */
  readonly coverageMin?: number
  readonly reportDir: string
  readonly failOn: FailOn
}

/** Our own contract, as bundled by `npm run generate`. */
export const CONTRACT = fileURLToPath(new URL('../generated/openapi.json', import.meta.url))
const REPORTS = 'dist/contract-tests'
const SEED_MAX = 2 ** 31 - 1

/** @throws UsageError with one line that says what is wrong */
export function readSettings(given: SuiteSettings, env: Environment): Settings {
  const run = runSettings(given)
  const thirdParty = OF_THIRD_PARTIES.find((name) => given[name] !== undefined)
  if (thirdParty)
    throw new UsageError(`--${thirdParty} is for a contract that is not Malipo's: give it with --contract`)
  const contract = given.contract ?? CONTRACT
  readable(contract)
  if (run.operations) knownOperations(readContract(contract), run.operations)
  const target = given.url === undefined ? noTarget(given) : targetOf(given, given.url, contract, env)
  const coverageMin = run.coverageMin ?? (target || run.only || run.operations ? undefined : declaredCoverageMin())
  return { ...run, contract, ...(target && { target }), ...(coverageMin !== undefined && { coverageMin }) }
}

/** Settings for any contract. @throws UsageError */
export function runSettings(given: SuiteSettings): RunSettings {
  const only = given.only?.split(',').map((name) => name.trim())
  const unknown = only?.find((name) => ![...PART_NAMES, RULES_ROW].includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no part ${unknown}, only ${PART_NAMES.join(', ')}`)
  const coverageMin = number('--coverage-min', given.coverageMin, 100)
  const failOn = FAIL_ON.find((each) => each === (given.failOn ?? 'findings'))
  if (!failOn) throw new UsageError(`--fail-on must be one of ${FAIL_ON.join(', ')}, not ${given.failOn}`)
  if (given.since !== undefined && given.onlyOperation)
    throw new UsageError('--since chooses the operations: unset --only-operation')
  return {
    failOn,
    seed: number('--seed', given.seed, SEED_MAX) ?? 1,
    size: given.nightly ? 'nightly' : 'pull-request',
    reportDir: given.reportDir ?? REPORTS,
    ...(only && { only }),
    ...(given.onlyOperation && { operations: given.onlyOperation }),
    ...(coverageMin !== undefined && { coverageMin }),
  }
}

/** @throws UsageError for an operation that the contract does not have */
export function knownOperations({ operations }: Contract, wanted: readonly string[]): void {
  const ids = operations.filter(({ kind }) => kind === 'operation').map(({ id }) => id)
  const unknown = wanted.find((id) => !ids.includes(id))
  if (unknown !== undefined)
    throw new UsageError(`--only-operation: the contract has no ${unknown}, only ${ids.join(', ')}`)
}

const OF_THIRD_PARTIES = ['header', 'security', 'values', 'paths'] as const satisfies readonly (keyof SuiteSettings)[]

/** Options about an account at Malipo. */
export const OF_AN_ACCOUNT = [
  'publicKey',
  'secretKey',
  'receiverPort',
  'signingKey',
  'webhookSecret',
  'otherPublicKey',
  'otherSecretKey',
  'otherSigningKey',
  'otherWebhookSecret',
  'sandbox',
] as const satisfies readonly (keyof SuiteSettings)[]
const OF_A_SERVER = [...OF_AN_ACCOUNT, 'testAccount', 'onlyUser'] as const

function noTarget(given: SuiteSettings): undefined {
  const alone = OF_A_SERVER.find((name) => given[name] !== undefined)
  if (alone) throw new UsageError(`${optionOf(alone)} says something about a server: give its address with --url`)
}

/** `publicKey` is `--public-key`. */
export const optionOf = (name: keyof SuiteSettings): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

type Environment = Readonly<Record<string, string | undefined>>
type Keys = Partial<Record<(typeof KEY_NAMES)[number], string | undefined>>

/** The keys of an account, from its options, else from the environment. @param account a second one is `other` */
function keysOf(given: SuiteSettings, env: Environment, account: '' | 'other'): Keys {
  const value = (name: (typeof KEY_NAMES)[number]): string | undefined => {
    const option = account === '' ? name : (`other${name[0]?.toUpperCase()}${name.slice(1)}` as keyof SuiteSettings)
    const text = given[option] ?? env[optionOf(option).slice(2).replaceAll('-', '_').toUpperCase()]
    return typeof text === 'string' ? text : undefined
  }
  return Object.fromEntries(KEY_NAMES.map((name) => [name, value(name)]))
}
const KEY_NAMES = ['publicKey', 'secretKey', 'signingKey', 'webhookSecret'] as const

/** Merchants whose traffic was recorded. An absent secret of a CI job is an empty text. */
const recordedAccounts = (given: SuiteSettings, env: Environment): readonly Account[] =>
  (['', 'other'] as const).map((account) =>
    Object.fromEntries(Object.entries(keysOf(given, env, account)).filter(([, value]) => value !== '')),
  )

/** Options of a recording only say what is known about it. @throws UsageError for one that would send requests */
export function recordedSettings(given: SuiteSettings, env: Environment): Omit<RecordedRun, 'log'> {
  const sends = SENDING.find((name) => given[name] !== undefined)
  if (sends) throw new UsageError(`${optionOf(sends)} is for tests that send requests: --recorded sends none`)
  const contract = given.contract ?? CONTRACT
  readable(contract)
  return {
    files: given.recorded ?? [],
    contract,
    ...(given.url !== undefined && { url: addressOf(given.url) }),
    accounts: recordedAccounts(given, env),
    sandbox: given.sandbox ?? false,
    isOnlyUser: given.onlyUser ?? false,
  }
}

const SENDING = [
  'testAccount',
  'receiverPort',
  'header',
  'security',
  'values',
  'paths',
  'only',
  'onlyOperation',
  'since',
  'seed',
  'nightly',
] as const satisfies readonly (keyof SuiteSettings)[]

function targetOf(given: SuiteSettings, url: string, contract: string, env: Environment): TargetInput {
  const address = addressOf(url)
  const {
    publicKey = DEMO_KEYS['public-key'],
    secretKey = DEMO_KEYS['secret-key'],
    ...signing
  } = keysOf(given, env, '')
  const { signingKey = '', webhookSecret = '' } = signing
  if (publicKey === '' || secretKey === '')
    throw new UsageError(
      'A key is empty: give --public-key and --secret-key, or PUBLIC_KEY and SECRET_KEY in the environment',
    )
  const demo = publicKey === DEMO_KEYS['public-key']
  // These tests send payouts. The demo keys exist in a sandbox only; for any other account the user has to confirm it.
  if (!demo && !isThisMachine(url) && !given.testAccount)
    throw new UsageError(
      'These tests request collections and payouts. Add --test-account to confirm that this account moves no real money',
    )
  const port = number('--receiver-port', given.receiverPort, 65_535)
  // An absent secret of a CI job is an empty text.
  if (port !== undefined && (!signingKey || !webhookSecret))
    throw new UsageError(
      '--receiver-port needs --signing-key and --webhook-secret: what the server signs its callbacks with',
    )
  const other = otherOf(given, env, { publicKey, hasReceiver: port !== undefined })
  const sandbox = given.sandbox ?? demo
  return {
    url: address,
    publicKey,
    secretKey,
    contract,
    sandbox,
    isOnlyUser: given.onlyUser ?? (sandbox && isThisMachine(url)),
    ...(other && { other }),
    ...(port !== undefined && { receiver: { port, signingKey, webhookSecret } }),
  }
}

/**
 * The second merchant; an empty environment variable counts as absent. @throws UsageError when one of the keys is
 * missing
 */
function otherOf(
  given: SuiteSettings,
  env: Environment,
  { publicKey: first, hasReceiver }: { readonly publicKey: string; readonly hasReceiver: boolean },
): OtherMerchant | undefined {
  const { publicKey = '', secretKey = '', signingKey = '', webhookSecret = '' } = keysOf(given, env, 'other')
  if ((publicKey === '') !== (secretKey === ''))
    throw new UsageError('--other-public-key and --other-secret-key belong together')
  if ((signingKey === '') !== (webhookSecret === ''))
    throw new UsageError('--other-signing-key and --other-webhook-secret belong together')
  if (publicKey === '' && signingKey === '') return undefined
  if (publicKey === '') throw new UsageError('--other-signing-key needs --other-public-key and --other-secret-key')
  if (publicKey === first) throw new UsageError('--other-public-key is that of the first merchant')
  return { publicKey, secretKey, ...(hasReceiver && signingKey !== '' && { receiver: { signingKey, webhookSecret } }) }
}

/** Without a trailing slash. @throws UsageError */
export function addressOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url must be an address like http://127.0.0.1:8080, not ${url}`)
  return url.replace(/\/+$/, '')
}

export const isThisMachine = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

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

/** The project's own minimum: `"config": { "contractCoverageMin": 99.5 }` in package.json. */
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
