import { createHash } from 'node:crypto'
import type {
  DriftRecord,
  ExchangeRecord,
  OperatorDrift,
  OperatorExchange,
} from '../actions/ports/operator-exchanges.ts'
import type { OperatorContract } from './operator-contract.ts'
import { NoAnswer, NotSent } from './operator-errors.ts'

// Plays harmless, documented calls to an operator, and compares each reply with its contract and with the facts that
// the rail relies on.

/** A call whose reply shows whether facts still hold. It moves no money, unless `isSandboxOnly`. */
export interface Probe {
  /** Completes "asked for …". */
  readonly what: string
  /** It makes a payment of the operator's own test numbers: played in its sandbox only, and after a warning. */
  readonly isSandboxOnly?: true
  /** The statuses that are documented for it. */
  readonly statuses: readonly number[]
  readonly facts?: readonly ProbedFact[]
  /** @throws NotSent, NoAnswer */
  ask(): Promise<ProbeReply>
}

export interface ProbeReply {
  readonly status: number
  /** The body, of any shape. */
  readonly said: unknown
}

export interface ProbedFact {
  /** Word by word as in the contract, which has its source and date. */
  readonly fact: string
  /** @returns what the reply shows instead, without any value that may be somebody's; undefined: the fact holds */
  otherwise(reply: ProbeReply): string | undefined
}

/** The calls of one rail kind, in the order in which they are played. */
export interface ProbeList {
  readonly probes: readonly Probe[]
  /** The operator's code in a reply, if it has one. */
  codeIn(said: unknown): string | undefined
}

/** `left_out`: not played. `unknown`: no reply, so that nothing is known. */
type ProbeOutcome = 'held' | 'broke' | 'new' | 'unknown' | 'left_out'

export interface ProbeRow {
  readonly what: string
  readonly outcome: ProbeOutcome
  /** The fact, or the part of the contract, that was compared. */
  readonly expected: string
  /** What came instead; absent where it held. */
  readonly found?: string
  readonly status?: number
}

/** Bounds what one run sends, whatever a list has. */
const CALLS_MAX = 25

/** The part of a `RailWorld` that sends. */
interface Fetching {
  fetchFor(about: { readonly purpose: 'check' }): (request: Request) => Promise<Response>
}

/** Sends one call past tokens and adapters, as the probe wrote it. */
export const askingAt =
  ({ fetchFor }: Fetching, baseUrl: string) =>
  async (
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<ProbeReply> => {
    const json = body && { body: JSON.stringify(body) }
    const request = new Request(`${baseUrl}${path}`, {
      method,
      headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
      ...json,
    })
    const response = await fetchFor({ purpose: 'check' })(request)
    const text = await response.text()
    try {
      return { status: response.status, said: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return { status: response.status, said: text }
    }
  }

/** An id of 32 hexadecimal digits, or a UUID of the fourth version, that no order ever had: new for every moment. */
export const unusedId = (now: Date, salt: string): string =>
  createHash('sha256').update(`probe ${salt} ${now.toISOString()}`).digest('hex').slice(0, 32)
export const unusedUuid = (now: Date, salt: string): string =>
  unusedId(now, salt).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

/** Receives what the connection records while probes are played. */
export interface ProbeWatch {
  readonly record: ExchangeRecord
  readonly drifts: DriftRecord
  readonly exchanges: readonly OperatorExchange[]
  readonly differences: readonly OperatorDrift[]
}

export function createProbeWatch(): ProbeWatch {
  const exchanges: OperatorExchange[] = []
  const differences: OperatorDrift[] = []
  return {
    record: { add: (exchange) => void exchanges.push(exchange) },
    drifts: { add: (drift) => void differences.push(drift) },
    exchanges,
    differences,
  }
}

interface ProbePlay {
  readonly list: ProbeList
  readonly contract: OperatorContract
  /** The prefix of all paths. */
  readonly basePath: string
  readonly watch: ProbeWatch
  /** Whether payments of test numbers may be made. */
  readonly paysTestNumbers: boolean
}

/** Plays all of them, one after the other. Never throws for what an operator does. */
export async function playProbes(play: ProbePlay): Promise<readonly ProbeRow[]> {
  const rows: ProbeRow[] = []
  for (const probe of play.list.probes) rows.push(...(await played(play, probe)))
  return rows
}

async function played(play: ProbePlay, probe: Probe): Promise<readonly ProbeRow[]> {
  const { watch, paysTestNumbers } = play
  const { what } = probe
  const leftOut = (found: string): ProbeRow[] => [{ what, outcome: 'left_out', expected: what, found }]
  if (probe.isSandboxOnly && !paysTestNumbers) return leftOut('it would make a payment')
  if (watch.exchanges.length >= CALLS_MAX) return leftOut(`a run sends ${CALLS_MAX} calls at most`)
  const [calls, differences] = [watch.exchanges.length, watch.differences.length]
  try {
    const reply = await probe.ask()
    const exchange = watch.exchanges.at(-1)
    const differing = watch.differences.slice(differences)
    const rows = [...statusRows(probe, reply), ...factRows(probe, reply), ...codeRows(play, probe, reply)]
    const form = [...differing.map((each) => formRow(what, each)), ...undeclaredRows(play, what, reply, exchange)]
    return [...rows, ...form].map((row) => ({ ...row, status: reply.status }))
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof NotSent)) throw error
    const status = watch.exchanges.slice(calls).at(-1)?.status
    const isBroken = error instanceof NoAnswer && status !== undefined
    return [
      {
        what,
        outcome: isBroken ? 'broke' : 'unknown',
        expected: isBroken ? 'a reply as the contract has it' : 'a reply',
        found: error.message,
        ...(status !== undefined && { status }),
      },
      ...(probe.facts ?? []).map(({ fact }) => ({ what, outcome: 'unknown' as const, expected: fact })),
    ]
  }
}

function statusRows({ what, statuses }: Probe, { status }: ProbeReply): readonly ProbeRow[] {
  const expected = `HTTP ${statuses.join(' or ')}`
  return [
    statuses.includes(status)
      ? { what, outcome: 'held', expected }
      : { what, outcome: 'broke', expected, found: `HTTP ${status}` },
  ]
}

const factRows = ({ what, facts = [] }: Probe, reply: ProbeReply): readonly ProbeRow[] =>
  facts.map(({ fact, otherwise }) => {
    const found = otherwise(reply)
    return found === undefined
      ? { what, outcome: 'held', expected: fact }
      : { what, outcome: 'broke', expected: fact, found }
  })

/** Only what has the form of a code is shown: anything else may hold a number. */
const CODE_SHOWN = /^[A-Za-z0-9_.]{1,60}$/

function codeRows({ list, contract }: ProbePlay, { what }: Probe, { said }: ProbeReply): readonly ProbeRow[] {
  const code = list.codeIn(said)
  if (code === undefined || contract.codes.has(code)) return []
  const found = CODE_SHOWN.test(code) ? `the code ${code}` : 'a text in the place of a code'
  return [{ what, outcome: 'new', expected: 'a code of the list', found }]
}

const isMore = (shape: string): boolean => shape === 'is not documented' || shape === 'is not in the list'

const formRow = (what: string, { source, field, shape }: OperatorDrift): ProbeRow => ({
  what,
  outcome: isMore(shape) ? 'new' : 'broke',
  expected: `${source}: ${field}`,
  found: shape,
})

function undeclaredRows(
  { contract, basePath }: ProbePlay,
  what: string,
  { status, said }: ProbeReply,
  exchange: OperatorExchange | undefined,
): readonly ProbeRow[] {
  const path = exchange?.path.split('?')[0]?.slice(basePath.length) ?? ''
  const operationId = exchange && contract.operationFor(exchange.method, path)
  if (operationId === undefined) return []
  return contract.undeclaredIn(operationId, status, said).map((field) => ({
    what,
    outcome: 'new',
    expected: `${operationId}: the fields of HTTP ${status}`,
    found: `${field} is not documented`,
  }))
}
