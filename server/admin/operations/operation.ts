import type { Clock } from '../../actions/ports/clock.ts'
import type { SettleDeps } from '../../actions/settle-results.ts'
import type { MerchantShare } from '../../domain/amount-limits.ts'
import type { ApprovalOperation } from '../../domain/approvals.ts'
import type { Money } from '../../domain/money.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { Random } from '../../domain/references.ts'
import type { DatabaseMode } from '../../storage/database-mode.ts'
import type { Pool, Queryable } from '../../storage/pool.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import type { StaffChange } from '../queries/audit-log.ts'
import type { Person } from '../queries/person.ts'
import type { OperatorAccess } from './operator-access.ts'

/** What an operation needs, wherever it is called: on the command line, in the admin API, in the console. */
export interface OperationContext {
  readonly actor: Actor
  readonly pool: Pool
  readonly clock: Clock
  readonly random: Random
  readonly mode: DatabaseMode
  /** Seals and opens with the master key of the server. */
  readonly secretBox: () => Promise<SecretBox>
  /** The boxes of the master key and of the one before it, which only the command line is given. */
  readonly resealing?: () => Promise<{ readonly box: SecretBox; readonly former: SecretBox | undefined }>
  /** Reaches operators as the server does. */
  readonly rails: OperatorAccess
  /** What settles payments as the server does. */
  readonly settling: () => Promise<Omit<SettleDeps, 'store'>>
  /** Of each provider's daily limit, for one merchant. */
  readonly dailyLimitShare: MerchantShare
  /**
   * Makes the one-time link by which a person sets up how to sign in; undefined where the sign-in is off.
   * @param client of the transaction that gives the person access
   */
  readonly signInLink: (client: Queryable, person: Person, purpose: 'invite' | 'reset') => Promise<string | undefined>
  readonly requestId?: string | undefined
}

/** What an operation did, as JSON: it is stored for whoever sends the same request again. */
export type OperationResult = {
  readonly [name: string]: string | number | boolean | undefined | readonly OperationResult[]
}

/** A change by a person, ready to be applied in one commit with its audit entry. */
export interface PreparedChange<Result> extends StaffChange<Result> {
  /** What is changed, in one word: a public key, an internal reference, a provider's code. */
  readonly subject: string
  /** The merchant that it concerns. */
  readonly merchantId?: bigint | undefined
  /** What decides whether a four-eyes rule covers it. */
  readonly amount?: Money
  /** The reference of somebody else, such as a bank's. */
  readonly reference?: string | undefined
  /** What a failure of `apply` means for people, asked for after the rollback; undefined: it stays what it is. */
  readonly refusalOf?: (error: unknown) => Promise<OperationRefusal | undefined> | OperationRefusal | undefined
}

/**
 * An operation that changes something. Its input is plain JSON, because a request that waits for a second person is
 * stored with it and executed from it.
 */
export interface Operation<Input, Result extends OperationResult> {
  /** A row of `domain/people/roles.ts`, in the words of the command line. */
  readonly name: string
  /** What four-eyes rules call it; absent: none covers it. */
  readonly approval?: ApprovalOperation
  /** Whether its result has secrets, which are shown once and never stored. */
  readonly showsSecrets?: boolean
  /** The field of its input that may hold secrets: a request that waits stores it sealed, and shows it to nobody. */
  readonly secretInput?: string
  /** Reads what the input names, before anything is changed. @throws OperationRefusal */
  readonly prepare: (context: OperationContext, input: Input) => Promise<PreparedChange<Result>>
}

/** Why nothing was done. */
type RefusalKind = 'invalid' | 'not_found' | 'conflict' | 'forbidden'

/** An operation was refused, and nothing was changed. Its message is for people. */
export class OperationRefusal extends Error {
  override readonly name = 'OperationRefusal'
  readonly kind: RefusalKind
  /** What to do about it on the command line, with commands such as `malipo merchant list`. */
  readonly hint: string | undefined

  constructor(kind: RefusalKind, message: string, hint?: string) {
    super(message)
    this.kind = kind
    this.hint = hint
  }
}
