import type { Queryable } from '../../../storage/pool.ts'
import { long } from './bounds.ts'
import type { Source } from './staging.ts'

/** The form of a line that was booked by hand, not imported. */
export const BY_HAND = 'booked'

export interface StatementImport {
  readonly id: bigint
  readonly railAccount: string
  readonly currency: string
  /** For days that lines do not state. */
  readonly timeZone: string
  readonly digest?: Uint8Array | undefined
}

/** Columns that must be equal on both sides; `s` is a line of the file, `k` a stored line. */
interface MatchPass {
  readonly s: readonly string[]
  readonly k: readonly string[]
  readonly onlyS?: string
  readonly onlyK: string
}

// The amount of a line that consists only of a fee is that fee.
const MOVED = ['reference', 'way', 'amount_minor', 'own_fee', 'is_unclear']
const equal = (...columns: readonly string[]): Pick<MatchPass, 's' | 'k'> => ({ s: columns, k: columns })

/**
 * Requires the same `our_reference` first, then allows it to be missing on one side: two different ones are two
 * movements.
 */
const withOurs = ({ s, k, onlyS = 'true', onlyK }: MatchPass): readonly MatchPass[] => [
  { s: [...s, 'our_reference'], k: [...k, 'our_reference'], onlyS, onlyK },
  { s, k, onlyS, onlyK: `${onlyK} and our_reference is null` },
  { s, k, onlyS: `${onlyS} and our_reference is null`, onlyK },
]

/** An entry that only one of two files contains in readable form; its day may be the unreadable part. */
function readByOne(amount: string): readonly MatchPass[] {
  const line = ['reference', 'account', 'direction', amount]
  const entry = ['reference', 'account', 'direction', 'amount_minor']
  const [isLine, isEntry] = ['not is_unclear', `is_unclear and reference <> ''`]
  return [
    { s: [...line, 'booked_on'], k: [...entry, 'booked_on'], onlyS: isLine, onlyK: isEntry },
    { s: line, k: entry, onlyS: isLine, onlyK: `${isEntry} and booked_on is null` },
    { s: [...entry, 'booked_on'], k: [...line, 'booked_on'], onlyS: isEntry, onlyK: isLine },
    { s: entry, k: line, onlyS: `${isEntry} and booked_on is null`, onlyK: isLine },
  ].flatMap(withOurs)
}

/**
 * Passes that match a line of a file with a stored line, the most certain first. Within a pass equal lines are matched
 * in order, first with first. So overlapping files count the larger number of equal lines, not the sum.
 */
const PASSES: readonly MatchPass[] = [
  ...withOurs({ ...equal(...MOVED, 'account', 'booked_on'), onlyK: 'account is not null' }),
  { ...equal(...MOVED, 'booked_on', 'our_reference'), onlyS: `account = ''`, onlyK: `account <> ''` },
  { ...equal(...MOVED, 'booked_on', 'our_reference'), onlyS: `account <> ''`, onlyK: `account = ''` },
  // Booked by hand, or pulled with an unreadable time.
  { ...equal(...MOVED), onlyK: `booked_on is null and (by_hand or account is not null)` },
  { ...equal(...MOVED), onlyS: 'booked_on is null', onlyK: 'account is not null' },
]

/** Passes for entries that are unclear on one side. */
const PASSES_OF_UNCLEAR: readonly MatchPass[] = [
  // The amount of an entry includes the charges of its line, or they were taken separately.
  ...readByOne('entry_minor'),
  ...readByOne('amount_minor'),
  // A changed setting made an unclear entry readable.
  {
    ...equal('reference', 'booked_on', 'line_number'),
    onlyS: 'not is_unclear',
    onlyK: `is_unclear and is_same_file and reference <> ''`,
  },
]

/** Normalizes the description of a movement on both sides. */
const movement = (from: string): string => `
  case when ${from}.doubt = 'unclear' then '' else ${from}.direction end as way, ${from}.direction, ${from}.amount_minor,
  ${from}.amount_minor + case ${from}.direction when 'in' then -${from}.fee_minor else ${from}.fee_minor end as entry_minor,
  case when ${from}.amount_minor = 0 then ${from}.fee_minor end as own_fee,
  ${from}.doubt is not distinct from 'unclear' as is_unclear`

/** Created once; each statement of the file refills them. */
export const createPairingTables = (client: Queryable): Promise<unknown> =>
  client.query(
    long(
      `create temporary table unpaired (n bigint, line_number bigint, reference text, our_reference text, account text,
         booked_on date, way text, direction text, amount_minor bigint,
         entry_minor bigint, own_fee bigint, is_unclear boolean) on commit drop;
       create temporary table known (id bigint, line_number bigint, reference text, our_reference text, account text,
         booked_on date, way text, direction text, amount_minor bigint,
         entry_minor bigint, own_fee bigint, is_unclear boolean,
         occurrence integer, is_doubtful boolean, by_hand boolean, is_same_file boolean) on commit drop`,
    ),
  )

/**
 * Finds which lines of a statement are stored already, and sets `line_id` of the staged lines. It does not match a
 * line that was stored by a statement whose period does not overlap.
 */
export async function pairLines(
  client: Queryable,
  { railAccount, digest }: StatementImport,
  { source, period_from, period_to }: Source,
): Promise<void> {
  await client.query('truncate unpaired, known')
  const known = await client.query(
    long(
      `insert into known
       select l.id, l.line_number, l.reference, l.our_reference, l.account, l.booked_on,
         ${movement('l')}, l.occurrence, l.doubt is not null, i.form = '${BY_HAND}', i.digest is not distinct from $5
           and $5 is not null
       from statement_lines l join statement_imports i on i.id = l.import_id
       where l.rail_account = $1 and l.reference in (select reference from staged_lines where source = $2)
         and (l.period_from is null or $3::timestamp is null or (l.period_from < $4 and l.period_to > $3))`,
      [railAccount, source, period_from, period_to, digest],
    ),
  )
  let stored = known.rowCount ?? 0
  if (stored === 0) return
  const read = await client.query(
    long(
      `insert into unpaired select s.n, s.line_number, s.reference, s.our_reference, s.account, s.booked_on,
         ${movement('s')} from staged_lines s where s.source = $1`,
      [source],
    ),
  )
  let open = read.rowCount ?? 0
  await client.query(long('analyze unpaired, known'))
  const pairUp = async (passes: readonly MatchPass[]): Promise<void> => {
    for (const pass of passes) {
      if (open === 0 || stored === 0) return
      const { rowCount } = await client.query(long(pairing(pass)))
      open -= rowCount ?? 0
      stored -= rowCount ?? 0
    }
  }
  await pairUp(PASSES)
  const unclear = await client.query(
    long('select from known where is_unclear union all select from unpaired where is_unclear limit 1'),
  )
  if (unclear.rowCount) await pairUp(PASSES_OF_UNCLEAR)
}

/** Equal values have the same key, also where a part is null. */
export const key = (names: readonly string[]): string =>
  `array[${names.map((name) => `coalesce(${name}::text, '')`).join(', ')}]`

const pairing = ({ s, k, onlyS = 'true', onlyK }: MatchPass): string => `
  with s as (
    select n, ${key(s)} as key, row_number() over (partition by ${key(s)} order by n) as place
    from unpaired where ${onlyS}
  ), k as (
    select id, ${key(k)} as key, row_number() over (partition by ${key(k)} order by is_doubtful, occurrence, id) as place
    from known where ${onlyK}
  ), pairs as (
    select n, id from s join k using (key, place)
  ), read as (
    delete from unpaired u using pairs where u.n = pairs.n
  ), taken as (
    delete from known using pairs where known.id = pairs.id
  )
  update staged_lines t set line_id = pairs.id from pairs where t.n = pairs.n`
