// The interface of every part of the contract tests: its inputs and its result.

/** The server under test. Parts talk to it through `url` only; everything else may be absent. */
export interface Target {
  /** Without a trailing slash. */
  readonly url: string
  /** Address of the server itself, behind the recorder at `url`: for bytes that no recorder passes on. */
  readonly directUrl?: string
  readonly publicKey: string
  readonly secretKey: string
  /**
   * It has the sandbox's providers and test numbers (docs, page "Test numbers"); false: only lookups are predictable.
   */
  readonly sandbox: boolean
  /** Nobody else uses the wallets of its merchants while it is tested; gateways of our own need not say so. */
  readonly isOnlyUser?: boolean
  /** Path of the bundled `openapi.json` that the server claims to implement. */
  readonly contract: string
  /** Where the target's callbacks, handshakes and RSA keys arrive; absent without a receiver. */
  readonly receiver?: ReceiverSettings
  /** A second merchant of the same server; absent when none is configured. */
  readonly other?: OtherMerchant
  /** Only for a gateway that the suite started itself. */
  readonly own?: OwnGateway
}

/** Another merchant: none of its data may reach the first one, or the other way round. */
export interface OtherMerchant {
  readonly publicKey: string
  readonly secretKey: string
  /**
   * Signing secrets of its callbacks, which arrive at the same port below `/other`; absent when they are not
   * configured or there is no receiver.
   */
  readonly receiver?: Omit<ReceiverSettings, 'port'>
}

export interface ReceiverSettings {
  /** The port of this machine that the target's callback and verification URLs point at. */
  readonly port: number
  readonly signingKey: string
  readonly webhookSecret: string
}

/** Controls of a gateway that the suite started; no other server has them. */
export interface OwnGateway {
  /** Moves its clock and runs all jobs that are due then. */
  advance(ms: number): Promise<void>
  /** Its current time. */
  now(): Date
  /**
   * Stops it and starts another one on the same database and port.
   * @param env environment variables instead of the previous ones; an empty one is the default of its setting
   */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
  /** Sets an exchange rate, as staff do. @param rate units of `to` that one of `from` buys, as a decimal text */
  setRate(from: string, to: string, rate: string): Promise<void>
  /** Whether the merchant has a URL for callbacks about refunds. */
  refundUrl(isOn: boolean): Promise<void>
  /** Whether one handshake confirms all payouts of a batch. */
  batchHandshake(isOn: boolean): Promise<void>
  /** From now on, a collection is refunded by a payout only where the merchant allows it: its operator has no refund. */
  refundsByPayout(merchantReference: string, isAllowed: boolean): Promise<void>
  /** A person decides that no failed refund was paid, whatever its operator says. */
  failedRefundsNeverPaid(): Promise<void>
  /** Errors in its ledger and jobs, as sentences; empty when everything balances. */
  audit(): Promise<readonly string[]>
}

/** `pull-request`: all parts together within 3 minutes on 2 cores; `nightly`: at least 100,000 cases. */
export type Size = 'pull-request' | 'nightly'

export interface RunOptions {
  readonly seed: number
  readonly size: Size
  readonly log: (line: string) => void
  /** operationIds to test; absent: all. Only parts with `byOperation` get it. */
  readonly operations?: readonly string[]
  /** Ends the run early: programs that the part has started end then. */
  readonly signal?: AbortSignal
}

/**
 * The value, which must exist. Not the server's function of this name: the suite knows a server by its contract only,
 * and shares no code with ours. @param what in words: `operation sendFunds`. @throws Error when it is undefined
 */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Error(`there is no ${what}`)
  return value
}

/** A difference between the server and the contract. */
export interface Finding {
  /** `operationId`, webhook or rule that is broken. */
  readonly about: string
  /** What was expected and what was received, without secrets. */
  readonly what: string
  /** A shell line that reproduces it, without keys; absent when no single request does. */
  readonly curl?: string
  /** The broken rule, one test case in junit.xml; absent: `about`. */
  readonly rule?: string
  /** Equal for the same defect, wherever it shows; absent: `about` and the message without its variable parts. */
  readonly cause?: string
  /** Further places that show the same defect. */
  readonly also?: readonly string[]
  /** How often it was seen, at separate times; absent: once. */
  readonly times?: number
  /** For a finding that depends on time: repeats the check. The runner calls it once; no report contains it. */
  readonly recurs?: () => Promise<boolean>
}

export interface PartResult {
  readonly part: string
  readonly status: 'passed' | 'findings' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  /** Requests, commands or messages that were tried. */
  readonly cases: number
  /** Rules that were checked against them. */
  readonly checks: number
  readonly seed?: number
  readonly findings: readonly Finding[]
  /** Time-dependent findings that were seen once and did not recur: reported, but not counted as failures. */
  readonly notReproduced?: readonly Finding[]
  /** Names of the rules that were checked, broken ones included. */
  readonly rules?: readonly string[]
  readonly durationMs: number
}

/** Counts what a part has done, and records why it skipped something. */
export type PartOutcome = Pick<PartResult, 'cases' | 'checks' | 'findings' | 'notReproduced' | 'rules'> & {
  readonly reason?: string | undefined
}

export const NOT_BEGUN = 'the run was interrupted before this part began'

/** The empty result of a part that starts now. */
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
  /** It sends requests past the recorders: what they move is not known. */
  readonly isUnrecorded?: true
  /** It waits more than it works, so on a gateway of its own it runs beside the other parts. */
  readonly runsBeside?: true
  /** A short label for the printed table. */
  readonly what: string
  run(target: Target, options: RunOptions): Promise<PartResult>
}
