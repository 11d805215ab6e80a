import type pg from 'pg'

/** One server that DATABASE_URL names. */
export interface DatabaseHost {
  /** For staff: `db1.internal:5432`. */
  readonly place: string
  /** The connection string for this host alone. */
  readonly connectionString: string
}

/**
 * What a pooler between us and PostgreSQL assigns: one connection for the whole session, or another one for each
 * transaction.
 */
export type PoolingMode = 'none' | 'session' | 'transaction'

/** How to connect to the database: the options of `pg`, and several hosts of which one takes writes. */
export type DatabaseConnection = pg.ClientConfig & {
  readonly hosts?: DatabaseHosts
  /** Absent: unknown. */
  readonly pooling?: PoolingMode
}

/** Why DATABASE_URL cannot be used. The message never contains the URL, which usually carries a password. */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl'
}

const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/
const PORT_OF_POSTGRES = '5432'
const NOT_ENCODED = 'must have ports from 1 to 65535, and special characters in the password percent-encoded'
/** The values that libpq knows; only the first two select a server that takes writes, which a gateway needs. */
const SESSION_ATTRIBUTES = ['read-write', 'primary', 'any', 'read-only', 'standby', 'prefer-standby']
const WRITABLE = SESSION_ATTRIBUTES.slice(0, 2)

/**
 * Parses the hosts of a URL with several, as libpq writes them: `postgres://user:pw@h1:5432,h2:5433/db`, or
 * `?host=h1,h2&port=5432,5433`. A URL with one host stays unchanged for `pg` to parse.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 * @throws BadDatabaseUrl
 */
export function databaseHosts(url: string): readonly DatabaseHost[] {
  const [, scheme = '', login, authority = '', path = '', query = ''] = PARTS.exec(url) ?? []
  const params = new URLSearchParams(query)
  checkAttributes(params)
  const named = authority.split(',').map(divided)
  const hostsGiven = params.get('host')
  // A `port` parameter without ports in the host list applies to all hosts.
  const hosts = hostsGiven ? hostsGiven.split(',').map((host) => ({ host, port: named[0]?.port ?? '' })) : named
  const single = hosts.length === 1 && !params.get('port')?.includes(',')
  if (single) return [{ place: placeOf(hosts[0], params), connectionString: url }]
  // A password with an unencoded slash or question mark looks like a list of hosts.
  if (login === undefined && url.includes('@')) throw new BadDatabaseUrl(NOT_ENCODED)
  const ports = portsOf(hosts, params)
  for (const name of ['host', 'port', 'target_session_attrs']) params.delete(name)
  return hosts.map(({ host }, index) => {
    if (host === '') throw new BadDatabaseUrl('must name every host between its commas')
    const port = ports[index] ?? PORT_OF_POSTGRES
    // Passed as parameters, because a host may also be the folder of a unix socket.
    const own = new URLSearchParams([...params, ['host', host.replace(/^\[(.*)\]$/, '$1')], ['port', port]])
    const connectionString = `${scheme}${login === undefined ? '' : `${login}@`}${path || '/'}?${own.toString()}`
    return { place: `${host}:${port}`, connectionString }
  })
}

interface HostAddress {
  readonly host: string
  readonly port: string
}

/** An IPv6 address such as `[2001:db8::1]:5432` contains colons itself. */
function divided(one: string): HostAddress {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(one) ?? []
  return { host: decoded(host), port }
}

function placeOf({ host, port }: HostAddress = { host: '', port: '' }, params: URLSearchParams): string {
  return `${host || 'localhost'}:${params.get('port') || port || PORT_OF_POSTGRES}`
}

function portsOf(hosts: readonly HostAddress[], params: URLSearchParams): readonly string[] {
  const given = params.get('port')?.split(',') ?? hosts.map(({ port }) => port)
  if (given.length > 1 && given.length !== hosts.length)
    throw new BadDatabaseUrl(`must have one port, or one for each of its ${hosts.length} hosts, not ${given.length}`)
  const ports = (given.length === 1 ? hosts.map(() => given[0] ?? '') : given).map((port) => port || PORT_OF_POSTGRES)
  if (ports.some((port) => !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535))
    throw new BadDatabaseUrl(NOT_ENCODED)
  return ports
}

function checkAttributes(params: URLSearchParams): void {
  const queried = params.get('target_session_attrs')
  if (queried === null || WRITABLE.includes(queried)) return
  const reported = SESSION_ATTRIBUTES.includes(queried) ? `, not ${queried}` : ''
  throw new BadDatabaseUrl(
    `must have target_session_attrs=read-write or none${reported}: Malipo reads and writes one database`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The hosts in the order in which they are tried. All connections of a process share this order. */
export class DatabaseHosts {
  readonly #hosts: readonly DatabaseHost[]
  #order: readonly DatabaseHost[]
  #writable: DatabaseHost | undefined
  readonly #foundListeners = new Set<(host: DatabaseHost) => void>()

  /** @param hosts in the order of DATABASE_URL */
  constructor(hosts: readonly DatabaseHost[]) {
    this.#hosts = hosts
    this.#order = hosts
  }

  get count(): number {
    return this.#hosts.length
  }

  /** The host for the next connection. */
  next(): DatabaseHost {
    const [first] = this.#order
    if (!first) throw new Error('a database without a host')
    return first
  }

  /** The host takes writes: from now on it is tried first, and the others follow in the order of DATABASE_URL. */
  found(host: DatabaseHost): void {
    if (this.#order[0] !== host) this.#order = [host, ...this.#hosts.filter((other) => other !== host)]
    if (this.#writable === host) return
    this.#writable = host
    for (const receive of this.#foundListeners) receive(host)
  }

  /**
   * The host did not answer in time, or takes no writes: it is tried last, unless another one has been found
   * meanwhile.
   */
  failed(host: DatabaseHost): void {
    if (this.#order[0] === host) this.#order = [...this.#order.slice(1), host]
  }

  /**
   * Calls `receive` when another host is found to take writes.
   * @returns unsubscribes
   */
  onMoved(receive: (host: DatabaseHost) => void): () => void {
    this.#foundListeners.add(receive)
    return () => void this.#foundListeners.delete(receive)
  }
}

/**
 * How to connect to the database that DATABASE_URL names.
 * @throws BadDatabaseUrl
 */
export function connectionTo(databaseUrl: string): DatabaseConnection {
  const hosts = databaseHosts(databaseUrl)
  return hosts.length === 1 ? { connectionString: databaseUrl } : { hosts: new DatabaseHosts(hosts) }
}
