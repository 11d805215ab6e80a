import type { Contract } from '../../openapi/reading/contract.ts'
import type { Fault, Judge } from './observed-exchange.ts'
import type { Account } from './secrets/known-secrets.ts'

/**
 * A rule over everything that was recorded, by any part, for any operation, in both directions. It sees recorded
 * exchanges only, so that it judges a running server, a gateway of our own, and a recording of any of them alike.
 */
export interface Rule {
  /** What `--list-rules`, junit.xml and a warning call it. */
  readonly name: string
  /** Why it holds: one sentence about what the contract says. */
  readonly reason: string
  /** A planted fault that it finds (server/verification/planted-faults). */
  readonly plantedFault: string
  /** Called once for each server, before its first exchange. */
  readonly judging: (server: RecordedServer) => Judging | NotJudged
}

/** What is known about the server whose traffic is recorded. */
export interface RecordedServer {
  readonly contract: Contract
  /** The first is the merchant under test, the rest are other merchants. */
  readonly accounts: readonly (Account | undefined)[]
  /** It has the sandbox's test numbers, and no operator with reasons of its own. */
  readonly sandbox: boolean
  /** All traffic of the run is of this server; gateways of our own start over, and draw their ids from one seed. */
  readonly isOneServer: boolean
  /** Nobody else uses the merchants' wallets while traffic is recorded. */
  readonly isOnlyUser: boolean
}

/** What a rule does with the traffic of one server. */
export interface Judging {
  /** Called with each exchange, in order of their replies. */
  readonly each?: Judge
  /**
   * Called when from now on everything is recorded that moves the merchants' money, and when no longer; at first it is
   * all recorded. What adds up over time is judged so far, and begins anew.
   */
  readonly whole?: (isWhole: boolean) => readonly Fault[]
  /** Called once, when all is recorded: what only the whole traffic shows. */
  readonly end?: () => readonly Fault[] | NotJudged
}

/** The rule cannot judge this server: a warning says so. */
export interface NotJudged {
  /** What is missing, in words that follow "not judged: ". */
  readonly notJudged: string
}

export const isNotJudged = (value: object): value is NotJudged => 'notJudged' in value

/** A rule that does not concern this server at all: there is nothing to say about it. */
export const NOTHING_JUDGED: Judging = {}
