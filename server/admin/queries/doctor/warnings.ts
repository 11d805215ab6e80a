import { CHAIN_BEHIND_MS, oldestUnchained } from '../../../storage/ledger-chain.ts'
import { countMonthsAhead, MONTHS_AHEAD_MIN } from '../../../storage/months.ts'
import { railCircuits } from '../../../storage/rail-circuits.ts'
import { railFloats } from '../rail-floats.ts'
import { available, type Pool } from '../../../storage/pool.ts'

/** Not a fault yet, but makes a fault more likely. */
interface Warning {
  readonly name: string
  readonly text: string
}

/** @param pool with the role that the servers log in as */
export const readWarnings = (pool: Pool, now: Date): Promise<readonly Warning[]> =>
  available(async () => [
    ...(await ownerServes(pool)),
    ...(await fewMonths(pool, now)),
    ...(await chainBehind(pool, now)),
    ...(await glassBroken(pool, now)),
    ...(await railsInTrouble(pool)),
  ])

async function ownerServes(pool: Pool): Promise<readonly Warning[]> {
  const { rows } = await pool.query<{ role: string }>(
    `select current_user as role from pg_class where oid = 'entries'::regclass and pg_has_role(relowner, 'usage')`,
  )
  return rows.map(({ role }) => ({
    name: 'two_roles',
    text:
      `servers log in as ${role}, who owns the ledger: anyone with DATABASE_URL can disable its triggers. ` +
      'Give DATABASE_URL a role of its own, and malipo migrate the owner in MIGRATION_DATABASE_URL',
  }))
}

async function fewMonths(pool: Pool, now: Date): Promise<readonly Warning[]> {
  const ahead = await countMonthsAhead(pool, now)
  if (ahead >= MONTHS_AHEAD_MIN) return []
  const there = ahead < 0 ? 'not even this month' : `${ahead} after this one`
  return [
    {
      name: 'months_ahead',
      text: `the database has partitions for few months (${there}): run malipo months, every day by a timer`,
    },
  ]
}

/** Call it after the chain was extended: a transfer that is still unchained then is stuck. */
async function chainBehind(pool: Pool, now: Date): Promise<readonly Warning[]> {
  const at = await oldestUnchained(pool)
  if (!at || now.getTime() - at.getTime() < CHAIN_BEHIND_MS) return []
  return [
    {
      name: 'chain_behind',
      text:
        `transfers since ${at.toISOString()} are not in the hash chain yet: a change to them would not be detected. ` +
        'An open PostgreSQL transaction holds them back (pg_stat_activity shows it), or no server runs jobs',
    },
  ]
}

/** Circuits that are open now, by which alone nothing is wrong yet, and floats below what staff have set. */
async function railsInTrouble(pool: Pool): Promise<readonly Warning[]> {
  const circuits = [...(await railCircuits(pool)).values()]
  const floats = [...(await railFloats(pool)).values()]
  return [
    ...circuits.map(({ rail_account, since, last_error }) => ({
      name: 'circuit_open',
      text: `the operator of ${rail_account} has not answered since ${since.toISOString()} (${last_error ?? 'no error is known'}): orders wait`,
    })),
    ...floats
      .filter(({ float_minor, float_low_minor }) => (float_minor ?? 0n) < (float_low_minor ?? 0n))
      .map(({ rail_account, float_minor }) => ({
        name: 'float_low',
        text: `${rail_account} can pay out only ${float_minor} (minor units) more, which is below float_low: top it up at the operator`,
      })),
  ]
}

/** An emergency is reported until somebody must have looked at it. */
const BROKEN_GLASS_MS = 7 * 24 * 3_600_000

async function glassBroken(pool: Pool, now: Date): Promise<readonly Warning[]> {
  const { rows } = await pool.query<{ count: bigint; last: bigint | null }>(
    `select count(*), max(id) as last from audit_log where actor_kind = 'break_glass' and at > $1`,
    [new Date(now.getTime() - BROKEN_GLASS_MS)],
  )
  return rows
    .filter(({ last }) => last !== null)
    .map(({ count, last }) => ({
      name: 'glass_broken',
      text: `${count} ${count === 1n ? 'change was' : 'changes were'} made with --break-glass in the last 7 days: see malipo audit show ${last}`,
    }))
}
