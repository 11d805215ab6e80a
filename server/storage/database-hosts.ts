import type pg from 'pg'

/** One server that DATABASE_URL names. */
export interface DatabaseHost {
  /** For people: `db1.internal:5432`. */
  readonly place: string
  /** The same address for this host alone. */
  readonly connectionString: string
}

/**
 * What a pooler between us and PostgreSQL gives us: a connection for as long as our session lasts, or another one for
 * each transaction.
 */
export type Pooling = 'none' | 'session' | 'transaction'

/** How to connect with the database: the options of `pg`, or several hosts of which one takes writes. */
export type DatabaseConnection = pg.ClientConfig & {
  readonly hosts?: DatabaseHosts
  /** Absent: not known. */
  readonly pooling?: Pooling
}

/** Why DATABASE_URL cannot be used. Its text never repeats the address: that usually carries a password. */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl'
}

const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/
const PORT_OF_POSTGRES = '5432'
const NOT_ENCODED = 'must have ports from 1 to 65535, and special characters in the password percent-encoded'
/** What libpq knows; of these only the first two ask for what a gateway needs. */
const SESSION_ATTRIBUTES = ['read-write', 'primary', 'any', 'read-only', 'standby', 'prefer-standby']
const WRITABLE = SESSION_ATTRIBUTES.slice(0, 2)

/**
 * The hosts of an address with several, as libpq writes them: `postgres://user:pw@h1:5432,h2:5433/db`, or
 * `?host=h1,h2&port=5432,5433`. One host stays what `pg` makes of it.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 * @throws BadDatabaseUrl
 */
export function databaseHosts(url: string): readonly DatabaseHost[] {
  const [, scheme = '', login, authority = '', path = '', query = ''] = PARTS.exec(url) ?? []
  const params = new URLSearchParams(query)
  checkAttributes(params)
  const named = authority.split(',').map(divided)
  const hostsGiven = params.get('host')
  // A port beside other hosts is for all of them.
  const hosts = hostsGiven ? hostsGiven.split(',').map((host) => ({ host, port: named[0]?.port ?? '' })) : named
  const single = hosts.length === 1 && !params.get('port')?.includes(',')
  if (single) return [{ place: placeOf(hosts[0], params), connectionString: url }]
  // What stands before a slash or a question mark in a password looks like hosts.
  if (login === undefined && url.includes('@')) throw new BadDatabaseUrl(NOT_ENCODED)
  const ports = portsOf(hosts, params)
  for (const name of ['host', 'port', 'target_session_attrs']) params.delete(name)
  return hosts.map(({ host }, index) => {
    if (host === '') throw new BadDatabaseUrl('must name every host between its commas')
    const port = ports[index] ?? PORT_OF_POSTGRES
    // As parameters, which may be folders of unix sockets too.
    const own = new URLSearchParams([...params, ['host', host.replace(/^\[(.*)\]$/, '$1')], ['port', port]])
    const connectionString = `${scheme}${login === undefined ? '' : `${login}@`}${path || '/'}?${own.toString()}`
    return { place: `${host}:${port}`, connectionString }
  })
}

interface Addressed {
  readonly host: string
  readonly port: string
}

/** `[2001:db8::1]:5432` has colons of its own. */
function divided(one: string): Addressed {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(one) ?? []
  return { host: decoded(host), port }
}

function placeOf({ host, port }: Addressed = { host: '', port: '' }, params: URLSearchParams): string {
  return `${host || 'localhost'}:${params.get('port') || port || PORT_OF_POSTGRES}`
}

function portsOf(hosts: readonly Addressed[], params: URLSearchParams): readonly string[] {
  const given = params.get('port')?.split(',') ?? hosts.map(({ port }) => port)
  if (given.length > 1 && given.length !== hosts.length)
    throw new BadDatabaseUrl(`must have one port, or one for each of its ${hosts.length} hosts, not ${given.length}`)
  const ports = (given.length === 1 ? hosts.map(() => given[0] ?? '') : given).map((port) => port || PORT_OF_POSTGRES)
  if (ports.some((port) => !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535))
    throw new BadDatabaseUrl(NOT_ENCODED)
  return ports
}

function checkAttributes(params: URLSearchParams): void {
  const asked = params.get('target_session_attrs')
  if (asked === null || WRITABLE.includes(asked)) return
  const told = SESSION_ATTRIBUTES.includes(asked) ? `, not ${asked}` : ''
  throw new BadDatabaseUrl(
    `must have target_session_attrs=read-write or none${told}: Malipo reads and writes one database`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The hosts in the order in which they are tried: all connections of a process learn from each other. */
export class DatabaseHosts {
  readonly #hosts: readonly DatabaseHost[]
  #order: readonly DatabaseHost[]
  #writable: DatabaseHost | undefined
  readonly #heard = new Set<(host: DatabaseHost) => void>()

  /** @param hosts as DATABASE_URL has them */
  constructor(hosts: readonly DatabaseHost[]) {
    this.#hosts = hosts
    this.#order = hosts
  }

  get count(): number {
    return this.#hosts.length
  }

  /** The one that the next connection goes to. */
  next(): DatabaseHost {
    const [first] = this.#order
    if (!first) throw new Error('a database without a host')
    return first
  }

  /** Whether this is the one that took writes last. */
  isWritable(host: DatabaseHost): boolean {
    return this.#writable === host
  }

  /** It takes writes: the first to be tried from now on, and the others after it in the order of DATABASE_URL. */
  found(host: DatabaseHost): void {
    if (this.#order[0] !== host) this.#order = [host, ...this.#hosts.filter((other) => other !== host)]
    if (this.#writable === host) return
    this.#writable = host
    for (const hear of this.#heard) hear(host)
  }

  /** It did not answer in time, or takes no writes: the last to be tried, unless another has been found meanwhile. */
  failed(host: DatabaseHost): void {
    if (this.#order[0] === host) this.#order = [...this.#order.slice(1), host]
  }

  /** Tells of another host that takes writes. @returns ends it */
  onMoved(hear: (host: DatabaseHost) => void): () => void {
    this.#heard.add(hear)
    return () => void this.#heard.delete(hear)
  }
}

/** How to connect with what DATABASE_URL names. @throws BadDatabaseUrl */
export function connectionTo(databaseUrl: string): DatabaseConnection {
  const hosts = databaseHosts(databaseUrl)
  return hosts.length === 1 ? { connectionString: databaseUrl } : { hosts: new DatabaseHosts(hosts) }
}
