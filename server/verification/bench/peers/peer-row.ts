import type pg from 'pg'

/** The columns that the gateway fills when it accepts a collection. */
export const COLUMNS =
  `id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor,
  currency, amount_minor, charge_minor, total_minor, charge_customer, allow_final_status_change, customer_name, customer_email, description, redirect_url,
  institution_name, status, status_message, created_at`.replaceAll(/\s+/g, ' ')

/** Their values; those that differ between rows are SQL. */
export const valuesOf = (merchantReference: string, internalReference: string, account: string): string =>
  `nextval('bench_peer_ids'), 1, ${merchantReference}, ${internalReference}, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', ${account}, 'UGX', 500,
  'UGX', 500, 5, 495, false, true, 'Amina Nakato', null, 'Bench collection', null, null, 'PENDING', 'Transaction Pending', now()`.replaceAll(
    /\s+/g,
    ' ',
  )

/** `:reference` and `:number` are random, as in a pgbench script. */
export const VALUES = valuesOf("'BENCH-' || :reference", "'MLP' || :reference", "'25677' || :number")

/** Creates the table of the peers, with the columns, checks and indexes of `transactions`. */
export async function createPeerTable(client: pg.Client): Promise<void> {
  await client.query('create table bench_peer (like transactions including all)')
  await client.query('create sequence bench_peer_ids cache 64')
}
