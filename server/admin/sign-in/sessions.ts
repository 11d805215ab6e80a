import { RECENT_MS, SESSION_IDLE_MS, SESSION_MS } from '../../domain/people/session-times.ts'
import type { Random } from '../../domain/references.ts'
import type { Queryable } from '../../storage/pool.ts'
import type { Person } from '../queries/person.ts'
import { PERSON_COLUMNS } from './person.ts'
import { newToken, tokenDigest } from './tokens.ts'

/** Further sign-ins of the same person end the oldest session. */
const SESSIONS_MAX = 10
/** Use is noted once in this time. */
const NOTED_MS = 60_000

export interface Session {
  readonly id: bigint
  readonly person: Person
  readonly createdAt: Date
  /** When the person last proved who they are. */
  readonly authenticatedAt: Date
  readonly seenAt: Date
  /** Whether the person has a password or a passkey; somebody of a company's provider may have none. */
  readonly hasSignIn: boolean
  /** Of the person; undefined for staff. */
  readonly merchantName: string | undefined
  readonly address: string
  readonly browser: string
}

/** Where a session is used from, for its owner to recognize it. */
export interface Origin {
  readonly address: string
  readonly browser: string
}

/** Starts a session, in place of `former` if the person had one. @returns its token, for the cookie */
export async function startSession(
  client: Queryable,
  { id, role }: Pick<Person, 'id' | 'role'>,
  { address, browser }: Origin,
  { random, now, former }: { readonly random: Random; readonly now: Date; readonly former?: Session | undefined },
): Promise<string> {
  const token = newToken(random)
  if (former) await client.query('delete from sessions where id = $1', [former.id])
  await client.query(
    `insert into sessions (digest, person_id, role, created_at, authenticated_at, seen_at, address, browser)
     values ($1, $2, $3, $4, $4, $4, $5, $6)`,
    [tokenDigest(token), id, role, now, address, browser],
  )
  await client.query(
    `delete from sessions where person_id = $1
       and id not in (select id from sessions where person_id = $1 order by id desc limit ${SESSIONS_MAX})`,
    [id],
  )
  return token
}

interface SessionRow extends Person {
  readonly session_id: bigint
  readonly started_at: Date
  readonly authenticated_at: Date
  readonly seen_at: Date
  readonly has_sign_in: boolean
  readonly merchant_name: string | null
  readonly address: string
  readonly browser: string
}

const toSession = (row: SessionRow): Session => ({
  id: row.session_id,
  person: row,
  createdAt: row.started_at,
  authenticatedAt: row.authenticated_at,
  seenAt: row.seen_at,
  hasSignIn: row.has_sign_in,
  merchantName: row.merchant_name ?? undefined,
  address: row.address,
  browser: row.browser,
})

// A person who left or whose role changed has no session, whoever changed it and however.
const SESSIONS = `select s.id as session_id, s.created_at as started_at, s.authenticated_at, s.seen_at, s.address, s.browser,
    exists (select from sign_in_credentials c where c.person_id = p.id)
      or exists (select from passkeys k where k.person_id = p.id) as has_sign_in,
    (select m.name from merchants m where m.id = p.merchant_id) as merchant_name, ${PERSON_COLUMNS}
  from sessions s join people p on p.id = s.person_id
  where p.ended_at is null and p.role = s.role and s.seen_at > $2 and s.created_at > $3`

const bounds = (now: Date): readonly Date[] => [
  new Date(now.getTime() - SESSION_IDLE_MS),
  new Date(now.getTime() - SESSION_MS),
]

/** Finds the session of a token, and notes that it is used. */
export async function findSession(client: Queryable, token: string, now: Date): Promise<Session | undefined> {
  const { rows } = await client.query<SessionRow>(`${SESSIONS} and s.digest = $1`, [tokenDigest(token), ...bounds(now)])
  if (!rows[0]) return undefined
  const session = toSession(rows[0])
  if (now.getTime() - session.seenAt.getTime() > NOTED_MS)
    await client.query('update sessions set seen_at = $2 where id = $1', [session.id, now])
  return session
}

/** A person's sessions, the newest first. */
export async function sessionsOf(client: Queryable, personId: bigint, now: Date): Promise<Session[]> {
  const { rows } = await client.query<SessionRow>(`${SESSIONS} and s.person_id = $1 order by s.id desc`, [
    personId,
    ...bounds(now),
  ])
  return rows.map(toSession)
}

/** Whether the person proved recently who they are; ask for it before money moves. */
export const requireRecent = ({ authenticatedAt }: Session, now: Date, msMax = RECENT_MS): boolean =>
  now.getTime() - authenticatedAt.getTime() <= msMax
