import type { AddressedKind, Claim, DestinationQuota, Job } from '../actions/ports/jobs.ts'
import { isFree } from './job-leases.ts'
import { optimizerFence } from './optimizer-fence.ts'
import type { Row } from './rows.ts'
import type { Queryable } from './pool.ts'

/**
 * A loose index scan over (kind, destination, due_at) finds the names of the destinations, so the backlog of a
 * destination is never scanned: 3 µs for each destination, and nothing for each of 1,000,000 callbacks to an
 * unresponsive host.
 *
 * The kind is a literal in the text: with a parameter, a cached generic plan could not use the partial index. Row
 * comparison and `order by destination` rule out every other index: where nearly everything waited for one host, the
 * planner had chosen (kind, due_at) and read the whole backlog to find jobs for other destinations. Candidates are
 * locked by their subject, and optimizer fences again rule out the indexes that begin with the kind.
 */
const textOf = (kind: AddressedKind, returned: string) => `
  with recursive destinations (destination) as (
    (select destination from jobs where kind = '${kind}' order by destination limit 1)
    union all
    select (select next.destination from jobs next where next.kind = '${kind}' and next.destination > a.destination
             order by next.destination limit 1)
      from destinations a where a.destination is not null
  ), candidates as (
    select '${kind}'::text as kind, first.subject_id, first.due_at, first.place
      from destinations a left join unnest($5::text[], $6::int[]) as known(destination, room) on known.destination = a.destination
     cross join lateral (
       select w.subject_id, w.due_at, row_number() over (order by w.due_at) as place from (
         select subject_id, due_at from jobs where kind = '${kind}'
            and (destination, due_at) >= (a.destination, '-infinity') and (destination, due_at) <= (a.destination, $1)
            and ${isFree('jobs', '$1')}
          order by destination, due_at limit coalesce(known.room, $7)) w) first
  )
  update jobs w set leased_until = $2, attempt = attempt + 1, token = $4
  where ${optimizerFence(`kind = '${kind}'`)} and subject_id = any(array(
    select due.subject_id from (select kind, subject_id from candidates order by place, due_at) c cross join lateral (
       select w.subject_id from jobs w
        where ${optimizerFence('w.kind = c.kind')} and w.subject_id = c.subject_id
          and ${optimizerFence('w.due_at <= $1')} and ${isFree('w', '$1')}
        limit 1 for update skip locked) due
     limit $3))
  returning ${returned}`

const TEXTS = new Map<AddressedKind, string>()

/** @param returned the columns of a job, from the table `w` */
export async function claimFairly(
  client: Queryable,
  { kind, limit, returned }: { readonly kind: AddressedKind; readonly limit: number; readonly returned: string },
  { token, now, leaseUntil }: Claim,
  quota: DestinationQuota,
): Promise<readonly Row<Job>[]> {
  const text = TEXTS.get(kind) ?? textOf(kind, returned)
  TEXTS.set(kind, text)
  const { rows } = await client.query<Row<Job>>({
    name: `claim-fairly-${kind}`,
    text,
    values: [now, leaseUntil, limit, token, [...quota.of.keys()], [...quota.of.values()], quota.each],
  })
  return rows
}
