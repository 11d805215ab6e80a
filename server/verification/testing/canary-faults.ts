import type { Gateway } from '../../main.ts'
import type { Canaries } from './canary.ts'
import { asOwner, type TestDatabase } from './database.ts'
import { DEMO_KEYS } from './gateway.ts'
import { mobileMoneyCollection, uniqueReference } from './requests.ts'

interface DatabaseFault {
  readonly name: string
  readonly breaks: string
  readonly repairs: string
  /** The status of the reply to a request that hits it. */
  readonly status: number
}

/** A trigger that fails for each of our rows with an error of PostgreSQL. */
const failsOn = (table: string, statement: string): string => `
  create function quote_row() returns trigger language plpgsql as $$ begin ${statement} return new; end $$;
  create trigger quote_row before insert on ${table} for each row execute function quote_row()`
const repaired = 'drop function quote_row cascade'

/** Ways for a statement to fail in which PostgreSQL's error repeats the values to be stored. */
export const DATABASE_FAULTS: readonly DatabaseFault[] = [
  {
    name: 'value in the message',
    breaks: failsOn('transactions', 'perform new.description::bigint;'),
    repairs: repaired,
    status: 500,
  },
  {
    name: 'row in the detail',
    breaks: `alter table transactions add constraint quoted check (length(description) < 5) not valid`,
    repairs: 'alter table transactions drop constraint quoted',
    status: 500,
  },
  {
    name: 'key in the detail',
    // The partition of the month of fixedClock: only a partition can have a key without its time.
    breaks: 'create unique index quoted on transactions_2026_03 (customer_email)',
    repairs: 'drop index quoted',
    status: 500,
  },
  {
    name: 'text in detail and hint',
    breaks: failsOn(
      'transactions',
      `raise exception 'no space' using errcode = '53100', detail = new.description, hint = new.customer_name;`,
    ),
    repairs: repaired,
    status: 503,
  },
  {
    name: 'table gone',
    breaks: 'alter table idempotency_keys rename to elsewhere',
    repairs: 'alter table elsewhere rename to idempotency_keys',
    status: 500,
  },
  {
    name: 'jobs that fail',
    breaks: failsOn(
      'transaction_events',
      'perform customer_name::date from transactions where id = new.transaction_id;',
    ),
    repairs: repaired,
    status: 202,
  },
]

/**
 * Sends one collection through each fault, runs the due jobs, and repairs the database again.
 * @returns the statuses of the replies
 */
export async function sendWithFaults(
  { url, runDue }: Gateway,
  connection: TestDatabase['connection'],
  canaries: Canaries,
): Promise<number[]> {
  const statuses: number[] = []
  const accept = async (place: string, customer_email: string) => {
    const body = mobileMoneyCollection({
      description: canaries.plant('secret', place),
      customer_name: canaries.plant('card', place),
      customer_email,
      card_cipher: canaries.plant('card', place),
    })
    const headers = {
      ...DEMO_KEYS,
      'x-api-version': '1',
      'content-type': 'application/json',
      'idempotency-key': uniqueReference(),
    }
    return (await fetch(`${url}/collections/initialize`, { method: 'POST', headers, body: JSON.stringify(body) }))
      .status
  }
  for (const { name, breaks, repairs } of DATABASE_FAULTS) {
    const place = `database fault: ${name}`
    const email = `${canaries.plant('secret', place)}@shop.example`
    await accept(place, email)
    await runDue()
    await asOwner(connection, breaks)
    statuses.push(await accept(place, email))
    await runDue()
    await asOwner(connection, repairs)
  }
  return statuses
}
