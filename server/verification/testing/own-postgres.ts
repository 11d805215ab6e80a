import { rm } from 'node:fs/promises'
import pg from 'pg'
import { present } from '../../domain/present.ts'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { databaseUrl, superuserIn } from './database-url.ts'
import { postgresFolder } from './test-postgres.ts'

/** A PostgreSQL that a test may break. For a gateway with its DATABASE_URL it is an external server. */
export interface OwnPostgres {
  readonly databaseUrl: string
  /** How a gateway logs in. `host` is the folder of its socket. */
  readonly connection: EmbeddedPostgres['connection']
  readonly dataDir: string
  /** Shuts it down (fast shutdown); it stays down until `start`. */
  stop(): Promise<void>
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /**
   * A superuser's session outside every pool, with an application name other than the gateway's. The caller ends it.
   */
  connect(): Promise<pg.Client>
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Terminates every session of a gateway.
   * @returns how many there were, and how many of them were in the middle of a transaction
   */
  terminateGateways(): Promise<{ killed: number; inTransaction: number }>
  remove(): Promise<void>
}

async function superuserOf(
  { connection }: EmbeddedPostgres,
  superuser: { readonly user: string; readonly password: string },
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    ...superuser,
    application_name: 'resilience test',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Starts one with these settings, in a folder of its own. */
export async function startOwnPostgres(settings: Readonly<Record<string, string>>): Promise<OwnPostgres> {
  const dataDir = await postgresFolder()
  const open = () => openEmbeddedPostgres({ dataDir, role: 'owner', settings: { max_wal_size: '256MB', ...settings } })
  let postgres: EmbeddedPostgres = await open()
  // The test's user may do anything with it; the gateway may not.
  const superuser = await superuserIn(dataDir)

  const connect = () => superuserOf(postgres, superuser)
  async function query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = await connect()
    try {
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end()
    }
  }

  return {
    databaseUrl: databaseUrl(postgres.connection),
    connection: postgres.connection,
    dataDir,
    connect,
    query,
    stop: () => postgres.stop(),
    async start() {
      postgres = await open()
    },
    async terminateGateways() {
      const [row] = await query<{ killed: number; inside: number }>(
        `select count(pg_terminate_backend(pid))::int as killed, count(*) filter (where xact_start is not null)::int as inside
         from pg_stat_activity where application_name = 'malipo'`,
      )
      const { killed, inside } = present(row, 'a count of sessions')
      return { killed, inTransaction: inside }
    },
    async remove() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
