// What every part of the contract tests agrees on: what it is given, and what it reports.

/** The server under test. Parts speak to it through `url` only; what else is known about it may be absent. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string
  /** Where the server itself listens, behind a recorder at `url`: for bytes that no recorder passes on. */
  readonly directUrl?: string
  readonly publicKey: string
  readonly secretKey: string
  /** It has the sandbox's providers and test numbers (docs, page "Test numbers"); false: only lookups tell. */
  readonly sandbox: boolean
  /** The bundled contract that the server claims to implement: path of an `openapi.json`. */
  readonly contract: string
  /** Where the target's callbacks, handshakes and RSA keys can be seen; absent when nobody told it about us. */
  readonly receiver?: ReceiverSettings
  /** A second merchant of the same server; absent when nobody told about one. */
  readonly other?: OtherMerchant
  /** Only of a gateway that the suite started itself. */
  readonly own?: OwnGateway
}

/** Nothing of one merchant may ever reach the other. */
export interface OtherMerchant {
  readonly publicKey: string
  readonly secretKey: string
  /**
   * What its callbacks are signed with. They and its handshakes come to the same port, below `/other`; absent when nobody
   * told, or when there is no receiver.
   */
  readonly receiver?: Omit<ReceiverSettings, 'port'>
}

export interface ReceiverSettings {
  /** The port of this machine that the target's callback and verification URLs lead to. */
  readonly port: number
  readonly signingKey: string
  readonly webhookSecret: string
}

/** What can be done with a gateway that belongs to the suite, and with no other. */
export interface OwnGateway {
  /** Moves its clock, and does all work that is due then. */
  advance(ms: number): Promise<void>
  /** What its clock shows. */
  now(): Date
  /**
   * Stops it and starts another one on the same database and port.
   * @param env environment variables instead of those that it had; an empty one is the default of its setting
   */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
  /** As an operator does. @param rate how many units of `to` one of `from` buys, as a decimal text */
  setRate(from: string, to: string, rate: string): Promise<void>
  /** Faults of its books and work, in words; empty when everything balances. */
  audit(): Promise<readonly string[]>
}

/** `pull-request`: all parts together within 3 minutes on 2 cores; `nightly`: at least 100,000 cases. */
export type Size = 'pull-request' | 'nightly'

export interface RunOptions {
  readonly seed: number
  readonly size: Size
  readonly log: (line: string) => void
  /** Ids of the operations that may be asked for their own sake; absent: all. Only parts that are `byOperation` get it. */
  readonly operations?: readonly string[]
}

/**
 * What has to be there. Not the server's function of this name: the suite knows a server by its contract, and the inside of
 * ours not even for three lines. @param what in words: `operation sendFunds`. @throws Error when it is not
 */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Error(`there is no ${what}`)
  return value
}

/** Something the server does and the contract does not say, or the other way round. */
export interface Finding {
  /** `operationId`, webhook or rule that is broken. */
  readonly about: string
  /** What was expected and what came, without secrets. */
  readonly what: string
  /** A line for a shell that shows it again, without keys; absent when no single request shows it. */
  readonly curl?: string
  /** The rule that was broken, a test case of its own in junit.xml; absent: `about`. */
  readonly rule?: string
  /** The same for the same wrong thing, wherever it shows; absent: `about` and the words, but for what differs. */
  readonly cause?: string
  /** More places that show the same wrong thing. */
  readonly also?: readonly string[]
  /** Of a finding that depends on time: asks again. The runner does, once, and no report has this. */
  readonly seenAgain?: () => Promise<boolean>
}

export interface PartResult {
  readonly part: string
  readonly status: 'passed' | 'findings' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  /** Requests, commands or messages that were tried. */
  readonly cases: number
  /** Rules that were held against them. */
  readonly checks: number
  readonly seed?: number
  readonly findings: readonly Finding[]
  /** Findings that depend on time and did not come again: told, and held against nobody. */
  readonly seenOnce?: readonly Finding[]
  /** Names of the rules that were held, those that no finding has included. */
  readonly rules?: readonly string[]
  readonly durationMs: number
}

/** What a part has done, and why it left something out. */
type PartOutcome = Pick<PartResult, 'cases' | 'checks' | 'findings' | 'seenOnce' | 'rules'> & {
  readonly reason?: string | undefined
}

/** The results of a part that begins now. */
export function beginPart(part: string, seed?: number) {
  const startedAt = performance.now()
  const result = (status: PartResult['status'], { reason, ...figures }: PartOutcome): PartResult => ({
    part,
    status,
    ...(reason !== undefined && { reason }),
    ...figures,
    ...(seed !== undefined && { seed }),
    durationMs: Math.round(performance.now() - startedAt),
  })
  return {
    done: (done: PartOutcome): PartResult => result(done.findings.length > 0 ? 'findings' : 'passed', done),
    skipped: (reason: string, done: PartOutcome = { cases: 0, checks: 0, findings: [] }): PartResult =>
      result('skipped', { ...done, reason }),
  }
}

export interface Part {
  readonly name: string
  /** Whether it can be limited to some operations (`RunOptions.operations`). */
  readonly byOperation?: true
  /** In a few words, for the printed table. */
  readonly what: string
  run(target: Target, options: RunOptions): Promise<PartResult>
}
