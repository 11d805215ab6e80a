import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GROUPS, type Fault, type Group } from './fault.ts'
import type { Outcome } from './run.ts'

// An outcome of a stopped drill stays valid while its inputs are unchanged: the contract, the seed, the fault with all
// the code that plants it, and the source of the part. The gateway's own source is not among them, because every drill
// first runs each part against an unmodified gateway.

const SUITE = new URL('../../', import.meta.url)
/** Sources common to all faults: planting and proxies. */
const PLANTING = [
  'strength/faults/edit.ts',
  'strength/faults/fault.ts',
  'strength/faults/rows.ts',
  'strength/faults/traffic-history.ts',
  'strength/faults/sign.ts',
  'strength/faults/byte-proxy.ts',
  'strength/faults/run.ts',
  'strength/faults/trouble.ts',
  'strength/faults/world.ts',
  'harness/json.ts',
  'harness/listen.ts',
  'harness/proxy.ts',
  'harness/own-gateway.ts',
  '../openapi/reading/wire.ts',
]
const RUNNER = ['', 'hooks.py', 'requirements.lock'].map((name) => `schemathesis-runner-wrapper/${name}`)
/** Sources of each part: files and folders of the suite; by default the folder with its name. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  schemathesis: [
    'parts/schemathesis',
    'strength/faults/schemathesis.ts',
    'strength/faults/small-contract.ts',
    'harness/business-refusals.ts',
    ...RUNNER,
  ],
  declared: ['parts/declared', '../openapi/reading/changed.ts'],
  receiver: ['parts/receiver'],
  apart: ['parts/apart', 'parts/receiver'],
  outgoing: [
    'parts/outgoing',
    'parts/receiver',
    ...['redirect-address.ts', 'rsa-keys.ts'].map((name) => `harness/watch/${name}`),
  ],
  options: ['parts/options', 'parts/apart', 'parts/receiver'],
  inputs: ['parts/inputs', 'parts/limits', 'harness/bodies.ts'],
  limits: ['parts/limits', 'parts/receiver', 'harness/bodies.ts'],
  model: ['parts/model', 'parts/receiver'],
  workflows: ['parts/workflows', 'parts/receiver'],
  wire: ['parts/wire'],
  'mock parity': ['parts/mock'],
}

export interface Settings {
  readonly contract: string
  readonly seed: number
}

/** @param through for watch outcomes: the part whose exchanges were watched */
export type Fingerprint = (part: string, fault: Fault, through?: string) => string

/** A digest of all inputs of an outcome. Files are read now, while they are those that this process runs. */
export function createFingerprint({ contract, seed }: Settings): Fingerprint {
  const common = digest(readFileSync(contract, 'utf8'), String(seed), ...PLANTING.map(textOf))
  const folders = readdirSync(new URL('parts/', SUITE)).map((folder) => [folder, [`parts/${folder}`]] as const)
  const sources = { ...Object.fromEntries(folders), ...SOURCES }
  const ofParts = new Map(Object.entries(sources).map(([part, names]) => [part, digest(...names.map(textOf))]))
  const ofGroups = new Map(GROUPS.map((group) => [group, sourceOf(group)]))
  const watch = digest(textOf('harness/watch'))
  return (part, { group, name, at, plant }, through) => {
    const source = ofGroups.get(group) ?? ''
    const shared = withoutTables(source)
    const requested = [ofParts.get(through ?? part) ?? '', through === undefined ? '' : watch]
    return digest(common, ...requested, shared, rowOf(source, name), name, String(at), plant.toString())
  }
}

/** Outcomes of an earlier drill that are still valid; runs without a verdict are repeated. */
export function readKeptOutcomes(path: URL, faults: readonly Fault[], fingerprint: Fingerprint): readonly Outcome[] {
  const byName = new Map(faults.map((fault) => [fault.name, fault]))
  const outcomes = outcomesIn(path)
  // A finding about an unmodified gateway invalidates all outcomes of that part.
  const isJudge = (name: string): boolean =>
    !outcomes.some(({ fault, part, verdict }) => part === name && !byName.has(fault) && verdict === 'killed')
  return outcomes.filter(({ fault, part, through, verdict, made }) => {
    const known = byName.get(fault)
    return (
      known !== undefined &&
      verdict !== 'no verdict' &&
      made !== undefined &&
      made === fingerprint(part, known, through) &&
      isJudge(part)
    )
  })
}

function outcomesIn(path: URL): readonly Outcome[] {
  try {
    const { outcomes } = JSON.parse(readFileSync(path, 'utf8')) as { readonly outcomes: readonly Outcome[] }
    return outcomes
  } catch (error) {
    // No earlier outcomes yet.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/**
 * The source lines of one fault in its table: `plant` shows only what rows of a kind share. Empty for a fault outside
 * of the tables.
 */
const rowOf = (source: string, name: string): string =>
  new RegExp(`^( *)'${name}': .*\\n(?:\\1[ )\\]}].*\\n)*`, 'm').exec(source)?.[0] ?? ''

/** The files of a group: `incoming.ts`, `incoming-order.ts`. */
function sourceOf(group: Group): string {
  const files = readdirSync(new URL('strength/faults/', SUITE)).toSorted()
  const own = files.filter((file) => file === `${group}.ts` || file.startsWith(`${group}-`))
  return own.map((file) => textOf(`strength/faults/${file}`)).join('\n')
}

/** The code that the faults of a file share; the faults themselves are digested one by one. */
const withoutTables = (text: string): string =>
  text.replaceAll(/^export const \w+ = (?:f|ruleF)aultsOf\([\s\S]*?^\}\)/gm, '')

function textOf(name: string): string {
  const url = new URL(name, SUITE)
  if (!statSync(url).isDirectory()) return readFileSync(url, 'utf8')
  const files = readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted()
  return files.map((file) => `${file}\n${readFileSync(`${fileURLToPath(url)}/${file}`, 'utf8')}`).join('\n')
}

function digest(...texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length} ${text}`)
  return hash.digest('hex').slice(0, 16)
}
