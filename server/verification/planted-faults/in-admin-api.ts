import { sourceFaults } from './planted-fault.ts'

// What an outsider would try first at the admin API. Each is found by a test beside it.

const API = 'server/admin/api/admin-api.test.ts'
const PAYMENTS = 'server/admin/api/payments.test.ts'
const OTHERS = 'server/admin/api/other-merchant.test.ts'
const BATCHES = 'server/admin/api/batches.test.ts'
const CHECKS = 'admin/api/admin-checks.ts'
const RUN = 'admin/operations/run-operation.ts'

export const ADMIN_FAULTS = [
  ...sourceFaults('roles', API, {
    'role-not-checked': [
      'lets every role use every operation',
      [CHECKS, 'if (refusal !== undefined) throw new RequestFault(403, refusal)', ''],
    ],
    'staff-operations-for-merchants': [
      'has the operations of staff on the listener of merchants',
      [CHECKS, "audience === 'merchants' && !(row in MERCHANT_OPERATIONS)", 'false'],
    ],
  }),
  ...sourceFaults('scope', OTHERS, {
    'any-merchant-named': [
      'lets people of a merchant name another',
      ['admin/operations/merchant-named.ts', '(own !== undefined && own !== merchant.id)', 'false'],
    ],
    'any-callback-named': [
      'lets people of a merchant name a callback of another',
      ['admin/operations/resend-callbacks.ts', '(own !== undefined && own !== callback.merchant_id)', 'false'],
    ],
    'any-payment-named': [
      'lets people of a merchant refund, cancel and read payments of another',
      [
        'admin/operations/transaction-named.ts',
        'merchant === undefined ? ownMerchant(context)',
        'merchant === undefined ? undefined',
      ],
    ],
    'received-of-all-merchants': [
      'shows people of a merchant what the test receivers of others received',
      [
        'admin/api/handlers/callbacks.ts',
        'query.merchant === undefined ? ownMerchant(context)',
        'query.merchant === undefined ? undefined',
      ],
    ],
  }),
  ...sourceFaults('repetition', API, {
    'key-not-taken': [
      'does again what a double click sends twice',
      [RUN, 'claim ? withClaim(change, claim, operation, context) : change', 'change'],
    ],
    'key-of-another-request': [
      'answers another request under the same key with the outcome of the first',
      [RUN, ' || found.digest !== claim.digest', ''],
    ],
  }),
  ...sourceFaults('money by people', PAYMENTS, {
    'refund-of-all': [
      'refunds all that is left, whatever part a person names',
      ['admin/operations/refund-collection.ts', '...(amount !== undefined && { amount }),', ''],
    ],
    'cancel-in-words-only': [
      'says that a payout is cancelled, and leaves it as it is',
      ['admin/operations/cancel-payout.ts', 'await cancel(deps, { id: merchantId }, merchantReference)', ''],
    ],
  }),
  ...sourceFaults('money by people', BATCHES, {
    'batch-of-nobody': [
      'lets whoever sends a file of payouts approve it too',
      [
        'admin/operations/payout-batches.ts',
        '{ reference, maker: partyOf(context.actor) }',
        "{ reference, maker: { name: 'api' } }",
      ],
    ],
    'preview-sends': [
      'accepts a file that somebody only wants to look at',
      ['actions/create-payout-batch.ts', '{ isTrial: true }', '{ isTrial: false }'],
    ],
  }),
  ...sourceFaults('audit', API, {
    'reason-not-stored': [
      'leaves the reason out of the audit log',
      [RUN, 'actor, command, subject, reason, reference,', 'actor, command, subject, reason: undefined, reference,'],
    ],
  }),
  ...sourceFaults('audit', PAYMENTS, {
    'reveal-not-audited': [
      'shows a whole account number without an entry in the audit log',
      [
        'admin/api/handlers/payments.ts',
        'await runOperation(context, showFullTransaction, input, { reason: body.reason, claim })',
        '',
      ],
    ],
  }),
  ...sourceFaults('masking', PAYMENTS, {
    'account-not-masked': [
      'shows whole account numbers of payments',
      ['admin/api/handlers/payments.ts', '...toRecord(transaction, false)', '...toRecord(transaction, true)'],
    ],
    'body-not-masked': [
      'shows whole account numbers in bodies of callbacks',
      ['admin/api/handlers/callbacks.ts', "maskedBody(bodies.get(one.id) ?? '')", "bodies.get(one.id) ?? ''"],
    ],
  }),
]
