import type { Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseConnection, DatabaseHost, DatabaseHosts } from './database-hosts.ts'
import {
  ConnectionFailed,
  type ConnectionFault,
  codeOf,
  ReadOnlyDatabase,
  type ReadOnlyReason,
} from './driver-errors.ts'

/** The bounds are ours and not the driver's, whose errors do not say that it was one of them. */
export interface ClientBounds {
  /** How long a connection may take to come about. Absent: as long as the system waits. */
  readonly connectMsMax?: number
  /**
   * How long a statement waits for its answer; then the connection is given up. A statement may have its own. Absent:
   * for ever.
   */
  readonly answerMsMax?: number
}

type Told = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
type Ask = (...given: unknown[]) => unknown
type AnswerTold = (error: Error | null | undefined, answer?: unknown) => void

/** Of several hosts each has so long to let us in: one that hangs must leave time for the others. */
export const HOST_MS_MAX = 1_000

/** What PostgreSQL reports of itself at the login, since version 14. */
const IN_RECOVERY = 'in_hot_standby'
const READ_ONLY = 'default_transaction_read_only'

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/** What the server sends to ask for a password, as the driver names it. */
const PASSWORD_QUESTIONS = ['authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationSASL']

/**
 * A client of `pg` that says which of its errors mean that the database is away: those are ConnectionFailed, known by
 * what happened to the connection. PostgreSQL's own answers stay pg.DatabaseError; all else (a value that cannot be
 * sent, a row that cannot be read) is a fault of ours and stays what it is.
 */
export class DatabaseClient extends pg.Client {
  /** Of several hosts the one that it goes to. */
  readonly at: DatabaseHost | undefined
  readonly #bounds: ClientBounds
  readonly #hosts: DatabaseHosts | undefined
  /** A pooler reports what the server was like to which it connected first. */
  readonly #isPooled: boolean
  readonly #reported = new Map<string, string>()
  #isPasswordAsked = false
  /** The connection broke, or we ended it: nothing that is asked on it now has an answer. */
  #isOver = false
  #isGathering = false
  #awaited = 0

  /** Statements that have no answer yet. */
  get awaited(): number {
    return this.#awaited
  }

  /** What PostgreSQL has said so far, in bytes. */
  get bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead
  }

  /**
   * @param config as `pg` has it, with our bounds instead of its `query_timeout` and `connectionTimeoutMillis`. Of
   *   several hosts it goes to the one that is next; `openClient` tries them all.
   */
  constructor(config: DatabaseConnection & ClientBounds = {}) {
    const at = config.hosts?.next()
    super(at ? { ...config, connectionString: at.connectionString } : config)
    this.at = at
    this.#hosts = config.hosts
    this.#isPooled = (config.pooling ?? 'none') !== 'none'
    this.#bounds = at ? { ...config, connectMsMax: Math.min(config.connectMsMax ?? HOST_MS_MAX, HOST_MS_MAX) } : config
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      this.#reported.set(parameterName, parameterValue)
    })
    for (const question of PASSWORD_QUESTIONS)
      this.connection.once(question, () => {
        this.#isPasswordAsked = true
      })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Told): void
  override connect(callback?: Told): Promise<pg.Client> | void {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this))),
      )
    const limit = this.#giveUpAfter(this.#bounds.connectMsMax)
    const end = (error: Error | undefined): void => {
      clearTimeout(limit)
      if (this.at && this.#hosts) this.#hosts[error ? 'failed' : 'found'](this.at)
      const told = callback as (error: Error | null, client?: pg.Client) => void
      if (error) told(error)
      else told(null, this)
    }
    super.connect((error: Error | null) => {
      if (error) end(this.#whileConnecting(error))
      else this.#refuseReadOnly(end)
    })
  }

  /** Leaves a server that takes no writes: money is neither moved nor read there. */
  #refuseReadOnly(end: (error: Error | undefined) => void): void {
    const leave = (error: Error): void => {
      this.end(() => undefined)
      end(error)
    }
    const reason = this.#readOnlyReason()
    if (reason === 'untold') this.#askReadOnly(leave, end)
    else if (reason) leave(new ReadOnlyDatabase(reason))
    else end(undefined)
  }

  #askReadOnly(leave: (error: Error) => void, end: (error: undefined) => void): void {
    // Whoever wants the connection listens once it has it. Until then the question tells of its end, and an event that
    // nobody hears would end the process.
    const unheard = (): void => undefined
    this.on('error', unheard)
    this.query('show transaction_read_only').then(
      ({ rows: [row] }: pg.QueryResult<{ transaction_read_only: string }>) => {
        if (row?.transaction_read_only === 'on') return leave(new ReadOnlyDatabase('read_only'))
        this.off('error', unheard)
        end(undefined)
      },
      (error: Error) => leave(this.#whileConnecting(error)),
    )
  }

  /** A pooler in between, or another engine, may not report it: then it is asked for. */
  #readOnlyReason(): ReadOnlyReason | 'untold' | undefined {
    if (this.#isPooled) return 'untold'
    const inRecovery = this.#reported.get(IN_RECOVERY)
    const readOnly = this.#reported.get(READ_ONLY)
    if (inRecovery === 'on') return 'in_recovery'
    if (readOnly === 'on') return 'read_only'
    return inRecovery === undefined || readOnly === undefined ? 'untold' : undefined
  }

  override readonly query = this.#bounded(super.query.bind(this)) as pg.Client['query']

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#isOver = true
    return callback ? super.end(callback) : super.end()
  }

  /** The driver says so, and only so, that the connection broke; whoever has a statement under way hears it too. */
  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event !== 'error') return super.emit(event, ...given)
    this.#isOver = true
    return super.emit(event, this.#explained(given[0]))
  }

  #bounded(ask: Ask): Ask {
    return (...given) => {
      this.#sendTogether()
      const told = given.at(-1)
      return typeof told === 'function'
        ? this.#askAndTell(ask, given.slice(0, -1), told as AnswerTold)
        : this.#ask(ask, given)
    }
  }

  /**
   * What is asked in one turn of the event loop goes out in one piece: PostgreSQL is woken once for all of it, and the
   * system is called once. A piece for each statement was a sixth of a worker's time.
   */
  #sendTogether(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  async #ask(ask: Ask, given: readonly unknown[]): Promise<unknown> {
    const limit = this.#limitOf(given[0])
    this.#awaited += 1
    try {
      return await ask(...given)
    } catch (error) {
      throw this.#explained(error)
    } finally {
      this.#awaited -= 1
      clearTimeout(limit)
    }
  }

  /** The way of the pool. */
  #askAndTell(ask: Ask, given: readonly unknown[], told: AnswerTold): void {
    const limit = this.#limitOf(given[0])
    this.#awaited += 1
    const end = (): void => {
      this.#awaited -= 1
      clearTimeout(limit)
    }
    try {
      ask(...given, (error: Error | null | undefined, answer: unknown) => {
        end()
        told(error && this.#explained(error), answer)
      })
    } catch (error) {
      end()
      throw error
    }
  }

  #limitOf(statement: unknown): NodeJS.Timeout | undefined {
    return this.#giveUpAfter(answerMsMaxOf(statement) ?? this.#bounds.answerMsMax)
  }

  /** Ends the connection with an error of ours, which the driver hands to everybody who waits for it. */
  #giveUpAfter(msMax: number | undefined): NodeJS.Timeout | undefined {
    if (msMax === undefined) return undefined
    return setTimeout(() => {
      const silence = new ConnectionFailed('silent', new Error(`PostgreSQL did not answer within ${msMax} ms`))
      this.connection.stream.destroy(silence)
    }, msMax).unref()
  }

  #whileConnecting(error: Error): Error {
    if (isClear(error)) return error
    return new ConnectionFailed(this.#faultWhileConnecting(error), error)
  }

  #faultWhileConnecting(error: Error): ConnectionFault {
    if (this.#isPasswordAsked && !this.password) return 'no_password'
    // Without a name of the system the other side has ended it in the middle.
    return codeOf(error) === '' ? 'lost' : 'unreachable'
  }

  #explained<Given>(error: Given): Given | ConnectionFailed {
    return !this.#isOver || isClear(error) ? error : new ConnectionFailed('lost', error)
  }
}

const isClear = (error: unknown): boolean => error instanceof pg.DatabaseError || error instanceof ConnectionFailed

const answerMsMaxOf = (statement: unknown): number | undefined =>
  typeof statement === 'object' && statement !== null && 'answerMsMax' in statement
    ? Number(statement.answerMsMax)
    : undefined
