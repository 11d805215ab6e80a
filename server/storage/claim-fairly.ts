import type { AddressedKind, Claim, Rooms, WorkItem } from '../actions/ports/work.ts'
import { beyondIndexes } from './beyond-indexes.ts'
import type { Row } from './rows.ts'
import type { Queryable } from './pool.ts'

/**
 * The names of the addressees are found by steps along the index (kind, addressee, due_at), so that what waits for one of
 * them is never gone through: 3 µs for each addressee, and nothing for each of 1,000,000 callbacks to a dead host. The
 * kind stands in the text: with a parameter the partial index would not do for a plan that is kept. Rows are compared,
 * and the addressee is ordered by, so that no other index will do: where nearly everything waits for one host the planner
 * had taken (kind, due_at), and read the whole backlog to find what is for somebody else. What was found is locked by its
 * subject, and again no index that begins with the kind will do.
 */
const textOf = (kind: AddressedKind, returned: string) => `
  with recursive addressees (addressee) as (
    (select addressee from work where kind = '${kind}' order by addressee limit 1)
    union all
    select (select next.addressee from work next where next.kind = '${kind}' and next.addressee > a.addressee
             order by next.addressee limit 1)
      from addressees a where a.addressee is not null
  ), candidates as (
    select '${kind}'::text as kind, first.subject_id, first.due_at, first.place
      from addressees a left join unnest($5::text[], $6::int[]) as known(addressee, room) on known.addressee = a.addressee
     cross join lateral (
       select w.subject_id, w.due_at, row_number() over (order by w.due_at) as place from (
         select subject_id, due_at from work where kind = '${kind}'
            and (addressee, due_at) >= (a.addressee, '-infinity') and (addressee, due_at) <= (a.addressee, $1)
          order by addressee, due_at limit coalesce(known.room, $7)) w) first
  )
  update work w set due_at = $2, attempt = attempt + 1, token = $4
  where ${beyondIndexes(`kind = '${kind}'`)} and subject_id = any(array(
    select due.subject_id from (select kind, subject_id from candidates order by place, due_at) c cross join lateral (
       select w.subject_id from work w
        where ${beyondIndexes('w.kind = c.kind')} and w.subject_id = c.subject_id
          and ${beyondIndexes('w.due_at <= $1')}
        limit 1 for update skip locked) due
     limit $3))
  returning ${returned}`

const TEXTS = new Map<AddressedKind, string>()

/** @param returned the columns of an item, of the table `w` */
export async function claimFairly(
  client: Queryable,
  { kind, limit, returned }: { readonly kind: AddressedKind; readonly limit: number; readonly returned: string },
  { token, now, leaseUntil }: Claim,
  rooms: Rooms,
): Promise<readonly Row<WorkItem>[]> {
  const text = TEXTS.get(kind) ?? textOf(kind, returned)
  TEXTS.set(kind, text)
  const { rows } = await client.query<Row<WorkItem>>({
    name: `claim-fairly-${kind}`,
    text,
    values: [now, leaseUntil, limit, token, [...rooms.of.keys()], [...rooms.of.values()], rooms.each],
  })
  return rows
}
