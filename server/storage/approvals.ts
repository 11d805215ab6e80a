import type { ApprovalEnd, ApprovalWrites } from '../actions/ports/approvals.ts'
import type { Approval, ApprovalRule, NewApproval, Standing } from '../domain/approvals.ts'
import type { QueryConfig } from 'pg'
import type { Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

const RULE = columns<ApprovalRule>({
  id: 'bigint',
  operation: 'text',
  merchantId: 'bigint',
  currency: 'text',
  fromMinor: 'bigint',
})

/** The rules that may cover payouts and refunds of these merchants. */
export async function payoutRules(client: Queryable, merchantIds: readonly bigint[]): Promise<readonly ApprovalRule[]> {
  if (merchantIds.length === 0) return []
  const { rows } = await client.query<Row<ApprovalRule>>({
    name: 'payout-rules',
    text: `select ${RULE.names()} from approval_rules
           where operation in ('payouts', 'refunds') and (merchant_id is null or merchant_id = any($1))`,
    values: [merchantIds],
  })
  return rows.map(RULE.toFields)
}

/** All rules, or those of one operation. */
export async function approvalRules(client: Queryable, operation?: string): Promise<readonly ApprovalRule[]> {
  const { rows } = await client.query<Row<ApprovalRule>>(
    `select ${RULE.names()} from approval_rules where $1::text is null or operation = $1 order by id`,
    [operation],
  )
  return rows.map(RULE.toFields)
}

type ApprovalFields = Omit<Approval, 'maker'> & { readonly maker: string; readonly makerPersonId?: bigint }
const REQUEST = {
  operation: 'text',
  merchantId: 'bigint',
  transactionId: 'bigint',
  digest: 'text',
  maker: 'text',
  makerPersonId: 'bigint',
  requestedAt: 'timestamptz',
  expiresAt: 'timestamptz',
} as const
const NEW_APPROVAL = columns<Omit<ApprovalFields, 'id' | 'state'>>(REQUEST)
export const APPROVAL = columns<ApprovalFields>({ id: 'bigint', state: 'text', ...REQUEST })
export type ApprovalRow = Row<ApprovalFields>

export function toApproval(row: ApprovalRow): Approval {
  const { maker, makerPersonId, ...fields } = APPROVAL.toFields(row)
  return { ...fields, maker: { name: maker, ...(makerPersonId !== undefined && { personId: makerPersonId }) } }
}

export const withMaker = <Request extends { readonly maker: Approval['maker'] }>({ maker, ...request }: Request) => ({
  ...request,
  maker: maker.name,
  ...(maker.personId !== undefined && { makerPersonId: maker.personId }),
})

/** Requests for the approval of payouts, in the commit that accepts them. */
export function approvalRows(approvals: readonly (NewApproval & { readonly transactionId: bigint })[]): QueryConfig[] {
  if (approvals.length === 0) return []
  return [
    {
      name: 'insert-approvals',
      text: `insert into approvals (${NEW_APPROVAL.names()})
             select ${NEW_APPROVAL.names()} from json_to_recordset($1) as r(${NEW_APPROVAL.definition})`,
      values: [NEW_APPROVAL.json(approvals.map(withMaker))],
    },
  ]
}

/**
 * The role that a person has now. Whoever holds the lock of the audit log's chain changes people, so nobody does before
 * the commit.
 */
export async function lockStanding(client: Queryable, personId: bigint): Promise<Standing | undefined> {
  await client.query('select from audit_chain for update')
  const { rows } = await client.query<{ role: string; merchant_id: bigint | null }>(
    'select role, merchant_id from people where id = $1 and ended_at is null',
    [personId],
  )
  return rows[0] && { role: rows[0].role, ...(rows[0].merchant_id !== null && { merchantId: rows[0].merchant_id }) }
}

const END = columns<Omit<ApprovalEnd, 'by'> & { readonly decider?: string; readonly deciderPersonId?: bigint }>({
  id: 'bigint',
  state: 'text',
  at: 'timestamptz',
  decider: 'text',
  deciderPersonId: 'bigint',
})

export const approvalStatements = (client: Queryable): ApprovalWrites => ({
  async decidedTogether(transactionId) {
    const { rows } = await client.query<{ id: bigint }>(
      `select o.id from payout_batch_rows r join transactions t on t.id = r.transaction_id
       join payout_batch_rows p on p.batch_id = r.batch_id
       join transactions o on o.id = p.transaction_id and o.currency = t.currency
       where r.transaction_id = $1 order by o.id`,
      [transactionId],
    )
    return rows.length > 0 ? rows.map(({ id }) => id) : [transactionId]
  },

  async lockApprovals(transactionIds) {
    if (transactionIds.length === 0) return []
    const { rows } = await client.query<ApprovalRow>({
      name: 'lock-approvals',
      text: `select ${APPROVAL.names()} from approvals where transaction_id = any($1) order by id for update`,
      values: [transactionIds],
    })
    return rows.map(toApproval)
  },

  lockStanding: (personId) => lockStanding(client, personId),

  async endApprovals(ends) {
    if (ends.length === 0) return
    const rows = ends.map(({ by, ...end }) => ({
      ...end,
      ...(by && { decider: by.name }),
      ...(by?.personId !== undefined && { deciderPersonId: by.personId }),
    }))
    await client.query({
      name: 'end-approvals',
      text: `update approvals a set state = r.state, decided_at = r.at, decider = r.decider,
               decider_person_id = r.decider_person_id
             from json_to_recordset($1) as r(${END.definition}) where a.id = r.id`,
      values: [END.json(rows)],
    })
  },
})

/**
 * Somebody leaves: what they asked for and nobody has decided yet can no longer be approved. A payout among it fails
 * when its time is over. What is being decided right now is decided before they leave: waiting for it would be waiting
 * for who waits for the lock of the audit log, which the caller holds.
 */
export async function lapseApprovalsOf(client: Queryable, personId: bigint): Promise<void> {
  await client.query(
    `update approvals set state = 'lapsed', sealed_input = null where id in (
       select id from approvals where maker_person_id = $1 and state = 'waiting' for update skip locked)`,
    [personId],
  )
}
