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

/** We enforce these timeouts ourselves: the driver's errors do not say that one of its own timeouts was the cause. */
export interface ClientBounds {
  /** Maximum time to connect. Absent: the operating system's timeout. */
  readonly connectMsMax?: number
  /**
   * Maximum time that a statement waits for its answer; then the connection is closed. A statement may set its own.
   * Absent: no timeout.
   */
  readonly answerMsMax?: number
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
type QueryFunction = (...given: unknown[]) => unknown
type QueryCallback = (error: Error | null | undefined, answer?: unknown) => void

/** Connect timeout for each of several hosts: an unresponsive one must leave time for the others. */
const HOST_MS_MAX = 1_000

/** Parameters that PostgreSQL reports at login, since version 14. */
const IN_RECOVERY = 'in_hot_standby'
const READ_ONLY = 'default_transaction_read_only'

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/** The driver's names for the messages by which the server requests a password. */
const PASSWORD_QUESTIONS = ['authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationSASL']

/**
 * A `pg` client that reports which of its errors mean that the database is away: it turns them into ConnectionFailed,
 * based on what happened to the connection. PostgreSQL's own errors stay pg.DatabaseError. Everything else (a value
 * that cannot be sent, a row that cannot be read) is a bug of ours and stays as it is.
 */
export class DatabaseClient extends pg.Client {
  /** The host it connects to, if there are several. */
  readonly at: DatabaseHost | undefined
  readonly #bounds: ClientBounds
  readonly #hosts: DatabaseHosts | undefined
  /** A pooler reports the parameters of the server to which it connected first. */
  readonly #isPooled: boolean
  readonly #reported = new Map<string, string>()
  #isPasswordRequested = false
  /** The connection broke, or we closed it: statements in flight get no answer. */
  #isOver = false
  #isGathering = false
  #awaited = 0

  /** Number of statements without an answer yet. */
  get awaited(): number {
    return this.#awaited
  }

  /** Bytes received from PostgreSQL so far. */
  get bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead
  }

  /**
   * @param config as for `pg`, with our bounds instead of its `query_timeout` and `connectionTimeoutMillis`. Of
   *   several hosts it connects to the next one; `openClient` tries them all.
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
        this.#isPasswordRequested = true
      })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this))),
      )
    const limit = this.#giveUpAfter(this.#bounds.connectMsMax)
    const end = (error: Error | undefined): void => {
      clearTimeout(limit)
      if (this.at && this.#hosts) this.#hosts[error ? 'failed' : 'found'](this.at)
      const reported = callback as (error: Error | null, client?: pg.Client) => void
      if (error) reported(error)
      else reported(null, this)
    }
    super.connect((error: Error | null) => {
      if (error) end(this.#whileConnecting(error))
      else this.#refuseReadOnly(end)
    })
  }

  /** Disconnects from a server that takes no writes: we neither move nor read money there. */
  #refuseReadOnly(end: (error: Error | undefined) => void): void {
    const refuse = (error: Error): void => {
      this.end(() => undefined)
      end(error)
    }
    const reason = this.#readOnlyReason()
    if (reason === 'untold') this.#queryReadOnly(refuse, end)
    else if (reason) refuse(new ReadOnlyDatabase(reason))
    else end(undefined)
  }

  #queryReadOnly(refuse: (error: Error) => void, end: (error: undefined) => void): void {
    // The caller adds its error listener only once it has the connection. Until then the statement's rejection reports
    // a failure, and an unhandled `error` event would end the process.
    const unheard = (): void => undefined
    this.on('error', unheard)
    this.query('show transaction_read_only').then(
      ({ rows: [row] }: pg.QueryResult<{ transaction_read_only: string }>) => {
        if (row?.transaction_read_only === 'on') return refuse(new ReadOnlyDatabase('read_only'))
        this.off('error', unheard)
        end(undefined)
      },
      (error: Error) => refuse(this.#whileConnecting(error)),
    )
  }

  /** A pooler in between, or another engine, may not report it; the caller then queries it. */
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

  /** The driver emits `error` only when the connection breaks; statements in flight are rejected as well. */
  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event !== 'error') return super.emit(event, ...given)
    this.#isOver = true
    return super.emit(event, this.#explained(given[0]))
  }

  #bounded(query: QueryFunction): QueryFunction {
    return (...given) => {
      this.#sendTogether()
      const reported = given.at(-1)
      return typeof reported === 'function'
        ? this.#queryWithCallback(query, given.slice(0, -1), reported as QueryCallback)
        : this.#query(query, given)
    }
  }

  /**
   * Corks the socket, so that all statements of one event loop turn go out in one write: PostgreSQL wakes up once for
   * all of them, with one system call. One write per statement took a sixth of a worker's time.
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

  async #query(query: QueryFunction, given: readonly unknown[]): Promise<unknown> {
    const limit = this.#limitOf(given[0])
    this.#awaited += 1
    try {
      return await query(...given)
    } catch (error) {
      throw this.#explained(error)
    } finally {
      this.#awaited -= 1
      clearTimeout(limit)
    }
  }

  /** The callback form, which the pool uses. */
  #queryWithCallback(query: QueryFunction, given: readonly unknown[], reported: QueryCallback): void {
    const limit = this.#limitOf(given[0])
    this.#awaited += 1
    const end = (): void => {
      this.#awaited -= 1
      clearTimeout(limit)
    }
    try {
      query(...given, (error: Error | null | undefined, answer: unknown) => {
        end()
        reported(error && this.#explained(error), answer)
      })
    } catch (error) {
      end()
      throw error
    }
  }

  #limitOf(statement: unknown): NodeJS.Timeout | undefined {
    return this.#giveUpAfter(answerMsMaxOf(statement) ?? this.#bounds.answerMsMax)
  }

  /** Closes the connection with an error of ours, which the driver passes to every pending statement. */
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
    if (this.#isPasswordRequested && !this.password) return 'no_password'
    // Without an error code of the operating system, the other side closed the connection during the login.
    return codeOf(error) === '' ? 'lost' : 'unreachable'
  }

  #explained<Value>(error: Value): Value | ConnectionFailed {
    return !this.#isOver || isClear(error) ? error : new ConnectionFailed('lost', error)
  }
}

const isClear = (error: unknown): boolean => error instanceof pg.DatabaseError || error instanceof ConnectionFailed

const answerMsMaxOf = (statement: unknown): number | undefined =>
  typeof statement === 'object' && statement !== null && 'answerMsMax' in statement
    ? Number(statement.answerMsMax)
    : undefined
