import type { JobKind, RefundJobKind } from '../../../actions/ports/jobs.ts'

// One job of each kind in a database that makeEveryPayment filled, in the state in which the gateway leaves it there.

const newest = (type: string, status: string): string =>
  `(select max(id) from transactions where type = '${type}' and status = '${status}' and merchant_id = 1
     and currency = 'UGX')`
const add = (kind: JobKind, subject: string): string =>
  `insert into jobs (kind, subject_id, due_at) values ('${kind}', ${subject}, now())`
const instead = (kind: JobKind, subject: string): string =>
  `delete from jobs where subject_id = ${subject}; ${add(kind, subject)}`

/** A kind of a job that is not a refund's: those are the same under other names. */
type PaymentJobKind = Exclude<JobKind, RefundJobKind>

/** Statements that leave at least one job of the kind, with a valid subject. */
export const JOB_OF: Readonly<Record<PaymentJobKind, string>> = {
  verifyPayout: 'select',
  holdFunds: instead('holdFunds', newest('PAYOUT', 'PENDING')),
  submitToRail: instead('submitToRail', newest('COLLECTION', 'PROCESSING')),
  pollRail: 'select',
  resolveUnknownOutcome: `update transactions set rail_order_id = '00000000-0000-4000-8000-000000000001',
      rail_account = 'mtn-uganda' where id = ${newest('PAYOUT', 'PROCESSING')};
    ${instead('resolveUnknownOutcome', newest('PAYOUT', 'PROCESSING'))}`,
  readRailCallback: `with message as (
      insert into rail_callbacks (rail_account, transaction_id, order_id, tail, method, digest, sealed_body, received_at)
      values ('mtn-uganda', ${newest('PAYOUT', 'PROCESSING')}, '00000000-0000-4000-8000-000000000001', '', 'POST',
        'digest', 'sealed', now()) returning id)
    ${add('readRailCallback', '(select id from message)')}`,
  readAccountMessage: `with message as (
      insert into account_messages (rail_account, tail, method, digest, sealed_body, received_at)
      values ('mtn-uganda', '', 'POST', 'digest', 'sealed', now()) returning id)
    ${add('readAccountMessage', '(select id from message)')}`,
  deliverCallback: `update callbacks set status = 'PENDING' where id = (select min(id) from callbacks);
    ${add('deliverCallback', '(select min(id) from callbacks)')}`,
  expirePage: 'select',
  expireExpected: add('expireExpected', newest('COLLECTION', 'PENDING')),
  expireApproval: add('expireApproval', newest('PAYOUT', 'PENDING')),
  finishBatch: `with batch as (
      insert into payout_batches (merchant_id, reference, created_at) values (1, 'BATCH-1', now()) returning id)
    ${add('finishBatch', '(select id from batch)')}`,
  verifyBatch: `with batch as (
      insert into payout_batches (merchant_id, reference, created_at, handshake)
      values (1, 'BATCH-2', now(), 'waiting') returning id)
    ${add('verifyBatch', '(select id from batch)')}`,
  sendOtp: add('sendOtp', newest('COLLECTION', 'PENDING')),
  clearFunds: 'select',
  releaseReserve: 'select',
}

/** Kinds whose jobs can be there together; one of the second list takes the subject of one of the first. */
export const TOGETHER: readonly (readonly PaymentJobKind[])[] = [
  [
    'verifyPayout',
    'pollRail',
    'readRailCallback',
    'readAccountMessage',
    'deliverCallback',
    'expirePage',
    'verifyBatch',
    'finishBatch',
    'sendOtp',
    'clearFunds',
    'releaseReserve',
  ],
  ['holdFunds', 'submitToRail', 'resolveUnknownOutcome', 'expireApproval', 'expireExpected'],
]
